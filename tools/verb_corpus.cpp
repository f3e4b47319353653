// lockstep corpus: keeps scenarios as texts (for git), and converts them from and to bytes (for engines).
#include "campaign/findings.hpp"
#include "lockstep/base/hash.hpp"
#include "lockstep/process/files.hpp"
#include "tools/whole_corpora.hpp"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

/// Whether a file of an engine's folder is an input. Any bytes are a scenario, so what else is there must be left out:
/// hidden files, what AFL++ writes about its crashes, and files that an exchange is still writing.
bool is_input(const fs::path& file) {
  const std::string name = file.filename().string();
  return !name.starts_with('.') && name != "README.txt" && finished_name(name).empty();
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
    const Bytes bytes = encoded(value_of(system.parse(read_input(file.string())), file.string()));
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
