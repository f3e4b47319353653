// lockstep canaries: measures how often and how fast the engines find the canaries.
//
// A benchmark in the manner of Magma (Hazimeh, Herrera, Payer: "Magma: A ground-truth fuzzing benchmark", SIGMETRICS 2020)
// and FuzzBench. Each engine searches for each canary in several trials. A trial has its own seed, one processor and a
// time limit (cap). The measured time ends when the judge sees the first difference; shrinking does not count. A trial
// without a detection counts as infinitely long, so that medians need no estimate.
#include "campaign/trials.hpp"
#include "tools/canaries_report.hpp"
#include "tools/fuzz_targets.hpp"
#include "tools/verbs.hpp"

namespace lockstep {
namespace {

struct CanariesOptions {
  std::vector<std::string> systems;
  std::vector<std::string> only;
  std::vector<std::string> engines = {std::string{portfolio}};
  std::vector<std::string> against;
  unsigned trials = 10;
  unsigned against_trials = 3;
  double seconds = 60;
  double against_seconds = 10;
  std::uint64_t seed = 1;
  unsigned jobs = 0;
  CorpusOption corpus;
  std::filesystem::path corpus_folder = {};  // of that option
  bool json = false;
  bool verbose = false;
  bool markdown = false;
};

CampaignOptions campaign_of(const CanariesOptions& options, const CanaryRow& row, unsigned number) {
  CampaignOptions out{.seconds = row.cap,
                      .seed = options.seed + number,
                      .with = {row.canary},
                      .fuzz_targets = fuzz_targets(row.system->name()),
                      .corpus = options.corpus_folder,
                      .hunt_canary = false};
  if (row.engine != portfolio) out.engines = {row.engine};
  return out;
}

void add_result(CanaryRow& row, const TrialResult& result) {
  for (const auto& fault : result.faults) {
    complain(fmt::format("{} {}: {}", row.system->name(), row.canary, fault));
  }
  const auto& found = result.found;
  row.seconds.push_back(found ? found->detection.seconds : never);
  row.processor.push_back(found ? found->detection.processor_seconds : never);
  row.scenarios.push_back(found ? static_cast<double>(found->detection.scenarios) : never);
  if (!found) return;
  row.actions.push_back(found->size.actions);
  row.cells.push_back(found->size.occupied);
  row.minimal += found->minimal ? 1u : 0u;
  ++row.found_by[found->engine];
}

/// Runs all trials; number n of a row has the seed of the options plus n. Interleaved: the first trial of every row, then
/// the second of every row. A disturbance of the machine then affects all rows alike. A row without a trial, after Ctrl-C
/// or an internal error, is left out. False after an internal error.
bool measure(const CanariesOptions& options, std::vector<CanaryRow>& rows) {
  std::vector<Trial> trials;
  std::vector<CanaryRow*> row_of;  // by trial
  const unsigned most = std::ranges::max(rows, {}, &CanaryRow::trials).trials;
  for (unsigned number = 0; number < most; ++number) {
    for (CanaryRow& row : rows) {
      if (number >= row.trials) continue;
      trials.push_back({row.system, campaign_of(options, row, number)});
      row_of.push_back(&row);
    }
  }
  ProgressLine progress;
  std::size_t done = 0;
  const auto errors = run_trials(
      trials, options.jobs,
      [&](const TrialResult& result) {
        add_result(*row_of[result.trial], result);
        ++done;
      },
      [&] {
        progress.update(fmt::format("{} of {}", done, counted(trials.size(), "trial")));
        return interrupted();
      });
  progress.clear();
  std::erase_if(rows, [](const CanaryRow& row) { return row.seconds.empty(); });
  for (const auto& error : errors) complain("internal error: " + error);
  return errors.empty();
}

std::vector<CanaryRow> rows_of(const CanariesOptions& options) {
  const auto systems = systems_named(options.systems);
  std::vector<std::string> known;
  std::vector<CanaryRow> rows;
  for (const AnySystem* system : systems) {
    for (const auto& implementation : system->implementations()) {
      if (implementation.kind != Kind::canary) continue;
      const std::string name = known.emplace_back(implementation.name);
      if (!options.only.empty() && std::ranges::find(options.only, name) == options.only.end()) continue;
      const std::string about{implementation.about};
      for (const auto& engine : options.engines) {
        rows.push_back({system, name, about, engine, options.trials, options.seconds, false});
      }
      for (const auto& engine : options.against) {
        rows.push_back({system, name, about, engine, options.against_trials, options.against_seconds, true});
      }
    }
  }
  const std::string of = systems.size() == 1 ? " of " + std::string{systems[0]->name()} : "";
  for (const auto& name : options.only) place_of("canary", name, known, of);
  if (rows.empty()) throw BadInput{"these systems have no canary"};
  return rows;
}

int canaries(CanariesOptions& options) {
  for (auto* const names : {&options.systems, &options.only, &options.engines, &options.against})
    *names = split_names(*names);
  std::vector<std::string> known = engine_names();
  known.emplace_back(portfolio);
  for (const auto& engines : {options.engines, options.against}) {
    for (const auto& engine : engines) place_of("engine", engine, known);
  }
  for (const auto& engine : options.against) {
    if (std::ranges::find(options.engines, engine) == options.engines.end()) continue;
    throw BadInput{"--engine and --against both name " + engine};
  }
  options.jobs = jobs_of(options.jobs);
  std::vector<CanaryRow> rows = rows_of(options);
  for (const CanaryRow& row : rows) {
    if (row.engine != portfolio) check_built(row.system->name(), {row.engine}, fuzz_targets(row.system->name()));
  }
  std::vector<std::string> systems;
  for (const CanaryRow& row : rows) {
    if (systems.empty() || systems.back() != row.system->name()) systems.emplace_back(row.system->name());
  }
  options.corpus_folder = corpus_of(options.corpus, systems);
  if (!options.json) {
    for (const auto& system : systems)
      std::cerr << system << ": " << about_corpus(options.corpus_folder, system) << "\n";
  }
  catch_interrupts();
  const bool good = measure(options, rows);

  const bool missed =
      std::ranges::any_of(rows, [](const CanaryRow& row) { return !row.against && !row.always_detected(); });
  const int exit_code = interrupted() ? exit_interrupted
                        : !good       ? exit_internal_error
                        : missed      ? exit_diverged
                                      : exit_agreed;
  const std::string summary = summary_of(rows, options.engines, options.against);
  if (options.json) {
    nlohmann::ordered_json out{{"schema", 2}, {"seed", options.seed}, {"jobs", options.jobs}};
    out.update(json_of(rows));
    out["exit"] = exit_code;
    print_json(out);
  } else if (options.markdown) {
    fmt::print("{}\n{}", summary, markdown_of(rows, options.against));
  } else {
    fmt::print("{}", tables_of(rows, {"detected", "median s", "processor s", "scenarios"}));
    if (options.verbose) fmt::print("{}", tables_of(rows, {"quartiles s", "actions", "cells", "minimal"}));
    fmt::print("{}", wrapped(summary, text_columns));
  }
  return exit_code;
}

}  // namespace

void add_canaries(CLI::App& program, int& exit_code) {
  const auto [verb, options] = add_verb<CanariesOptions>(
      program, "canaries", "Measures how fast the engines find the canaries", exit_code, canaries);
  verb->add_option("SYSTEM", options->systems, "The systems; default: all");
  verb->add_option("--canary", options->only, "Only these canaries (NAME,NAME)")->type_name("NAMES");
  verb->add_option("--engine", options->engines,
                   "Engines: portfolio (all together, as fuzz runs them), or a name of fuzz --engine")
      ->type_name("ENGINES")
      ->capture_default_str();
  add_number(*verb, "--trials", options->trials, whole_number(1, 1'000'000), "Trials per canary and engine");
  add_number(*verb, "--seconds", options->seconds, seconds_between(0.1, 1e7), "Time limit of a trial");
  verb->add_option("--against", options->against, "Engines to compare with")->type_name("ENGINES");
  add_number(*verb, "--against-trials", options->against_trials, whole_number(1, 1'000'000),
             "Trials per canary and engine of --against");
  add_number(*verb, "--against-seconds", options->against_seconds, seconds_between(0.1, 1e7),
             "Time limit of a trial of --against");
  add_number(*verb, "--seed", options->seed, whole_number(), "Seed of the first trial; each later trial adds 1");
  add_jobs(*verb, options->jobs, "Trials at the same time, one processor each; default: one for each core");
  add_corpus_option(*verb, options->corpus, "Seed corpus");
  verb->add_flag("--verbose", options->verbose,
                 "Also print the quartiles, and the actions and cells of the shrunk scenarios");
  verb->add_flag("--json", options->json, "Print JSON");
  verb->add_flag("--markdown", options->markdown, "Print the tables of docs/finding-power.md");
  verb->footer(exit_codes("every trial of --engine found its canary", "a trial missed its canary") +
               ", 130 interrupted\n"
               "example: lockstep canaries SYSTEM --trials 3 --seconds 5 --against uniform,suggested");
}

}  // namespace lockstep
