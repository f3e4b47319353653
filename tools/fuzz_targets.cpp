#include "tools/fuzz_targets.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "lockstep/base/error.hpp"

namespace lockstep {

namespace {

namespace fs = std::filesystem;

/// The file of this program; empty if the operating system does not tell.
fs::path own_program() {
  std::error_code fault;
  const fs::path self = fs::read_symlink("/proc/self/exe", fault);
  return fault ? fs::path{} : self;
}

bool is_lockstep(const fs::path& program) { return program.filename() == "lockstep"; }

/// How a project outside this tree builds its target.
std::string how_to_build(const std::vector<std::string>& systems) {
  return "build " + fmt::format("fuzz_{}", fmt::join(systems, ", fuzz_")) +
         " beside this program, from the same source with clang++ -fsanitize=fuzzer "
         "-DLOCKSTEP_FUZZ_TARGET, or with lockstep_add_fuzz_target in CMake";
}

}  // namespace

std::vector<FuzzTarget> fuzz_targets(std::string_view system) {
  const fs::path self = own_program();
  if (self.empty()) return {};
  const std::string name = "fuzz_" + std::string{system};
  const fs::path builds = self.parent_path().parent_path().parent_path();
  std::vector<FuzzTarget> out;
  if (is_lockstep(self)) {
    out = {{"libfuzzer", builds / "fuzz" / "bin" / name}, {fast_engine, builds / "fuzz-fast" / "bin" / name}};
  } else {
    out = {{"libfuzzer", self.parent_path() / name}};
  }
  std::erase_if(out, [](const FuzzTarget& target) { return !fs::exists(target.program); });
  return out;
}

std::string missing_targets_hint(std::vector<std::string> systems) {
  const fs::path self = own_program();
  if (self.empty() || is_lockstep(self)) return {};
  std::erase_if(systems, [](const std::string& system) { return !fuzz_targets(system).empty(); });
  return systems.empty() ? "" : "libFuzzer does not take part: " + how_to_build(systems);
}

void check_built(std::string_view system, const std::vector<std::string>& engines,
                 const std::vector<FuzzTarget>& targets) {
  for (const auto& engine : engines) {
    const bool there = std::ranges::find(targets, engine, &FuzzTarget::engine) != targets.end();
    if (there || !wanted_generators({engine}).empty()) continue;
    const bool games = is_lockstep(own_program());
    throw BadInput{"engine " + engine + " is not built; " +
                   (games ? fmt::format("in the source tree, './dev fuzz {} --engine {}' builds it", system, engine)
                          : how_to_build({std::string{system}}))};
  }
}

}  // namespace lockstep
