#include "tools/whole_corpora.hpp"

#include <map>
#include <set>

#include "campaign/findings.hpp"
#include "campaign/minimise.hpp"
#include "lockstep/process/files.hpp"
#include "lockstep/services/labelling.hpp"
#include "lockstep/system/implementations.hpp"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

/// A scenario file, its system and its canonical text.
struct KeptScenario {
  fs::path file;
  std::string text;
  const AnySystem* system;
  std::string canonical;
};

/// Reads scenarios of this system, or, if it is null, of those that the texts name. Says what is wrong with damaged files,
/// and counts them.
void read_scenarios(const CorpusFiles& files, const AnySystem* of, std::vector<KeptScenario>& out,
                    std::uint64_t& damaged) {
  for (const auto& file : files) {
    try {
      std::string text = read_input(file.string());
      const AnySystem& system = of == nullptr ? system_of(text, file.string()) : *of;
      std::string canonical = value_of(system.canonical(text), file.string());
      out.push_back({file, std::move(text), &system, std::move(canonical)});
    } catch (const BadInput& damage) {
      complain(damage.what());
      ++damaged;
    }
  }
}

void refuse_damaged(std::uint64_t damaged) {
  if (damaged > 0) throw BadInput{counted(damaged, "damaged file") + "; nothing was written"};
}

/// What is said of folders of scenarios that are named after no system; they would be skipped silently. Of folders that
/// cannot be read, too: they may have scenarios. Sorted.
std::vector<std::string> foreign_folders(const fs::path& corpus) {
  std::vector<std::string> out;
  const std::error_code fault = visit_entries(corpus, [&](const fs::directory_entry& entry) {
    std::error_code none;
    const fs::file_type type = entry.status(none).type();  // none: a link that has no end
    if (type != fs::file_type::directory && type != fs::file_type::none) return;
    if (find_system(entry.path().filename().string()) != nullptr) return;
    const auto files = corpus_files(entry.path());
    const std::string what = "no system has this name; name the systems that are meant";
    if (!files) out.push_back(files.error() + "; " + what);
    else if (!files->empty()) out.push_back(entry.path().string() + ": " + what);
  });
  if (fault) throw BadInput{corpus.string() + ": " + fault.message()};
  std::ranges::sort(out);
  return out;
}

/// The systems whose scenarios are meant, and what is wrong with folders. That is said after the damaged files of these
/// systems: programs may share a corpus, and a folder of another one must not hide them.
struct MeantSystems {
  std::vector<const AnySystem*> systems;
  std::vector<std::string> faults;
};

/// The systems that are named, or all that have scenario files in the corpus; none only if there are faults.
MeantSystems systems_in(const CorpusOptions& options) {
  if (!fs::is_directory(options.folder)) throw BadInput{options.folder + ": expected a folder with scenarios"};
  MeantSystems out;
  out.systems = systems_named(options.systems);
  const bool named = !options.systems.empty();
  std::erase_if(out.systems, [&](const AnySystem* system) {
    const fs::path folder = fs::path{options.folder} / system->name();
    const auto files = files_if_exists(folder);
    if (files && !files->empty()) return false;
    const bool has_floors = !options.floors.empty() && fs::exists(floors_file(options.floors, system->name()));
    if (!files) out.faults.push_back(files.error());
    else if (named || has_floors) out.faults.push_back(folder.string() + ": no scenario files");
    return true;
  });
  if (!named) {
    for (auto& fault : foreign_folders(options.folder)) out.faults.push_back(std::move(fault));
  }
  if (out.systems.empty() && out.faults.empty())
    throw BadInput{options.folder + ": no scenario files in the folder of a system"};
  return out;
}

std::vector<KeptScenario> scenarios_of(const CorpusOptions& options, const AnySystem& system, std::uint64_t& damaged) {
  std::vector<KeptScenario> out;
  read_scenarios(or_refuse(corpus_files(fs::path{options.folder} / system.name())), &system, out, damaged);
  return out;
}

std::vector<std::string> texts_of(const std::vector<KeptScenario>& scenarios) {
  std::vector<std::string> out;
  for (const auto& each : scenarios) out.push_back(each.text);
  return out;
}

}  // namespace

std::expected<CorpusFiles, std::string> files_if_exists(const fs::path& folder) {
  std::error_code none;
  if (fs::symlink_status(folder, none).type() == fs::file_type::not_found) return CorpusFiles{};
  return corpus_files(folder);
}

int check_corpus(const CorpusOptions& options) {
  std::uint64_t damaged = 0;
  std::uint64_t below = 0;
  const MeantSystems meant = systems_in(options);
  for (const AnySystem* system : meant.systems) {
    const std::uint64_t damaged_before = damaged;
    const auto scenarios = scenarios_of(options, *system, damaged);
    if (damaged > damaged_before) continue;  // what else it has is not known
    std::string line = fmt::format("{}: {}", system->name(), counted(scenarios.size(), "scenario"));
    if (!options.floors.empty()) {
      const std::string file = floors_file(options.floors, system->name());
      Floors floors = value_of(parse_floors(read_input(file)), file);
      std::erase_if(floors.floors, [](const Floor& floor) { return floor.generator != "corpus"; });
      if (floors.floors.empty()) throw BadInput{file + ": expected lines for 'corpus', and there are none"};
      const Vocabulary& vocabulary = system->vocabulary();
      const LabelTable table = count_labels(vocabulary, fastest_of(vocabulary), floors.seed, 0, texts_of(scenarios));
      const auto complaints = below_floors(table, floors);
      for (const auto& complaint : complaints) std::cerr << system->name() << ": " << complaint << "\n";
      below += complaints.size();
      line += fmt::format(", {} of {} hold", floors.floors.size() - complaints.size(),
                          counted(floors.floors.size(), "floor"));
    }
    fmt::print("{}\n", line);
  }
  std::ranges::for_each(meant.faults, complain);
  if (damaged > 0 || !meant.faults.empty()) return exit_bad_input;
  return below > 0 ? exit_diverged : exit_agreed;
}

int minimise_corpus(const CorpusOptions& options) {
  struct Part {
    const AnySystem* system;
    std::vector<KeptScenario> scenarios;
    std::vector<std::string> implementations;
    Minimised result = {};
  };
  const auto names = split_names(options.with);
  std::uint64_t damaged = 0;
  std::vector<Part> parts;
  const MeantSystems meant = systems_in(options);
  for (const AnySystem* system : meant.systems) {
    const fs::path target = fs::path{options.out} / system->name();
    if (!corpus_files_if_any(target).empty()) {
      throw BadInput{target.string() + " holds scenarios already; choose another folder for --out, or remove this one"};
    }
    parts.push_back({system, scenarios_of(options, *system, damaged),
                     names.empty() ? std::vector<std::string>{} : implementations_to_judge(*system, names)});
  }
  std::ranges::for_each(meant.faults, complain);
  refuse_damaged(damaged);
  if (!meant.faults.empty()) return exit_bad_input;
  catch_interrupts();
  for (Part& part : parts) {  // all, before anything is written
    part.result = minimise(*part.system, texts_of(part.scenarios), part.implementations, options.guard,
                           [](std::size_t) { return !interrupted(); });
    if (interrupted()) return exit_interrupted;
  }
  for (const auto& [system, scenarios, implementations, result] : parts) {
    for (const std::size_t place : result.kept) {
      const KeptScenario& one = scenarios[place];
      keep_output(fs::path{options.out} / system->name() / one.file.filename(), one.text);
    }
    fmt::print("{}: {} of {} kept, {} of them as findings; {} and {} are reached as before\n", system->name(),
               result.kept.size(), counted(scenarios.size(), "scenario"), result.findings.size(),
               counted(result.features, "feature value"), counted(result.edges, "edge"));
  }
  return exit_agreed;
}

void merge_folders(const CorpusOptions& options) {
  std::uint64_t damaged = 0;
  std::vector<KeptScenario> given;
  for (const auto& folder : options.files) {
    const CorpusFiles files = or_refuse(corpus_files_below(folder));
    if (files.empty()) throw BadInput{folder + ": no scenario files"};
    read_scenarios(files, nullptr, given, damaged);
  }
  std::map<const AnySystem*, std::set<std::string>> known;
  for (const auto& one : given) {
    if (known.contains(one.system)) continue;
    std::vector<KeptScenario> there;
    const fs::path own = fs::path{options.folder} / one.system->name();
    read_scenarios(or_refuse(files_if_exists(own)), one.system, there, damaged);
    for (auto& each : there) known[one.system].insert(std::move(each.canonical));
    known[one.system];
  }
  refuse_damaged(damaged);
  std::size_t added = 0;
  for (const auto& one : given) {
    if (!known[one.system].insert(one.canonical).second) continue;
    or_refuse(
        write_numbered(fs::path{options.folder} / one.system->name() / one.file.filename(), *one.system, one.text));
    ++added;
  }
  const std::size_t equal = given.size() - added;
  fmt::print("{} of {} added to {}", added, counted(given.size(), "scenario"), options.folder);
  if (equal == 1) fmt::print("; 1 was equal to another");
  if (equal > 1) fmt::print("; {} were equal to others", equal);
  fmt::print("\n");
}

}  // namespace lockstep
