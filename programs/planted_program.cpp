#include "programs/planted_program.hpp"

#include <chrono>
#include <map>
#include <nlohmann/json.hpp>

#include "lockstep/base/error.hpp"
#include "lockstep/base/refuse.hpp"
#include "lockstep/process/files.hpp"
#include "lockstep/process/shared_files.hpp"
#include "lockstep/services/report.hpp"
#include "programs/outside_program.hpp"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

fs::path planter() {
  const fs::path script = fs::path{"planter"} / "plant.py";
  if (const auto found = shared_file(script)) return *found;
  throw BadInput{"planting changes needs share/lockstep/" + script.string() +
                 ", which an installed copy of Lockstep has: it is not in " + own_prefix().string() +
                 ", /usr/local or /usr"};
}

}  // namespace

PlantedProgram plant_changes(const fs::path& solution, const fs::path& folder) {
  constexpr ProgramLimits limits{.processor_time = std::chrono::minutes{2}, .memory = std::uint64_t{8} << 30};
  const std::string command = "python3 -B " + shell_word(planter().string()) + " --program " +
                              shell_word(solution.string()) + " --out " + shell_word(folder.string());
  OutsideProgram planting = or_refuse(OutsideProgram::make(command, limits, Safety::limits));  // it has to write files
  const ProgramRun run = planting.run("");
  if (run.end != ProgramRun::End::answered) {
    std::string why =
        run.errors.empty() ? "planting changes into " + solution.string() + ": " + run.reason : run.errors;
    constexpr std::string_view prefix = "plant.py: ";
    if (why.starts_with(prefix)) why.erase(0, prefix.size());
    while (why.ends_with('\n')) why.pop_back();
    throw BadInput{why};
  }
  PlantedProgram out;
  out.command = shell_word((folder / "planted").string());
  std::map<std::string, int> times;
  const auto text = or_refuse<InternalError>(read_file(folder / "mutants.json"));
  try {
    const auto planted = nlohmann::json::parse(text);
    for (const auto& change : planted.at("changes")) {
      std::string name =
          "line " + std::to_string(change.at("line").get<int>()) + ": " + change.at("change").get<std::string>();
      if (const int before = times[name]++; before > 0) name += " (occurrence " + std::to_string(before + 1) + ")";
      out.changes.push_back({change.at("number"), std::move(name)});
    }
  } catch (const nlohmann::json::exception& fault) {
    throw InternalError{(folder / "mutants.json").string() + ": " + fault.what()};
  }
  return out;
}

}  // namespace lockstep
