// lockstep fuzz: runs a campaign for each system (campaign/campaign.hpp), one after another, and prints a report
// (fuzz_report.hpp). The systems share the time.
#include <fmt/ranges.h>

#include <functional>
#include <span>

#include "campaign/shards.hpp"
#include "lockstep/process/kept_files.hpp"
#include "lockstep/text/text.hpp"
#include "tools/fuzz_options.hpp"
#include "tools/fuzz_targets.hpp"
#include "tools/out_folder.hpp"

namespace lockstep {
namespace {

using Clock = std::chrono::steady_clock;

void print_finding(const CampaignResult& result, const Found& found) {
  const Finding& finding = found.finding;
  std::cerr << verdict_word(finding.hidden_state) << " in " << result.system->name() << " " << finding.explanation
            << "\n  found by " << finding.engine << ", " << (finding.minimal ? "minimal" : "budget spent")
            << "; replay it: " << replay_command(found.file, result.implementations, program_command()) << "\n";
}

/// Runs the campaigns that are not finished yet, and keeps the state file (`save`) and the page (--html) up to date.
void search_systems(FuzzRun& run, const FuzzOutput& output, const std::function<void()>& save) {
  ProgressLine progress{!output.json};
  Clock::time_point page_written;
  const auto update_page = [&](const std::string& doing) {
    constexpr std::chrono::seconds interval{3};
    if (Clock::now() - page_written < interval) return;
    page_written = Clock::now();
    try {
      write_page(output.html, run, exit_internal_error, doing);
    } catch (const BadInput&) {  // NOLINT(bugprone-empty-catch)
      // It may be writable at the end, which says so if it is not.
    }
  };
  for (std::size_t i = 0; i < run.systems.size() && !interrupted(); ++i) {
    std::optional<CampaignResult> before;
    if (i < run.results.size()) {
      if (run.results[i].finished) continue;
      before = std::move(run.results[i]);
      run.results.resize(i);
    }
    // Time that a system does not use goes to those after it.
    CampaignOptions options = run.options;
    options.fuzz_targets = fuzz_targets(run.systems[i]);
    const double left = run.options.seconds - run.used();
    options.seconds = std::max(0.5, left / static_cast<double>(run.systems.size() - i));
    const std::string place =
        run.systems.size() > 1 ? std::to_string(i + 1) + " of " + std::to_string(run.systems.size()) : "";
    const auto left_of = [&](const CampaignProgress& p) {
      return options.runs > 0 ? std::nullopt : std::optional{left - p.seconds};
    };
    std::string doing = run.systems[i];
    CampaignCallbacks callbacks{.interrupted = interrupted};
    callbacks.progress = [&](const CampaignProgress& p) {
      doing = progress_text(p, place, left_of(p));
      progress.update(doing);
      if (!p.canary.empty()) update_page(doing);
    };
    callbacks.found = [&](const CampaignResult& result, const Found& found) {
      progress.clear();
      print_finding(result, found);
    };
    callbacks.checkpoint = [&](const CampaignResult& result) {
      run.results.push_back(result);
      save();
      update_page(doing);
      run.results.pop_back();
    };
    run.results.push_back(run_campaign(options, system_named(run.systems[i]), callbacks, before ? &*before : nullptr));
    save();
  }
  progress.clear();
}

/// " in stacking; not started: ts_tetris, omok"
std::string interrupted_where(const FuzzRun& run) {
  std::string out;
  if (!run.results.empty()) out = " in " + std::string{run.results.back().system->name()};
  const auto not_started = std::span{run.systems}.subspan(run.results.size());
  return not_started.empty() ? out : fmt::format("{}; not started: {}", out, fmt::join(not_started, ", "));
}

/// BadInput for files that cannot be written, before the work.
void begin_reports(const FuzzOutput& output, const FuzzRun& run) {
  output.reports.begin("fuzz", output.html);
  write_page(output.html, run, exit_internal_error, "begins");
}

/// How many scenarios the search of a system has of the seed corpus. Reads it as the engines do, which leave out damaged
/// files, and names the first of these. Texts of other systems are no damage in a folder that is not the system's own:
/// several systems may share it.
std::size_t seeds_of(const std::filesystem::path& corpus, const AnySystem& system) {
  constexpr std::size_t named_max = 3;
  const std::string left_out = "left out of the seed corpus: ";
  const auto folder = corpus_folder(corpus, system.name());
  std::size_t scenarios = 0;
  std::size_t damaged = 0;
  const auto leave_out = [&](const std::string& what) {
    if (++damaged <= named_max) complain(left_out + what);
  };
  for (const auto& file : corpus_files_if_any(folder)) {
    const auto text = input_text(file.string());
    if (!text) {
      leave_out(text.error());
      continue;
    }
    const auto named = scenario_system(*text);
    if (folder == corpus && named && *named != system.name()) continue;
    const auto canonical = system.canonical(*text);
    if (canonical) ++scenarios;
    else leave_out(canonical.error().message(file.string()));
  }
  if (damaged > named_max)
    complain(fmt::format("{}{} of {}", left_out, counted(damaged - named_max, "further file"), system.name()));
  return scenarios;
}

/// Searches, reports, and only then writes `result_file` (unless that is empty or the search was interrupted): what was
/// found is printed even if nothing can be written. Leaves a state file if the search was interrupted or its result is
/// not written; a shard that is killed in between reports again from its state file.
int fuzz(FuzzRun& run, const FuzzOptions& options, const std::string& resume_command,
         const std::filesystem::path& result_file = {}) {
  const FuzzOutput& output = options.output;
  catch_interrupts();
  std::vector<std::string> no_corpus;
  for (const auto& name : run.systems) {
    if (!run.options.corpus.empty() && seeds_of(run.options.corpus, system_named(name)) == 0) no_corpus.push_back(name);
  }
  if (!output.json) {
    const std::string corpus = run.options.corpus.empty() ? "no corpus" : "corpus " + run.options.corpus.string();
    std::cerr << fmt::format("seed {}, {}, {}{}{}\n", run.options.seed, counted(run.options.jobs, "job"), corpus,
                             no_corpus.empty() ? "" : ", which has none for ", fmt::join(no_corpus, ", "));
    if (const std::string left_out = left_out_hint(); !left_out.empty()) std::cerr << left_out << "\n";
    const std::string hint = run.options.engines.empty() ? missing_targets_hint(run.systems) : "";
    if (!hint.empty()) std::cerr << hint << "\n";
  }
  const std::filesystem::path state_file = resume_file(run.options.out);
  bool warned = false;
  // Returns whether --resume can read it. If it cannot be written, the run continues after one warning.
  const auto save = [&] {
    const auto written = keep_file(state_file, resume_text(run));
    if (!written && !std::exchange(warned, true)) complain("this run cannot be resumed: " + written.error());
    return written.has_value();
  };
  search_systems(run, output, save);
  const bool stopped = interrupted();  // asked once: what comes while the result is printed does not change it
  run.interrupted = stopped;
  const int exit_code = exit_code_of(run.results, stopped);
  print_results(run, output, exit_code);
  if (stopped) {
    const bool resumable = save();
    complain("INTERRUPTED" + interrupted_where(run));
    if (resumable) complain("to resume: " + resume_command);
  }
  const int reported = write_reports(output, run, exit_code);
  if (stopped) return reported;
  if (!result_file.empty()) {
    if (const auto written = keep_file(result_file, resume_text(run)); !written) {
      complain("the result of this shard could not be written: " + written.error() +
               "; to merge it, run the same command again");
      return exit_code == exit_agreed ? exit_internal_error : exit_code;
    }
  }
  std::error_code none;
  std::filesystem::remove(state_file, none);  // there is nothing to resume
  return reported;
}

/// The state file does not keep what is reported, and where: the command that resumes asks for it again.
int fuzz_whole(FuzzOptions& options, FuzzRun run) {
  const FuzzOutput& output = options.output;
  std::string command = program_command() + " fuzz --resume --out " + shell_word(run.options.out.string());
  if (output.verbose) command += " --verbose";
  if (output.json) command += " --json";
  if (!output.html.empty()) command += " --html " + shell_word(output.html);
  return fuzz(run, options, command + output.reports.given());
}

/// Searches one part of the streams, from where this shard was when it was killed. A shard that has ended only reports
/// again.
int fuzz_shard(FuzzOptions& options, FuzzRun run) {
  const std::filesystem::path folder = options.shards.exchange;
  const Shard shard = options.shards.shard();
  join_run(folder, {"fuzz", shard.count, shared_options(run)});
  const std::filesystem::path own = shard_folder(folder, shard.index);
  const LockedFolder lock{own, own.string(), "shard " + shard.text() + " is running already"};
  remove_unfinished(own);
  if (auto before = read_fuzz_shard(folder, shard.index, system_named)) {
    run = std::move(before->run);
    if (before->ended) {
      const int exit_code = exit_code_of(run.results, false);
      print_results(run, options.output, exit_code);
      return write_reports(options.output, run, exit_code);
    }
  }
  refuse_unwritable(own, "--exchange");
  run.options.out = own;
  run.options.shard = shard;
  run.options.exchange = folder / "scenarios";
  return fuzz(run, options, "the same command", result_file(own));
}

int fuzz_verb(FuzzOptions& options, const CLI::App& verb) {
  if (options.resume) refuse_options_beside_resume(verb);
  if (options.shards.sharded()) {
    if (options.resume || verb.count("--out") > 0)
      throw BadInput{"a shard keeps its findings in the folder of --exchange: leave --resume and --out out"};
    if (verb.count("--seed") == 0) throw BadInput{"--shard needs --seed, the same one for all shards"};
    FuzzRun run = options.new_run(verb);
    begin_reports(options.output, run);
    return fuzz_shard(options, std::move(run));
  }
  const std::filesystem::path& out = options.campaign.out;
  const LockedFolder lock{out, "--out " + out.string(), "another fuzz run uses this folder; choose another folder"};
  refuse_unwritable(out);
  remove_unfinished(out, resume_file(out).filename().string());
  FuzzRun run = options.resume ? read_resume(out, system_named) : options.new_run(verb);
  begin_reports(options.output, run);
  return fuzz_whole(options, std::move(run));
}

}  // namespace

void add_fuzz(CLI::App& program, int& exit_code) {
  const auto options = std::make_shared<FuzzOptions>();
  CLI::App* const verb = program.add_subcommand("fuzz", "Searches for scenarios on which implementations differ");
  options->add_to(*verb);
  verb->footer(exit_codes("all implementations agree", "a divergence was found",
                          "internal error, or a campaign proves nothing (it missed its canary or judged nothing)") +
               ", 130 interrupted\n"
               "To repeat a run exactly:\n"
               "  lockstep fuzz SYSTEM --seed S --runs N --jobs 1 --engine uniform,swarm,suggested,mutated\n"
               "example: lockstep fuzz SYSTEM --seconds 20 --seed 7");
  verb->callback([options, verb, &exit_code] { exit_code = fuzz_verb(*options, *verb); });
}

}  // namespace lockstep
