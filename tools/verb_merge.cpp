// lockstep merge: one report of what all shards of a run did (campaign/shards.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <expected>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "campaign/findings.hpp"
#include "campaign/minimise.hpp"
#include "campaign/shards.hpp"
#include "lockstep/corpus.hpp"
#include "lockstep/exchange.hpp"
#include "lockstep/files.hpp"
#include "lockstep/hash.hpp"
#include "lockstep/kept_files.hpp"
#include "lockstep/plugin.hpp"
#include "lockstep/services/encoding.hpp"
#include "lockstep/services/judging.hpp"
#include "lockstep/text.hpp"
#include "lockstep/words.hpp"
#include "tools/explore_report.hpp"
#include "tools/fuzz_report.hpp"
#include "tools/report_files.hpp"
#include "tools/verbs.hpp"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds shrink_time{30'000};

struct MergeCommand {
  std::string folder;
  std::string out;  // empty: FOLDER/merged
  FuzzOutput output;
  ReportFiles reports;

  fs::path out_folder() const { return out.empty() ? fs::path{folder} / "merged" : fs::path{out}; }
};

/// The shards that are not, or not whole, in what a merge reports.
struct Absent {
  unsigned shards = 1;                 // of the run
  std::vector<unsigned> indices = {};  // that have no result
  std::set<unsigned> unread = {};      // that have a file which is damaged or cannot be read
  std::vector<std::string> why = {};   // what is wrong with these files

  /// Names those that have not ended; empty if there are none. Those with a bad file are in `why`.
  std::string not_ended() const {
    std::vector<unsigned> missing;
    std::ranges::copy_if(indices, std::back_inserter(missing), [&](unsigned index) { return !unread.contains(index); });
    if (missing.empty()) return "";
    const bool one = missing.size() == 1;
    return fmt::format("{} of {} {} not ended: run {} (again) with the same command", shards_text(missing), shards,
                       one ? "has" : "have", one ? "it" : "them");
  }

  /// Why each is absent.
  std::vector<std::string> texts() const {
    std::vector<std::string> out = why;
    if (std::string text = not_ended(); !text.empty()) out.insert(out.begin(), std::move(text));
    return out;
  }
};

/// Reads a shard's file. One that is damaged or cannot be read is named, and noted in `absent`, and left out: it must not
/// hide what other shards found.
template <class Read>
auto read_of_shard(Absent& absent, unsigned index, Read read) -> decltype(read()) {
  std::string why;
  try {
    return read();
  } catch (const BadInput& fault) {
    why = fault.what();
  } catch (const fs::filesystem_error& fault) {  // a folder without the permission to enter it
    why = unreadable_text(fault.path1(), fault.code().message());
  }
  absent.unread.insert(index);
  absent.why.push_back("not merged: " + why);
  std::cerr << program_name() << ": " << absent.why.back() << "\n";
  return std::nullopt;
}

/// The timeout of the run for one action.
Guard guard_of(const fs::path& folder, const ShardedRun& run) {
  try {
    return Guard{std::chrono::milliseconds{nlohmann::json::parse(run.key).at("timeout_ms").get<std::int64_t>()}};
  } catch (const nlohmann::json::exception&) {
    throw BadInput{(folder / "run.json").string() + ": is damaged: it names no timeout"};
  }
}

/// Shrinks what a shard found that was killed before it could. A plugin is not loaded because a file names it: then the
/// finding is the scenario as it was found.
FindingText shrunk_counterexample(const ExploreReport& report, const Explored::Failed& failed, Guard guard) {
  if (std::ranges::any_of(report.implementations, names_plugin))
    return unshrunk_finding(report, failed, "merge loads no plugin");
  const AnySystem& system = system_named(report.system);
  const auto shrunk = system.judging().shrink(failed.text, report.implementations, guard, shrink_time);
  if (!shrunk) return unshrunk_finding(report, failed, shrunk.error().what);
  if (!*shrunk) return unshrunk_finding(report, failed, "it did not differ when it was judged again");
  return **shrunk;
}

/// A difference that a shard found, although it has not ended: it gave up its wait for others, or was killed.
void take_early_finding(const fs::path& folder, const ExploreReport& report, const ShardedRun& run, Absent& absent,
                        Explored& all) {
  for (const unsigned index : absent.indices) {
    const auto early = read_of_shard(absent, index, [&] { return read_early_finding(folder, index); });
    const auto text = read_of_shard(absent, index, [&] { return std::optional{read_counterexample(folder, index)}; });
    if (all.failed) continue;  // the others were only read to name what is damaged
    if (early && early->failed && early->finding) {
      all.failed = early->failed;
      all.finding = early->finding;
    } else if (text && !text->empty()) {
      all.failed = Explored::Failed{.text = *text, .explanation = "in a shard that has not ended", .size = {}};
      all.finding = shrunk_counterexample(report, *all.failed, guard_of(folder, run));
      all.failed->explanation = all.finding->explanation;
    } else {
      continue;
    }
    std::cerr << program_name() << ": shard " << index + 1
              << " found a difference, which is not yet known to be the smallest\n";
  }
}

/// What is wrong with files was printed when they were read.
void print_not_ended(const Absent& absent) {
  if (const std::string text = absent.not_ended(); !text.empty()) std::cerr << program_name() << ": " << text << "\n";
}

ExploreReport report_of(const fs::path& folder, const ShardedRun& run) {
  try {
    return explore_report_from(run.about);
  } catch (const BadInput&) {
    throw BadInput{(folder / "run.json").string() + ": is damaged: it does not describe an exploration"};
  }
}

/// The certificate of all shards. If some have not ended, there is none: only a difference that another one found is
/// reported.
int merge_explored(const MergeCommand& command, const ShardedRun& run) {
  const ExploreReport report = report_of(command.folder, run);
  std::vector<Explored> ended;
  Absent absent{.shards = run.shards};
  for (unsigned index = 0; index < run.shards; ++index) {
    if (auto result = read_of_shard(absent, index, [&] { return read_result(command.folder, index); }))
      ended.push_back(std::move(*result));
    else absent.indices.push_back(index);
  }
  Explored all = ended.empty() ? Explored{} : merged(ended, report.walk);
  if (!absent.indices.empty()) {
    all.levels.clear();
    if (!all.failed) {
      if (all.end != ExploreEnd::cannot_judge) all.end = ExploreEnd::running;
      take_early_finding(command.folder, report, run, absent, all);
    }
    // What cannot be judged stays so, whichever shards run again.
    if (all.end != ExploreEnd::cannot_judge) all.reason = joined(absent.texts(), "; ");
    print_not_ended(absent);
  }
  const std::string file = finding_file(all, command.out_folder());
  if (command.output.json) print_json(report, all, file, absent.indices);
  else print_certificate(report, all, counted(ended.size(), "shard"), file);
  const int agreed = exit_code_of(all);
  const int exit_code = !absent.why.empty() && agreed != exit_diverged ? exit_bad_input : agreed;
  return write_reports(command.reports, report, all, file, exit_code, absent.texts());
}

/// The scenarios that the shards' engines left for each other.
std::vector<std::string> exchanged(const fs::path& folder, const AnySystem& system) {
  std::set<std::string> texts;  // sorted, each once
  for (const Bytes& bytes : Exchange{folder / "scenarios" / system.name()}.take()) {
    if (auto text = system.encoding().unpack(bytes)) texts.insert(std::move(*text));
  }
  return {texts.begin(), texts.end()};
}

fs::path corpus_of_merge(const MergeCommand& command, const AnySystem& system) {
  return command.out_folder() / "corpus" / system.name();
}

/// Whether the file's name is the hash of its text, as that of each scenario that a merge writes into a corpus.
bool named_by_text(const fs::path& file, const std::string& text) { return file.stem() == hash_text(text); }

/// The scenarios in a folder that a merge wrote. Others go to `foreign`.
std::vector<fs::path> files_of_merges(const fs::path& folder, std::vector<fs::path>& foreign) {
  std::vector<fs::path> out;
  for (const auto& file : corpus_files_if_any(folder)) {
    const auto text = read_file(file);
    (text && named_by_text(file, *text) ? out : foreign).push_back(file);
  }
  return out;
}

[[noreturn]] void refuse_foreign(const MergeCommand& command, const fs::path& file) {
  throw BadInput{"--out " + command.out + ": " + file.string() + " was not written by a merge; choose another folder"};
}

/// Throws BadInput if --out names a folder with a corpus of the user's own, where a merge would write its own.
void refuse_foreign_corpus(const MergeCommand& command, const AnySystem& system) {
  if (command.out.empty()) return;
  std::vector<fs::path> foreign;
  files_of_merges(corpus_of_merge(command, system), foreign);
  if (!foreign.empty()) refuse_foreign(command, foreign.front());
}

/// Whether a scenario of the system has a name that fuzz, explore and merge give to findings: SYSTEM-HASH.txt, or with a
/// number behind it.
bool named_as_finding(const fs::path& file, const std::string& system) {
  const std::string name = file.stem().string();
  const std::size_t begin = system.size() + 1;
  if (!name.starts_with(system + "-")) return false;
  const auto is_digits = [](std::string_view text, std::string_view digits) {
    return !text.empty() && text.find_first_not_of(digits) == std::string_view::npos;
  };
  const std::string_view rest = std::string_view{name}.substr(begin);
  const std::string_view hash = rest.substr(0, rest.find('-'));
  return hash.size() == hash_text("").size() && is_digits(hash, "0123456789abcdef") &&
         (hash.size() == rest.size() || is_digits(rest.substr(hash.size() + 1), "0123456789"));
}

/// Throws BadInput if --out names a folder that is itself a corpus of the user's own: it holds scenarios, or a folder
/// SYSTEM with scenarios. Findings may be there, and what a merge has written.
void refuse_corpus_as_out(const MergeCommand& command) {
  if (command.out.empty()) return;
  const auto foreign = [](const fs::path& file, const std::string& folder) {
    const auto text = read_file(file);
    if (!text || named_by_text(file, *text)) return false;
    const auto system = scenario_system(*text);
    return system && (folder.empty() ? !named_as_finding(file, *system) : *system == folder);
  };
  const auto refuse_any = [&](const fs::path& folder, const std::string& name) {
    for (const auto& file : corpus_files_if_any(folder)) {
      if (foreign(file, name)) refuse_foreign(command, file);
    }
  };
  refuse_any(command.out, "");
  std::vector<fs::path> folders;
  visit_entries(command.out, [&](const fs::directory_entry& entry) {
    std::error_code none;
    if (entry.is_directory(none)) folders.push_back(entry.path());
  });
  std::ranges::sort(folders);
  for (const auto& folder : folders) refuse_any(folder, folder.filename().string());
}

/// Writes the fewest scenarios that reach all that was left, and returns their number. In FOLDER/merged, removes those of
/// an earlier merge; the user's own folder (--out) only gains files.
std::size_t write_corpus(const MergeCommand& command, const AnySystem& system, const std::vector<std::string>& texts,
                         const FuzzRun& run) {
  const fs::path folder = corpus_of_merge(command, system);
  const auto names = implementations_named(system, run.options.with);
  const Minimised small = minimise(system, texts, names, Guard{run.options.timeout}, [](std::size_t) { return true; });
  std::set<fs::path> kept;
  for (const std::size_t place : small.kept) {
    const fs::path file = folder / (hash_text(texts[place]) + ".txt");
    keep_output(file, texts[place]);
    kept.insert(file);
  }
  std::vector<fs::path> foreign;
  for (const auto& file : files_of_merges(folder, foreign)) {
    std::error_code fault;
    if (command.out.empty() && !kept.contains(file) && !fs::remove(file, fault) && fault) {
      throw BadInput{file.string() + ": " + fault.message()};
    }
  }
  return kept.size();
}

/// Writes a finding, the n-th with its file name, and returns its file. In FOLDER/merged it replaces that of an earlier
/// merge; in the user's own folder (--out), no other scenario is replaced.
std::expected<std::string, std::string> written(const MergeCommand& command, const AnySystem& system,
                                                const FindingText& finding, int n) {
  if (!command.out.empty()) return write_finding(command.out, system, finding);
  const fs::path file = numbered(command.out_folder() / finding.file_name, n);
  if (const auto kept = keep_file(file, finding.text); !kept) return std::unexpected(kept.error());
  return file.string();
}

/// The findings of all shards as files of one folder. Those with one signature, of different causes, get numbers in the
/// order of the report, so that a merge gives the same files when it is repeated. One that cannot be written is printed,
/// and is reported with the file of its shard.
void write_findings(FuzzRun& all, const MergeCommand& command) {
  std::map<std::string, int> numbers;  // by file name
  for (CampaignResult& result : all.results) {
    for (Found& found : result.findings) {
      const FindingText& finding = found.finding;
      auto file = written(command, *result.system, finding, ++numbers[finding.file_name]);
      if (file) found.file = std::move(*file);
      else print_unwritten("finding", file.error(), finding.text);
    }
  }
}

/// Which systems the shards search.
std::vector<std::string> systems_of(const fs::path& folder, const ShardedRun& run) {
  try {
    return nlohmann::json::parse(run.key).at("games");
  } catch (const nlohmann::json::exception&) {
    throw BadInput{(folder / "run.json").string() + ": is damaged: it names no systems"};
  }
}

int merge_fuzzed(const MergeCommand& command, const ShardedRun& run) {
  std::vector<FuzzShard> shards;
  Absent absent{.shards = run.shards};
  for (unsigned index = 0; index < run.shards; ++index) {
    auto shard = read_of_shard(absent, index, [&] { return read_fuzz_shard(command.folder, index, system_named); });
    if (!shard || !shard->ended) absent.indices.push_back(index);
    if (shard) shards.push_back(std::move(*shard));
  }
  if (shards.empty()) {
    print_not_ended(absent);
    return write_reports(command.reports,
                         FuzzRun{.systems = systems_of(command.folder, run), .options = {}, .results = {}},
                         absent.why.empty() ? exit_internal_error : exit_bad_input, absent.texts());
  }
  FuzzRun all = merged(shards);
  for (const CampaignResult& result : all.results) refuse_foreign_corpus(command, *result.system);
  write_findings(all, command);
  int exit_code = exit_code_of(all.results, false);
  if (!absent.indices.empty() && exit_code == exit_agreed) exit_code = exit_internal_error;
  if (!absent.why.empty() && exit_code != exit_diverged) exit_code = exit_bad_input;
  print_results(all, command.output, exit_code);
  for (const CampaignResult& result : all.results) {
    exit_code = after_writing(exit_code, [&] {
      const AnySystem& system = *result.system;
      const auto texts = exchanged(command.folder, system);
      const std::size_t kept = write_corpus(command, system, texts, all);
      std::cerr << fmt::format("{}: of {} that reached something new, {} {} it all: {}\n", system.name(),
                               counted(texts.size(), "scenario"), kept, kept == 1 ? "reaches" : "reach",
                               corpus_of_merge(command, system).string());
    });
  }
  print_not_ended(absent);
  return write_reports(command.reports, all, exit_code, absent.texts());
}

int merge(const MergeCommand& command) {
  const ShardedRun run = read_run(command.folder);
  refuse_corpus_as_out(command);
  command.reports.begin("merge");
  if (run.verb == "explore") return merge_explored(command, run);
  return merge_fuzzed(command, run);
}

}  // namespace

void add_merge(CLI::App& program, int& exit_code) {
  const auto options = std::make_shared<MergeCommand>();
  CLI::App* const verb = program.add_subcommand("merge", "Joins what the shards of explore or fuzz did");
  verb->add_option("FOLDER", options->folder, "The folder of --exchange")->required();
  verb->add_option("--out", options->out,
                   "Folder for findings and the corpus; default: FOLDER/merged. A corpus of yours is refused")
      ->type_name("FOLDER");
  verb->add_flag("--verbose", options->output.verbose,
                 "Of fuzz: also print the implementations, the canaries and what each engine found");
  verb->add_flag("--json", options->output.json, "Print JSON, as the verb of the shards does");
  options->reports.add_to(*verb);
  verb->footer(
      exit_codes("all implementations agree", "a divergence was found",
                 "internal error, or nothing is proven (a shard has not ended)") +
      "\nA damaged file of one shard is named (2, unless a divergence was found); the other shards are merged.\n"
      "example: lockstep merge shared/run");
  verb->callback([options, &exit_code] { exit_code = merge(*options); });
}

}  // namespace lockstep
