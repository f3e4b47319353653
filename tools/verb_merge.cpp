// lockstep merge: one report of what all shards of a run did (campaign/shards.hpp).
#include <set>

#include "campaign/findings.hpp"
#include "campaign/shards.hpp"
#include "lockstep/process/files.hpp"
#include "tools/explore_report.hpp"
#include "tools/fuzz_report.hpp"
#include "tools/merged_corpus.hpp"
#include "tools/out_folder.hpp"
#include "tools/verbs.hpp"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

struct MergeCommand {
  std::string folder;
  std::string out;  // empty: FOLDER/merged
  FuzzOutput output;

  fs::path out_folder() const { return out.empty() ? fs::path{folder} / "merged" : fs::path{out}; }
};

/// What is missing in a merge.
struct Missing {
  std::vector<unsigned> unended = {};   // indices of shards that have not ended, or whose result was not read
  std::set<unsigned> unread = {};       // indices of shards with a file that is damaged or cannot be read
  std::vector<std::string> texts = {};  // these files' faults, which others have not ended, and their findings

  bool damaged() const { return !unread.empty(); }
};

/// Names the shards that have not ended, but not those with a damaged file, which were named when it was read.
void name_unended(Missing& missing, unsigned shards) {
  std::vector<unsigned> indices = missing.unended;
  std::erase_if(indices, [&](unsigned index) { return missing.unread.contains(index); });
  if (indices.empty()) return;
  const bool one = indices.size() == 1;
  const std::string text = fmt::format("{} of {} {} not ended: run {} (again) with the same command",
                                       shards_text(indices), shards, one ? "has" : "have", one ? "it" : "them");
  complain(text);
  missing.texts.insert(missing.texts.begin(), text);
}

/// Reads a shard's file. One that is damaged or cannot be read is named, and noted in `missing`, and left out: it must not
/// hide what other shards found.
template <class Read>
auto read_of_shard(Missing& missing, unsigned index, Read read) -> decltype(read()) {
  std::string why;
  try {
    return read();
  } catch (const BadInput& fault) {
    why = fault.what();
  } catch (const fs::filesystem_error& fault) {  // a folder without the permission to enter it
    why = unreadable_text(fault.path1(), fault.code().message());
  }
  missing.unread.insert(index);
  missing.texts.push_back("not merged: " + why);
  complain(missing.texts.back());
  return std::nullopt;
}

/// What `read` takes from run.json. `lacks`: what to say if it is not there.
auto from_run_file(const fs::path& folder, const std::string& lacks, auto&& read) {
  try {
    return read();
  } catch (const nlohmann::json::exception&) {
    throw DamagedFile{run_file(folder), "is damaged: it " + lacks};
  }
}

/// Names the differences of shards that have not ended: each gave up its wait for others, so there may be smaller ones.
void name_early_findings(const fs::path& folder, Missing& missing) {
  for (const unsigned index : missing.unended) {
    const auto files =
        files_in(shard_folder(folder, index), [](const fs::path& file) { return file.extension() == ".txt"; });
    if (!files || files->empty()) continue;
    missing.texts.push_back(fmt::format("shard {} has found a difference, {}, and may find a smaller one", index + 1,
                                        files->front().string()));
    complain(missing.texts.back());
  }
}

/// The certificate of all shards. If some have not ended, there is none: only a difference that another one found is
/// reported.
int merge_explored(const MergeCommand& command, const ShardedRun& run) {
  const auto report =
      from_run_file(command.folder, "does not describe an exploration", [&] { return run.about.get<ExploreReport>(); });
  std::vector<Explored> ended;
  Missing missing;
  for (unsigned index = 0; index < run.shards; ++index) {
    const fs::path own = shard_folder(command.folder, index);
    if (auto result = read_of_shard(missing, index, [&] { return read_explored(result_file(own)); }))
      ended.push_back(std::move(*result));
    else missing.unended.push_back(index);
  }
  Explored all = ended.empty() ? Explored{} : merged(ended, report.walk);
  if (!missing.unended.empty()) {
    all.levels.clear();
    if (!all.failed && all.end != ExploreEnd::cannot_judge) all.end = ExploreEnd::running;
    name_early_findings(command.folder, missing);
    name_unended(missing, run.shards);
    // What cannot be judged stays so, whichever shards run again.
    if (all.end != ExploreEnd::cannot_judge) all.reason = joined(missing.texts, "; ");
  }
  const std::string file = finding_file(all, command.out_folder());
  if (command.output.json) print_json(report, all, file, missing.unended);
  else print_certificate(report, all, counted(ended.size(), "shard"), file);
  const int agreed = exit_code_of(all);
  const int exit_code = missing.damaged() && agreed != exit_diverged ? exit_bad_input : agreed;
  return write_reports(command.output.reports, report, all, file, exit_code, missing.texts);
}

/// Writes the findings of all shards to files of one folder. If one cannot be written, it is printed, and the report names
/// the file of its shard.
void write_findings(FuzzRun& all, const MergeCommand& command) {
  for (CampaignResult& result : all.results) {
    for (Found& found : result.findings) {
      auto file =
          write_numbered(command.out_folder() / found.finding.file_name, *result.system, finding_text(found.finding));
      if (file) found.file = std::move(*file);
      else print_unwritten("finding", file.error(), finding_text(found.finding));
    }
  }
}

/// The result if no shard has one.
FuzzRun nothing_fuzzed(const fs::path& folder, const ShardedRun& run) {
  return from_run_file(folder, "names no systems, or no seed", [&] {
    return FuzzRun{.systems = run.key.at("systems"), .options = {.seed = run.key.at("seed"), .jobs = 0}, .results = {}};
  });
}

int merge_fuzzed(const MergeCommand& command, const ShardedRun& run) {
  std::vector<FuzzShard> shards;
  Missing missing;
  for (unsigned index = 0; index < run.shards; ++index) {
    auto shard = read_of_shard(missing, index, [&] { return read_fuzz_shard(command.folder, index, system_named); });
    if (!shard || !shard->ended) missing.unended.push_back(index);
    if (shard) shards.push_back(std::move(*shard));
  }
  FuzzRun all = shards.empty() ? nothing_fuzzed(command.folder, run) : merged(shards);
  write_findings(all, command);
  int exit_code = exit_code_of(all.results, false);
  if (!missing.unended.empty() && exit_code == exit_agreed) exit_code = exit_internal_error;
  if (missing.damaged() && exit_code != exit_diverged) exit_code = exit_bad_input;
  print_results(all, command.output, exit_code);
  std::vector<std::string> faults = write_corpora(command.folder, command.out_folder(), all);
  if (!faults.empty() && exit_code == exit_agreed) exit_code = exit_bad_input;
  name_unended(missing, run.shards);
  std::ranges::copy(missing.texts, std::back_inserter(faults));
  return write_reports(command.output, all, exit_code, faults);
}

int merge_shards(const MergeCommand& command) {
  const ShardedRun run = read_run(command.folder);
  if (!command.out.empty()) refuse_used(command.out);  // else the folder is of merges alone
  const std::string& html = command.output.html;
  if (run.verb != "fuzz" && !html.empty())
    throw BadInput{"--html is for shards of fuzz; those of " + command.folder + " run " + run.verb};
  command.output.reports.begin("merge", html);
  return run.verb == "explore" ? merge_explored(command, run) : merge_fuzzed(command, run);
}

}  // namespace

void add_merge(CLI::App& program, int& exit_code) {
  const auto [verb, options] =
      add_verb<MergeCommand>(program, "merge", "Joins what the shards of explore or fuzz did", exit_code, merge_shards);
  verb->add_option("FOLDER", options->folder, "The folder of --exchange")->required();
  add_path(*verb, "--out", "FOLDER", options->out,
           "Folder for findings and the corpus, new or empty; default: FOLDER/merged, whose corpus is replaced");
  verb->add_flag("--verbose", options->output.verbose,
                 "Of fuzz: also print the implementations, the canaries and what each engine found");
  verb->add_flag("--json", options->output.json, "Print JSON, as the verb of the shards does");
  options->output.reports.add_to(*verb);
  add_path(*verb, "--html", "FILE", options->output.html,
           "Of fuzz: also write the page of the run to this file (docs/watching.md)");
  verb->footer(
      exit_codes("all implementations agree", "a divergence was found",
                 "internal error, or nothing is proven (a shard has not ended)") +
      "\nA damaged file of one shard is named (2, unless a divergence was found); the other shards are merged.\n"
      "example: lockstep merge shared/run");
}

}  // namespace lockstep
