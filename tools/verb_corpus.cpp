// lockstep corpus: keeps scenarios as texts (for git), and converts them from and to bytes (for libFuzzer).
#include <fmt/format.h>

#include <algorithm>

#include "lockstep/files.hpp"
#include "lockstep/hash.hpp"
#include "lockstep/services/encoding.hpp"
#include "lockstep/services/judging.hpp"
#include "lockstep/words.hpp"
#include "tools/verbs.hpp"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

struct CorpusOptions {
  std::vector<std::string> files;
  std::string system;
  std::string folder = "corpus";
  std::string out;
  std::string name;
};

/// The byte files of an engine's folder, sorted.
std::vector<fs::path> engine_files(const fs::path& folder) {
  std::error_code fault;
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator{folder, fault}) {
    if (entry.is_regular_file()) out.push_back(entry.path());
  }
  if (fault) throw BadInput{folder.string() + ": " + fault.message()};
  std::ranges::sort(out);
  return out;
}

/// The comment lines of a text. Those that a finding writes about itself are dropped: they are out of date once the bug is
/// fixed.
std::string comments_of(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = std::min(text.find('\n', i), text.size());
    std::string_view line = text.substr(i, end - i);
    line.remove_prefix(std::min(line.find('#'), line.size()));
    if (line.starts_with("#") && !line.starts_with("# simulators:") && !line.starts_with("# minimal:") &&
        !line.starts_with("# budget spent:")) {
      out.append(line).append("\n");
    }
    i = end + 1;
  }
  return out;
}

/// The file of the folder that holds the same scenario; empty if there is none.
std::string same_scenario(const AnySystem& system, const fs::path& folder, const std::string& canonical) {
  for (const auto& known : corpus_files_if_any(folder)) {
    if (const auto text = system.judging().canonical(read_input(known.string())); text && *text == canonical)
      return known.string();
  }
  return {};
}

/// Inserts the comment lines after the first line of the text.
std::string with_comments(const std::string& canonical, const std::string& comments) {
  const std::size_t head = canonical.find('\n') + 1;
  return canonical.substr(0, head) + comments + canonical.substr(head);
}

/// Writes a scenario, as canonical text with its comments, to CORPUS/SYSTEM. Never overwrites a file.
void add_file(const CorpusOptions& options, const std::string& file) {
  const std::string text = read_input(file);
  const AnySystem& system = system_named(value_of(scenario_system(text), source_name(file)));
  const std::string canonical = value_of(system.judging().canonical(text), source_name(file));
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
  write_output(target, with_comments(canonical, comments_of(text)));
  fmt::print("{} -> {}\n", source_name(file), target.string());
}

void add_files(const CorpusOptions& options) {
  if (!options.name.empty() && options.files.size() != 1) throw BadInput{"--as takes exactly one FILE"};
  if (options.name.find('/') != std::string::npos || options.name.starts_with(".")) {
    throw BadInput{"--as takes a file name without a folder, got '" + options.name + "'"};
  }
  for (const auto& file : options.files) add_file(options, file);
}

void pack(const CorpusOptions& options) {
  const AnySystem& system = system_named(options.system);
  std::size_t count = 0;
  for (const auto& file : scenario_files(fs::path{options.folder} / system.name())) {
    const Bytes bytes = value_of(system.encoding().pack(read_input(file.string())), file.string());
    write_output(fs::path{options.out} / file.stem(), {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    ++count;
  }
  fmt::print("{} of {} packed into {}\n", counted(count, "scenario"), system.name(), options.out);
}

void unpack(const CorpusOptions& options) {
  const AnySystem& system = system_named(options.system);
  std::size_t count = 0;
  for (const auto& input : options.files) {
    std::error_code unknown;
    const auto files = fs::is_directory(input, unknown) ? engine_files(input) : std::vector<fs::path>{input};
    for (const auto& file : files) {
      const std::string bytes = read_input(file.string());
      const std::string text = value_of(
          system.encoding().unpack({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}), file.string());
      write_output(fs::path{options.out} / (file.filename().string() + ".txt"), text);
      ++count;
    }
  }
  fmt::print("{} of {} unpacked into {}\n", counted(count, "input"), system.name(), options.out);
}

}  // namespace

void add_corpus(CLI::App& program, int&) {
  const auto options = std::make_shared<CorpusOptions>();
  CLI::App* const verb =
      program.add_subcommand("corpus", "Adds scenarios to a corpus, packs them into bytes, unpacks bytes");
  verb->require_subcommand(1);
  verb->footer(exit_codes("done") +
               "\nexample: lockstep corpus add findings/puyo-0123456789abcdef.txt --as two_groups_one_chain");

  CLI::App* const add = verb->add_subcommand("add", "Adds scenario files to a corpus, as canonical text");
  add->add_option("FILE", options->files, "Scenario files")->required();
  add->add_option("--as", options->name, "Name in the corpus, without .txt; default: the file's own name");
  add->add_option("--corpus", options->folder, "Folder of the corpus")->capture_default_str();
  add->footer(exit_codes("done") +
              "\nexample: lockstep corpus add findings/puyo-0123456789abcdef.txt --as two_groups_one_chain");
  add->callback([options] { add_files(*options); });

  CLI::App* const packing = verb->add_subcommand("pack", "Packs the texts of a system into byte files for libFuzzer");
  packing->add_option("SYSTEM", options->system, "The system")->required();
  packing->add_option("OUT", options->out, "Folder for the byte files")->required();
  packing->add_option("--corpus", options->folder, "Folder of the corpus")->capture_default_str();
  packing->footer(exit_codes("done") + "\nexample: lockstep corpus pack puyo /tmp/puyo_seeds");
  packing->callback([options] { pack(*options); });

  CLI::App* const unpacking = verb->add_subcommand("unpack", "Unpacks byte files of libFuzzer into texts");
  unpacking->add_option("SYSTEM", options->system, "The system")->required();
  unpacking->add_option("INPUT", options->files, "Byte files, or folders with byte files")->required();
  unpacking->add_option("--out", options->out, "Folder for the texts")->required();
  unpacking->footer(exit_codes("done") +
                    "\nexample: lockstep corpus unpack puyo /tmp/puyo_corpus --out /tmp/puyo_texts");
  unpacking->callback([options] { unpack(*options); });
}

}  // namespace lockstep
