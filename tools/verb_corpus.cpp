// lockstep corpus: keeps scenarios as texts (for git), and converts them from and to bytes (for engines).
//
// What changes many files reads and checks all of them first. If there are damaged ones, each is named, and nothing is
// written.
#include <map>
#include <set>

#include "campaign/findings.hpp"
#include "campaign/minimise.hpp"
#include "lockstep/base/hash.hpp"
#include "lockstep/process/files.hpp"
#include "lockstep/services/labelling.hpp"
#include "lockstep/system/implementations.hpp"
#include "tools/verbs.hpp"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

struct CorpusOptions {
  std::vector<std::string> files;
  std::string system;
  std::vector<std::string> systems;
  std::vector<std::string> with;
  std::string folder = "corpus";
  std::string out;
  std::string name;
  std::string floors;
  Guard guard;
};

/// Whether a file of an engine's folder is an input. Any bytes are a scenario, so what else is there must be left out:
/// hidden files, what AFL++ writes about its crashes, and files that an exchange is still writing.
bool is_input(const fs::path& file) {
  const std::string name = file.filename().string();
  return !name.starts_with('.') && name != "README.txt" && finished_name(name).empty();
}

/// The folder's scenario files; none if there is no such folder. One that cannot be read is an error, and so is a link that
/// leads nowhere: the files would be skipped silently.
std::expected<CorpusFiles, std::string> files_if_exists(const fs::path& folder) {
  std::error_code none;
  if (fs::symlink_status(folder, none).type() == fs::file_type::not_found) return CorpusFiles{};
  return corpus_files(folder);
}

/// The file of the folder that holds the same scenario; empty if there is none.
std::string same_scenario(const AnySystem& system, const fs::path& folder, const std::string& canonical) {
  for (const auto& known : or_refuse(files_if_exists(folder))) {
    if (const auto text = system.canonical(read_input(known.string())); text && *text == canonical)
      return known.string();
  }
  return {};
}

/// Writes a scenario, as canonical text with its comments, to CORPUS/SYSTEM. Never overwrites a file.
void add_file(const CorpusOptions& options, const std::string& file) {
  const std::string text = read_input(file);
  const AnySystem& system = system_of(text, source_name(file));
  const std::string canonical = value_of(system.canonical(text), source_name(file));
  const fs::path folder = fs::path{options.folder} / system.name();
  if (const std::string same = same_scenario(system, folder, canonical); !same.empty()) {
    fmt::print("{}: the corpus already has this scenario: {}\n", source_name(file), same);
    return;
  }
  const std::string stem = !options.name.empty() ? options.name
                           : file == "-"         ? hash_text(canonical)
                                                 : fs::path{file}.stem().string();
  const fs::path target = folder / (stem + ".txt");
  if (fs::exists(target)) throw BadInput{target.string() + " exists; choose another name with --as"};
  keep_output(target, text_for_corpus(canonical, text));
  fmt::print("{} -> {}\n", source_name(file), target.string());
}

void add_files(const CorpusOptions& options) {
  if (!options.name.empty() && options.files.size() != 1) throw BadInput{"--as takes exactly one FILE"};
  if (options.name.find('/') != std::string::npos || options.name.starts_with(".")) {
    throw BadInput{"--as takes a file name without a folder, got '" + options.name + "'"};
  }
  for (const auto& file : options.files) add_file(options, file);
}

void pack_corpus(const CorpusOptions& options) {
  const AnySystem& system = system_named(options.system);
  std::size_t count = 0;
  for (const auto& file : or_refuse(corpus_files(fs::path{options.folder} / system.name()))) {
    Bytes bytes;
    encode(value_of(system.parse(read_input(file.string())), file.string()), bytes);
    write_output(fs::path{options.out} / file.stem(), as_chars(bytes));
    ++count;
  }
  fmt::print("{} of {} packed into {}\n", counted(count, "scenario"), system.name(), options.out);
}

void unpack_files(const CorpusOptions& options) {
  const AnySystem& system = system_named(options.system);
  std::size_t count = 0;
  for (const auto& input : options.files) {
    std::error_code unknown;
    const auto files =
        fs::is_directory(input, unknown) ? or_refuse(files_in(input, is_input)) : std::vector<fs::path>{input};
    for (const auto& file : files) {
      const std::string bytes = read_input(file.string());
      const std::string text = value_of(system.unpack(bytes_in(bytes)), file.string());
      or_refuse(write_numbered(fs::path{options.out} / (file.filename().string() + ".txt"), system, text));
      ++count;
    }
  }
  fmt::print("{} of {} unpacked into {}\n", counted(count, "input"), system.name(), options.out);
}

// Whole corpora -------------------------------------------------------------------------------

/// A scenario file, its system and its canonical text.
struct KeptScenario {
  fs::path file;
  std::string text;
  const AnySystem* system;
  std::string canonical;
};

/// Reads a scenario of this system, or, if it is null, of the one that the text names. Says what is wrong with a damaged
/// file, and counts it.
void read_scenario(const fs::path& file, const AnySystem* system, std::vector<KeptScenario>& out,
                   std::uint64_t& damaged) {
  try {
    std::string text = read_input(file.string());
    if (system == nullptr) system = &system_of(text, file.string());
    std::string canonical = value_of(system->canonical(text), file.string());
    out.push_back({file, std::move(text), system, std::move(canonical)});
  } catch (const BadInput& damage) {
    complain(damage.what());
    ++damaged;
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
  for (const auto& file : or_refuse(corpus_files(fs::path{options.folder} / system.name()))) {
    read_scenario(file, &system, out, damaged);
  }
  return out;
}

std::vector<std::string> texts_of(const std::vector<KeptScenario>& scenarios) {
  std::vector<std::string> out;
  for (const auto& each : scenarios) out.push_back(each.text);
  return out;
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
    for (const auto& file : files) read_scenario(file, nullptr, given, damaged);
  }
  std::map<const AnySystem*, std::set<std::string>> known;
  for (const auto& one : given) {
    if (known.contains(one.system)) continue;
    std::vector<KeptScenario> there;
    for (const auto& file : or_refuse(files_if_exists(fs::path{options.folder} / one.system->name()))) {
      read_scenario(file, one.system, there, damaged);
    }
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

}  // namespace

void add_corpus(CLI::App& program, int& exit_code) {
  CLI::App* const corpus =
      program.add_subcommand("corpus", "Keeps a corpus: adds, merges, minimises, checks, packs into bytes");
  corpus->require_subcommand(1);
  corpus->footer(
      exit_codes("done", "below a floor (check)") +
      ", 130 interrupted (minimise)\nexample: lockstep corpus add findings/SYSTEM-0123456789abcdef.txt --as overflow");
  const auto begin = [&](const std::string& name, const std::string& about, auto run, const std::string& example,
                         const std::string& codes = exit_codes("done")) {
    const auto added = add_verb<CorpusOptions>(*corpus, name, about, exit_code, run);
    added.first->footer(codes + "\nexample: lockstep corpus " + name + " " + example);
    return added;
  };
  const auto add_folder = [](CLI::App& verb, CorpusOptions& options, const std::string& more = "") {
    add_path(verb, "--corpus", "FOLDER", options.folder, "Folder of the corpus" + more)->capture_default_str();
  };
  const std::string of_systems = ", with a folder for each system";
  const std::string all_systems_text = "The systems; default: all that have scenarios";

  const auto [add, add_options] = begin("add", "Adds scenario files to a corpus, as canonical text", add_files,
                                        "findings/SYSTEM-0123456789abcdef.txt --as overflow");
  add->add_option("FILE", add_options->files, "Scenario files")->required();
  add->add_option("--as", add_options->name, "Name in the corpus, without .txt; default: the file's own name")
      ->type_name("NAME");
  add_folder(*add, *add_options);

  const auto [packing, pack_options] =
      begin("pack", "Packs the texts of a system into byte files for libFuzzer", pack_corpus, "SYSTEM /tmp/seeds");
  packing->add_option("SYSTEM", pack_options->system, "The system")->required();
  packing->add_option("OUT", pack_options->out, "Folder for the byte files")->required();
  add_folder(*packing, *pack_options);

  const auto [unpacking, unpack_options] =
      begin("unpack", "Unpacks byte files of engines into texts: a corpus, artifacts, test cases of OSS-Fuzz",
            unpack_files, "SYSTEM /tmp/seeds --out /tmp/texts");
  unpacking->add_option("SYSTEM", unpack_options->system, "The system")->required();
  unpacking->add_option("INPUT", unpack_options->files, "Byte files, or folders with byte files")->required();
  add_path(*unpacking, "--out", "FOLDER", unpack_options->out, "Folder for the texts")->required();

  const auto [checking, check_options] =
      begin("check", "Names the damaged files of a corpus, and floors that it misses", check_corpus,
            "SYSTEM --floors tests/golden/floors", exit_codes("well", "below a floor"));
  checking->add_option("SYSTEM", check_options->systems, all_systems_text);
  add_folder(*checking, *check_options, of_systems);
  add_path(*checking, "--floors", "FOLDER", check_options->floors,
           "Compare what it shows with FOLDER/SYSTEM.txt (see labels)");

  const auto [minimising, minimise_options] =
      begin("minimise",
            "Writes the fewest scenarios that reach all that a corpus reaches, and all findings, to another folder",
            minimise_corpus, "SYSTEM --out smaller", exit_codes("done") + ", 130 interrupted");
  minimising->add_option("SYSTEM", minimise_options->systems, all_systems_text);
  add_path(*minimising, "--out", "FOLDER", minimise_options->out, "Folder for the smaller corpus")->required();
  add_folder(*minimising, *minimise_options, of_systems);
  add_with(*minimising, minimise_options->with, with_default_of_file);
  add_timeout(*minimising, minimise_options->guard.timeout);

  const auto [merging, merge_options] = begin("merge", "Adds the scenarios of other corpora that a corpus lacks",
                                              merge_folders, "machine_1/corpus machine_2/corpus");
  merging->add_option("FOLDER", merge_options->files, "Folders with scenario files, or with folders that have them")
      ->required();
  add_folder(*merging, *merge_options, of_systems);
}

}  // namespace lockstep
