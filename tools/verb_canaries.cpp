// lockstep canaries: measures how often and how fast the engines find the canaries.
//
// A benchmark in the manner of Magma (Hazimeh, Herrera, Payer: "Magma: A ground-truth fuzzing benchmark", SIGMETRICS 2020)
// and FuzzBench. Each engine searches for each canary in several trials. A trial has its own seed, one processor and a
// time limit (cap). The measured time ends when the judge sees the first difference; shrinking does not count. A trial
// without a detection counts as infinitely long, so that medians need no estimate.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <ranges>

#include "campaign/hunt.hpp"
#include "campaign/trials.hpp"
#include "lockstep/services/timing.hpp"
#include "lockstep/words.hpp"
#include "tools/fuzz_targets.hpp"
#include "tools/interrupt.hpp"
#include "tools/numbers.hpp"
#include "tools/progress.hpp"
#include "tools/verbs.hpp"

namespace lockstep {
namespace {

constexpr int canaries_schema = 1;
constexpr std::string_view portfolio = "portfolio";
constexpr double never = std::numeric_limits<double>::infinity();
/// A shorter time measures how fast processes start, not how well an engine searches.
constexpr double noise_seconds = 0.05;

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

/// A row of the results: the trials of one engine with one canary.
struct Row {
  const AnySystem* system;
  std::string canary;
  std::string about;
  std::string engine;
  unsigned trials;
  double cap;
  bool against;                             // of --against
  std::vector<double> seconds = {};         // per trial, until the detection; `never` without one
  std::vector<double> processor = {};       // likewise, processor time of all processes of the trial
  std::vector<double> scenarios = {};       // likewise, scenarios judged
  std::vector<std::uint64_t> actions = {};  // of the shrunk scenarios
  std::vector<std::uint64_t> cells = {};
  unsigned minimal = 0;
  std::map<std::string, unsigned> found_by = {};

  unsigned detected() const { return static_cast<unsigned>(actions.size()); }
};

/// Without a trial: never.
Quartiles spread_of(const std::vector<double>& values) {
  return values.empty() ? Quartiles{never, never, never} : quartiles(values);
}
double median(const std::vector<double>& values) { return spread_of(values).median; }

// Trials ---------------------------------------------------------------------------------------

/// A trial of a row. Trial number n has the seed of the options plus n.
struct RowTrial {
  std::size_t row;
  unsigned number;
};

/// Interleaved: the first trial of every row, then the second of every row. A disturbance of the machine then affects all
/// rows alike.
std::vector<RowTrial> trials_of(const std::vector<Row>& rows) {
  std::vector<RowTrial> out;
  const unsigned most = std::ranges::max(rows, {}, &Row::trials).trials;
  for (unsigned number = 0; number < most; ++number) {
    for (std::size_t row = 0; row < rows.size(); ++row) {
      if (number < rows[row].trials) out.push_back({row, number});
    }
  }
  return out;
}

CampaignOptions campaign_of(const CanariesOptions& options, const Row& row, unsigned number) {
  CampaignOptions out{.seconds = row.cap,
                      .seed = options.seed + number,
                      .with = {row.canary},
                      .fuzz_targets = fuzz_targets(row.system->name()),
                      .corpus = options.corpus_folder,
                      .hunt_canary = false};
  if (row.engine != portfolio) out.engines = {row.engine};
  return out;
}

void add_result(Row& row, const TrialResult& result) {
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

/// Runs all trials. False after an internal error.
bool measure(const CanariesOptions& options, std::vector<Row>& rows) {
  const auto places = trials_of(rows);
  std::vector<Trial> trials;
  for (const auto& [row, number] : places) {
    trials.push_back({rows[row].system, campaign_of(options, rows[row], number)});
  }
  ProgressLine progress;
  std::size_t done = 0;
  const auto errors = run_trials(
      trials, options.jobs,
      [&](const TrialResult& result) {
        add_result(rows[places[result.trial].row], result);
        ++done;
      },
      [&] {
        progress.update(fmt::format("{} of {}", done, counted(trials.size(), "trial")));
        return interrupted();
      });
  progress.clear();
  for (const auto& error : errors) complain("internal error: " + error);
  return errors.empty();
}

// Results --------------------------------------------------------------------------------------

std::string seconds_text(double seconds, double cap) {
  return std::isinf(seconds) ? fmt::format("> {:g}", cap) : fmt::format("{:.3f}", seconds);
}

std::string count_text(double count) { return std::isinf(count) ? "–" : short_number(count); }

/// "1", or "1–3" when the trials differ.
std::string range_text(const std::vector<std::uint64_t>& values) {
  if (values.empty()) return "–";
  const auto [least, most] = std::ranges::minmax(values);
  return least == most ? std::to_string(least) : fmt::format("{}–{}", least, most);
}

using Cells = std::vector<std::vector<std::string>>;

Cells cells_of(const std::vector<Row>& rows) {
  Cells out = {{"system", "canary", "engine", "detected", "median s", "quartiles s", "processor s", "scenarios",
                "actions", "cells", "minimal"}};
  for (const Row& row : rows) {
    if (row.seconds.empty()) continue;
    out.push_back(
        {std::string{row.system->name()}, row.canary, row.engine,
         fmt::format("{}/{}", row.detected(), row.seconds.size()), seconds_text(median(row.seconds), row.cap),
         seconds_text(spread_of(row.seconds).low, row.cap) + " … " + seconds_text(spread_of(row.seconds).high, row.cap),
         seconds_text(median(row.processor), row.cap), count_text(median(row.scenarios)), range_text(row.actions),
         range_text(row.cells), fmt::format("{}/{}", row.minimal, row.detected())});
  }
  return out;
}

/// The columns with these headings, as a table of at most 80 characters for each system. Where there are several engines,
/// they are listed below each canary.
std::string system_tables(const Cells& cells, const std::vector<std::string>& headings) {
  constexpr std::size_t system = 0;
  constexpr std::size_t canary = 1;
  constexpr std::size_t engine = 2;
  const bool several = std::ranges::any_of(cells | std::views::drop(2),
                                           [&](const auto& row) { return row[engine] != cells[1][engine]; });
  const auto line = [&](std::string name, const std::vector<std::string>& row) {
    std::vector<std::string> out = {std::move(name)};
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (std::ranges::find(headings, cells[0][i]) != headings.end()) out.push_back(row[i]);
    }
    return out;
  };
  std::string out;
  for (std::size_t at = 1; at < cells.size();) {
    const std::string& name = cells[at][system];
    Cells rows = {line(name, cells[0])};
    for (; at < cells.size() && cells[at][system] == name; ++at) {
      const auto& row = cells[at];
      if (several && (rows.size() == 1 || row[canary] != cells[at - 1][canary])) rows.push_back({row[canary]});
      rows.push_back(line(several ? "  " + row[engine] : row[canary], row));
    }
    out += table_text(rows, 1, 0) + "\n";
  }
  return out;
}

/// One line per canary. Each engine of --against is a column with its median processor time.
std::string markdown(const CanariesOptions& options, const std::vector<Row>& rows) {
  const auto cells = cells_of(rows);
  const auto line = [](const std::vector<std::string>& words) {
    return fmt::format("| {} |\n", fmt::join(words, " | "));
  };
  std::vector<std::string> heading = cells.front();
  heading.insert(heading.end(), options.against.begin(), options.against.end());
  std::string out = line(heading) + "|---|---|---|";
  for (std::size_t i = 3; i < heading.size(); ++i) out += "--:|";
  out += "\n";
  std::size_t at = 1;  // after Ctrl-C a row may have no trial, and then no cells
  std::vector<std::string> words;
  for (const Row& row : rows) {
    if (row.seconds.empty()) continue;
    const auto& own = cells[at++];
    if (row.against) {
      words.push_back(row.detected() == row.seconds.size()
                          ? seconds_text(median(row.processor), row.cap)
                          : fmt::format("{} ({}/{})", seconds_text(median(row.processor), row.cap), row.detected(),
                                        row.seconds.size()));
      continue;
    }
    if (!words.empty()) out += line(words);
    words = own;
  }
  return words.empty() ? out : out + line(words);
}

/// The results of one engine over all canaries; "" if it has none.
std::string summary_of(const std::string& engine, const std::vector<Row>& rows) {
  std::size_t canaries = 0;
  std::size_t always = 0;  // detected in every trial
  const Row* slowest = nullptr;
  for (const Row& row : rows) {
    if (row.engine != engine || row.seconds.empty()) continue;
    ++canaries;
    always += row.detected() == row.seconds.size() ? 1 : 0;
    if (slowest == nullptr || median(row.seconds) > median(slowest->seconds)) slowest = &row;
  }
  if (slowest == nullptr) return "";
  return fmt::format("{}: {} of {} {} in every trial; the largest median is {} s ({} {})\n", engine, always, canaries,
                     canaries == 1 ? "canary" : "canaries", seconds_text(median(slowest->seconds), slowest->cap),
                     slowest->system->name(), slowest->canary);
}

/// The median of the portfolio divided by the best median of a single engine, for one canary. In processor time, which
/// other load on the machine does not change.
struct Ratio {
  const Row* portfolio_row = nullptr;
  const Row* best = nullptr;
  double ratio = 0;
};

/// One for each canary whose median for the portfolio is above the noise; the largest ratio first.
std::vector<Ratio> ratios_of(const std::vector<Row>& rows) {
  std::vector<Ratio> out;
  for (const Row& portfolio_row : rows) {
    if (portfolio_row.engine != portfolio || portfolio_row.seconds.empty() ||
        median(portfolio_row.processor) < noise_seconds)
      continue;
    const Row* best = nullptr;
    for (const Row& row : rows) {
      if (!row.against || row.system != portfolio_row.system || row.canary != portfolio_row.canary ||
          row.seconds.empty())
        continue;
      if (best == nullptr || median(row.processor) < median(best->processor)) best = &row;
    }
    if (best == nullptr || std::isinf(median(best->processor))) continue;
    const double floor = std::max(median(best->processor), noise_seconds);
    out.push_back({&portfolio_row, best, median(portfolio_row.processor) / floor});
  }
  std::ranges::sort(out, std::greater{}, &Ratio::ratio);
  return out;
}

std::string summary_text(const CanariesOptions& options, const std::vector<Row>& rows) {
  std::string out;
  for (const auto& engines : {options.engines, options.against}) {
    for (const auto& engine : engines) out += summary_of(engine, rows);
  }
  const auto ratios = ratios_of(rows);
  if (!ratios.empty()) {
    const Ratio& worst = ratios.front();
    out += fmt::format(
        "the portfolio against the best single engine: at most {:.2f} times its median processor time ({} "
        "{}: {:.3f} s, {} {:.3f} s); below {:g} s is noise and counts as {:g} s\n",
        worst.ratio, worst.portfolio_row->system->name(), worst.portfolio_row->canary,
        median(worst.portfolio_row->processor), worst.best->engine, median(worst.best->processor), noise_seconds,
        noise_seconds);
  } else if (!options.against.empty()) {
    out += fmt::format("the portfolio's median processor time is below {:g} s, which is noise, on every canary\n",
                       noise_seconds);
  }
  return out;
}

/// A number that is `never` becomes null.
nlohmann::ordered_json json_of(const CanariesOptions& options, const std::vector<Row>& rows, int exit_code) {
  nlohmann::ordered_json list = nlohmann::json::array();
  for (const Row& row : rows) {
    list.push_back({{"game", row.system->name()},
                    {"canary", row.canary},
                    {"about", row.about},
                    {"engine", row.engine},
                    {"cap_seconds", row.cap},
                    {"trials", row.seconds.size()},
                    {"detected", row.detected()},
                    {"seconds", row.seconds},
                    {"median_seconds", median(row.seconds)},
                    {"median_processor_seconds", median(row.processor)},
                    {"lower_quartile_seconds", spread_of(row.seconds).low},
                    {"upper_quartile_seconds", spread_of(row.seconds).high},
                    {"median_scenarios", median(row.scenarios)},
                    {"actions", row.actions},
                    {"cells", row.cells},
                    {"minimal", row.minimal},
                    {"found_by", row.found_by}});
  }
  nlohmann::ordered_json ratios = nlohmann::json::array();
  for (const Ratio& r : ratios_of(rows)) {
    ratios.push_back({{"game", r.portfolio_row->system->name()},
                      {"canary", r.portfolio_row->canary},
                      {"best_single", r.best->engine},
                      {"ratio", r.ratio}});
  }
  return {{"schema", canaries_schema}, {"seed", options.seed}, {"jobs", options.jobs}, {"rows", list},
          {"ratios", ratios},          {"exit", exit_code}};
}

// The verb -------------------------------------------------------------------------------------

/// BadInput for a name that is not a canary of these systems.
void check_canaries(const std::vector<std::string>& names, const std::vector<const AnySystem*>& systems) {
  std::vector<std::string> known;
  for (const AnySystem* system : systems) std::ranges::copy(canary_names(*system), std::back_inserter(known));
  const std::string of = systems.size() == 1 ? " of " + std::string{systems[0]->name()} : "";
  for (const auto& name : names) place_of("canary", name, known, of);
}

std::vector<Row> rows_of(const CanariesOptions& options) {
  const auto systems = systems_named(options.systems);
  check_canaries(options.only, systems);
  std::vector<Row> rows;
  for (const AnySystem* system : systems) {
    for (const auto& implementation : system->implementations()) {
      const bool wanted =
          options.only.empty() || std::ranges::find(options.only, implementation.name) != options.only.end();
      if (implementation.kind != Kind::canary || !wanted) continue;
      const std::string name{implementation.name};
      const std::string about{implementation.about};
      for (const auto& engine : options.engines) {
        rows.push_back({system, name, about, engine, options.trials, options.seconds, false});
      }
      for (const auto& engine : options.against) {
        rows.push_back({system, name, about, engine, options.against_trials, options.against_seconds, true});
      }
    }
  }
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
  std::vector<Row> rows = rows_of(options);
  for (const Row& row : rows) {
    if (row.engine != portfolio) check_built(row.system->name(), {row.engine}, fuzz_targets(row.system->name()));
  }
  std::vector<std::string> systems;
  for (const Row& row : rows) {
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
      std::ranges::any_of(rows, [](const Row& row) { return !row.against && row.detected() < row.seconds.size(); });
  const int exit_code = interrupted() ? exit_interrupted
                        : !good       ? exit_internal_error
                        : missed      ? exit_diverged
                                      : exit_agreed;
  if (options.json) print_json(json_of(options, rows, exit_code));
  else if (options.markdown) fmt::print("{}\n{}", summary_text(options, rows), markdown(options, rows));
  else {
    const Cells cells = cells_of(rows);
    fmt::print("{}", system_tables(cells, {"detected", "median s", "processor s", "scenarios"}));
    if (options.verbose) fmt::print("{}", system_tables(cells, {"quartiles s", "actions", "cells", "minimal"}));
    fmt::print("{}", wrapped(summary_text(options, rows), text_columns));
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
  add_seed_corpus(*verb, options->corpus, "Seed corpus");
  verb->add_flag("--verbose", options->verbose,
                 "Also print the quartiles, and the actions and cells of the shrunk scenarios");
  verb->add_flag("--json", options->json, "Print JSON");
  verb->add_flag("--markdown", options->markdown, "Print the tables of docs/finding-power.md");
  verb->footer(exit_codes("every trial of --engine found its canary", "a trial missed its canary") +
               ", 130 interrupted\n"
               "example: lockstep canaries SYSTEM --trials 3 --seconds 5 --against uniform,suggested");
}

}  // namespace lockstep
