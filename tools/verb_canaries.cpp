// lockstep canaries: how surely and how soon the engines find what is known to be wrong.
//
// A benchmark in the manner of Magma (Hazimeh, Herrera, Payer: "Magma: A ground-truth fuzzing benchmark",
// SIGMETRICS 2020) and FuzzBench: every canary is looked for by every engine in several trials, each with
// a seed, one processor and a cap of its own. The time is that until the judge sees the first difference,
// without shrinking. A trial that finds nothing counts as longer than any time, so medians need no guess.
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>
#include <thread>

#include "campaign/campaign.hpp"
#include "lockstep/child.hpp"
#include "lockstep/scratch.hpp"
#include "lockstep/services/judging.hpp"
#include "lockstep/stats.hpp"
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
/// Below this, a time is how soon processes start, not how well an engine searches.
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
  std::string corpus = "corpus";
  bool json = false;
  bool markdown = false;
};

/// One engine's search for one canary, as a row of the results, and its trials.
struct Row {
  const AnySystem* system;
  std::string canary;
  std::string about;
  std::string engine;
  unsigned trials;
  double cap;
  std::vector<double> seconds = {};         // until it was detected; `never` where it was not
  std::vector<double> processor = {};       // likewise, of all processes of the trial
  std::vector<double> scenarios = {};       // likewise
  std::vector<std::uint64_t> actions = {};  // of the shrunk scenarios
  std::vector<std::uint64_t> cells = {};
  unsigned minimal = 0;
  std::map<std::string, unsigned> found_by = {};

  unsigned detected() const { return static_cast<unsigned>(actions.size()); }
};

struct Trial {
  std::size_t row;
  unsigned number;
};

/// The value with `part` of all values below it (the nearest one that is there).
double quantile(std::vector<double> values, double part) {
  if (values.empty()) return never;
  std::ranges::sort(values);
  const auto at = static_cast<std::size_t>(part * static_cast<double>(values.size() - 1) + 0.5);
  return values[at];
}
double median(const std::vector<double>& values) {
  return std::max(quantile(values, 0.5), values.size() % 2 == 0 ? quantile(values, 0.499) : 0.0);
}

// Trials ---------------------------------------------------------------------------------------

/// Runs in a child process; the answer is one line.
std::string run_trial(const CanariesOptions& options, const Row& row, const Trial& trial) {
  const ScratchFolder scratch;
  CampaignOptions campaign{.seconds = row.cap,
                           .seed = options.seed + trial.number,
                           .with = {row.canary},
                           .fuzz_targets = fuzz_targets(row.system->name()),
                           .out = scratch.path(),
                           .corpus = options.corpus,
                           .hunt_canary = false};
  if (row.engine != portfolio) campaign.engines = {row.engine};
  const CampaignCallbacks alone{.progress = [](const CampaignProgress&) {},
                                .found = [](const CampaignResult&, const Found&) {},
                                .checkpoint = [](const CampaignResult&) {},
                                .interrupted = [] { return interrupted(); }};
  const CampaignResult result = run_campaign(campaign, *row.system, alone);
  nlohmann::json line = {{"row", trial.row}, {"faults", result.faults}};
  if (!result.findings.empty() && result.detected) {
    const FindingText& finding = result.findings.front().finding;
    const Size size = value_of(row.system->judging().size(finding.text), finding.file_name);
    line["seconds"] = result.detected->seconds;
    line["processor"] = result.detected->processor_seconds;
    line["scenarios"] = result.detected->scenarios;
    line["engine"] = finding.engine;
    line["minimal"] = finding.minimal;
    line["actions"] = size.actions;
    line["cells"] = size.occupied;
  }
  return line.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace) + "\n";
}

/// A child takes trials until none is left, and writes a line for each.
void take_trials(const CanariesOptions& options, const std::vector<Row>& rows, const std::vector<Trial>& trials,
                 CampaignStats& tickets, int out) {
  try {
    while (!interrupted()) {
      const std::uint64_t next = tickets.scenarios.fetch_add(1);
      if (next >= trials.size()) break;
      const std::string line = run_trial(options, rows[trials[next].row], trials[next]);
      if (!write_all(out, line)) throw std::runtime_error{"the result of a trial could not be written"};
    }
  } catch (const std::exception& fault) {
    std::cerr << "lockstep: internal error: " << fault.what() << "\n";
    _exit(exit_internal_error);
  }
}

void add_line(std::vector<Row>& rows, const nlohmann::json& line) {
  Row& row = rows.at(line.at("row"));
  for (const auto& fault : line.at("faults")) {
    std::cerr << "lockstep: " << row.system->name() << " " << row.canary << ": " << std::string{fault} << "\n";
  }
  const bool found = line.contains("seconds");
  row.seconds.push_back(found ? line.at("seconds").get<double>() : never);
  row.processor.push_back(found ? line.at("processor").get<double>() : never);
  row.scenarios.push_back(found ? line.at("scenarios").get<double>() : never);
  if (!found) return;
  row.actions.push_back(line.at("actions"));
  row.cells.push_back(line.at("cells"));
  row.minimal += line.at("minimal") ? 1u : 0u;
  ++row.found_by[line.at("engine").get<std::string>()];
}

/// One of the processes that take trials, and what it has written.
struct TrialsTaker {
  ChildProcess child;
  std::string inbox = {};
  bool open = true;
};

/// All trials, some side by side. False if a child failed.
bool run_trials(const CanariesOptions& options, std::vector<Row>& rows, const std::vector<Trial>& trials) {
  const SharedStats tickets = share_stats();
  std::vector<TrialsTaker> takers;
  for (unsigned i = 0; i < options.jobs; ++i) {
    auto child = ChildProcess::call([&](int out) { take_trials(options, rows, trials, *tickets, out); });
    if (!child) throw InternalError{child.error()};
    takers.push_back({std::move(*child)});
  }
  ProgressLine progress;
  std::size_t done = 0;
  bool told = false;
  while (std::ranges::any_of(takers, &TrialsTaker::open)) {
    for (auto& [child, inbox, open] : takers) {
      if (!open) continue;
      open = child.read(inbox, std::chrono::milliseconds{20});
      for (std::size_t end; (end = inbox.find('\n')) != std::string::npos; inbox.erase(0, end + 1)) {
        add_line(rows, nlohmann::json::parse(inbox.substr(0, end)));
        ++done;
      }
    }
    if (interrupted() && !std::exchange(told, true)) {
      for (const auto& taker : takers) taker.child.send(SIGINT);
    }
    progress.update(fmt::format("{} of {}", done, counted(trials.size(), "trial")));
  }
  progress.clear();
  bool good = true;
  for (auto& taker : takers) good &= taker.child.wait().clean();
  return good;
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

std::vector<std::vector<std::string>> cells_of(const std::vector<Row>& rows) {
  std::vector<std::vector<std::string>> out = {{"game", "canary", "engine", "detected", "median s", "quartiles s",
                                                "processor s", "scenarios", "actions", "cells", "minimal"}};
  for (const Row& row : rows) {
    if (row.seconds.empty()) continue;
    out.push_back({std::string{row.system->name()}, row.canary, row.engine,
                   fmt::format("{}/{}", row.detected(), row.seconds.size()), seconds_text(median(row.seconds), row.cap),
                   seconds_text(quantile(row.seconds, 0.25), row.cap) + " … " +
                       seconds_text(quantile(row.seconds, 0.75), row.cap),
                   seconds_text(median(row.processor), row.cap), count_text(median(row.scenarios)),
                   range_text(row.actions), range_text(row.cells), fmt::format("{}/{}", row.minimal, row.detected())});
  }
  return out;
}

bool is_against(const CanariesOptions& options, const Row& row) {
  return std::ranges::find(options.against, row.engine) != options.against.end();
}

/// One line per canary; the engines compared with are columns of processor time.
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
  std::size_t at = 1;  // rows without a trial, after Ctrl-C, have no cells
  std::vector<std::string> words;
  for (const Row& row : rows) {
    if (row.seconds.empty()) continue;
    const auto& own = cells[at++];
    if (is_against(options, row)) {
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

/// How an engine did as a whole.
struct Summary {
  std::string engine;
  std::size_t canaries = 0;
  std::size_t always = 0;  // detected in every trial
  const Row* slowest = nullptr;
};

std::vector<Summary> summaries_of(const CanariesOptions& options, const std::vector<Row>& rows) {
  std::vector<Summary> out;
  std::vector<std::string> engines = options.engines;
  engines.insert(engines.end(), options.against.begin(), options.against.end());
  for (const auto& engine : engines) {
    Summary& summary = out.emplace_back(Summary{.engine = engine});
    for (const Row& row : rows) {
      if (row.engine != engine || row.seconds.empty()) continue;
      ++summary.canaries;
      summary.always += row.detected() == row.seconds.size() ? 1 : 0;
      if (summary.slowest == nullptr || median(row.seconds) > median(summary.slowest->seconds)) summary.slowest = &row;
    }
  }
  return out;
}

/// The portfolio's median against the best median of a single engine, on the same canary. In processor
/// time, which a busy machine does not stretch.
struct Ratio {
  const Row* ours = nullptr;
  const Row* best = nullptr;
  double ratio = 0;
};

/// One for each canary that takes the portfolio longer than the noise; the worst first.
std::vector<Ratio> ratios_of(const CanariesOptions& options, const std::vector<Row>& rows) {
  std::vector<Ratio> out;
  for (const Row& ours : rows) {
    if (ours.engine != portfolio || ours.seconds.empty() || median(ours.processor) < noise_seconds) continue;
    const Row* best = nullptr;
    for (const Row& row : rows) {
      if (!is_against(options, row) || row.system != ours.system || row.canary != ours.canary || row.seconds.empty())
        continue;
      if (best == nullptr || median(row.processor) < median(best->processor)) best = &row;
    }
    if (best == nullptr || std::isinf(median(best->processor))) continue;
    const double floor = std::max(median(best->processor), noise_seconds);
    out.push_back({&ours, best, median(ours.processor) / floor});
  }
  std::ranges::sort(out, std::greater{}, &Ratio::ratio);
  return out;
}

std::string summary_text(const CanariesOptions& options, const std::vector<Row>& rows) {
  std::string out;
  for (const Summary& s : summaries_of(options, rows)) {
    if (s.slowest == nullptr) continue;
    out += fmt::format("{}: {} of {} in every trial; the largest median is {} s ({} {})\n", s.engine, s.always,
                       s.canaries == 1 ? "1 canary" : fmt::format("{} canaries", s.canaries),
                       seconds_text(median(s.slowest->seconds), s.slowest->cap), s.slowest->system->name(),
                       s.slowest->canary);
  }
  const auto ratios = ratios_of(options, rows);
  if (!ratios.empty()) {
    const Ratio& worst = ratios.front();
    out += fmt::format(
        "the portfolio against the best single engine: at most {:.2f} times its median processor time ({} "
        "{}: {:.3f} s, {} {:.3f} s); below {:g} s is noise and counts as {:g} s\n",
        worst.ratio, worst.ours->system->name(), worst.ours->canary, median(worst.ours->processor), worst.best->engine,
        median(worst.best->processor), noise_seconds, noise_seconds);
  } else if (!options.against.empty()) {
    out += fmt::format("the portfolio's median processor time is below {:g} s, which is noise, on every canary\n",
                       noise_seconds);
  }
  return out;
}

nlohmann::ordered_json number_or_null(double value) {
  if (std::isinf(value)) return nullptr;
  return value;
}

nlohmann::ordered_json json_of(const CanariesOptions& options, const std::vector<Row>& rows, int exit_code) {
  nlohmann::ordered_json list = nlohmann::json::array();
  for (const Row& row : rows) {
    nlohmann::ordered_json seconds = nlohmann::json::array();
    for (const double each : row.seconds) seconds.push_back(number_or_null(each));
    list.push_back({{"game", row.system->name()},
                    {"canary", row.canary},
                    {"about", row.about},
                    {"engine", row.engine},
                    {"cap_seconds", row.cap},
                    {"trials", row.seconds.size()},
                    {"detected", row.detected()},
                    {"seconds", seconds},
                    {"median_seconds", number_or_null(median(row.seconds))},
                    {"median_processor_seconds", number_or_null(median(row.processor))},
                    {"lower_quartile_seconds", number_or_null(quantile(row.seconds, 0.25))},
                    {"upper_quartile_seconds", number_or_null(quantile(row.seconds, 0.75))},
                    {"median_scenarios", number_or_null(median(row.scenarios))},
                    {"actions", row.actions},
                    {"cells", row.cells},
                    {"minimal", row.minimal},
                    {"found_by", row.found_by}});
  }
  nlohmann::ordered_json ratios = nlohmann::json::array();
  for (const Ratio& r : ratios_of(options, rows)) {
    ratios.push_back({{"game", r.ours->system->name()},
                      {"canary", r.ours->canary},
                      {"best_single", r.best->engine},
                      {"ratio", r.ratio}});
  }
  return {{"schema", canaries_schema}, {"seed", options.seed}, {"jobs", options.jobs}, {"rows", list},
          {"ratios", ratios},          {"exit", exit_code}};
}

// The verb -------------------------------------------------------------------------------------

/// BadInput for a name that no canary of these systems has.
void check_canaries(const std::vector<std::string>& names, const std::vector<const AnySystem*>& systems) {
  std::vector<std::string> known;
  for (const AnySystem* system : systems) {
    for (const auto& implementation : system->implementations()) {
      if (implementation.kind == Kind::canary) known.push_back(implementation.name);
    }
  }
  for (const auto& name : names) {
    if (std::ranges::find(known, name) != known.end()) continue;
    throw BadInput{
        unknown_name("canary", name, known, systems.size() == 1 ? " of " + std::string{systems[0]->name()} : "")};
  }
}

std::vector<Row> rows_of(const CanariesOptions& options) {
  std::vector<const AnySystem*> systems;
  for (const auto& name : options.systems) systems.push_back(&system_named(name));
  if (systems.empty()) {
    for (const AnySystem* system : all_systems()) systems.push_back(system);
  }
  check_canaries(options.only, systems);
  std::vector<Row> rows;
  for (const AnySystem* system : systems) {
    for (const auto& implementation : system->implementations()) {
      const bool wanted =
          options.only.empty() || std::ranges::find(options.only, implementation.name) != options.only.end();
      if (implementation.kind != Kind::canary || !wanted) continue;
      for (const auto& engine : options.engines) {
        rows.push_back({system, implementation.name, implementation.about, engine, options.trials, options.seconds});
      }
      for (const auto& engine : options.against) {
        rows.push_back({system, implementation.name, implementation.about, engine, options.against_trials,
                        options.against_seconds});
      }
    }
  }
  if (rows.empty()) throw BadInput{"none of these systems has a canary"};
  return rows;
}

/// First every row's first trial, then every row's second: what disturbs the machine disturbs all rows.
std::vector<Trial> trials_of(const std::vector<Row>& rows) {
  std::vector<Trial> out;
  const unsigned most = std::ranges::max(rows, {}, &Row::trials).trials;
  for (unsigned number = 0; number < most; ++number) {
    for (std::size_t row = 0; row < rows.size(); ++row) {
      if (number < rows[row].trials) out.push_back({row, number});
    }
  }
  return out;
}

int canaries(CanariesOptions options) {
  options.systems = split_names(options.systems);
  options.only = split_names(options.only);
  options.engines = split_names(options.engines);
  options.against = split_names(options.against);
  std::vector<std::string> known = engine_names();
  known.emplace_back(portfolio);
  for (const auto& names : {options.engines, options.against}) {
    check_engines(names, known);
  }
  for (const auto& engine : options.against) {
    if (std::ranges::find(options.engines, engine) == options.engines.end()) continue;
    throw BadInput{"--engine and --against both name " + engine};
  }
  if (options.jobs == 0) options.jobs = std::max(1u, std::thread::hardware_concurrency());
  std::vector<Row> rows = rows_of(options);
  for (const Row& row : rows) check_built({row.engine}, fuzz_targets(row.system->name()));
  catch_interrupts();
  const bool good = run_trials(options, rows, trials_of(rows));

  const bool missed = std::ranges::any_of(rows, [&](const Row& row) {
    const bool main = std::ranges::find(options.engines, row.engine) != options.engines.end();
    return main && row.detected() < row.seconds.size();
  });
  const int exit_code = interrupted() ? exit_interrupted
                        : !good       ? exit_internal_error
                        : missed      ? exit_diverged
                                      : exit_agreed;
  if (options.json) fmt::print("{}\n", json_of(options, rows, exit_code).dump(2));
  else if (options.markdown) fmt::print("{}\n{}", summary_text(options, rows), markdown(options, rows));
  else fmt::print("{}\n{}", table_text(cells_of(rows), 3, 3), summary_text(options, rows));
  return exit_code;
}

}  // namespace

void add_canaries(CLI::App& program, int& exit_code) {
  const auto options = std::make_shared<CanariesOptions>();
  CLI::App* const verb =
      program.add_subcommand("canaries", "Measures how soon the engines find what is known to be wrong");
  verb->add_option("SYSTEM", options->systems, "The systems; all when absent");
  verb->add_option("--canary", options->only, "These canaries only (NAME,NAME)");
  verb->add_option("--engine", options->engines,
                   "Engines: portfolio (all together, as fuzz runs them), or one of fuzz's --engine")
      ->capture_default_str();
  verb->add_option("--trials", options->trials, "Trials per canary and engine")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  verb->add_option("--seconds", options->seconds, "Cap of one trial")
      ->check(CLI::Range(0.1, 1e7))
      ->capture_default_str();
  verb->add_option("--against", options->against, "Engines to compare with, with trials and a cap of their own");
  verb->add_option("--against-trials", options->against_trials, "Their trials")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  verb->add_option("--against-seconds", options->against_seconds, "Their cap")
      ->check(CLI::Range(0.1, 1e7))
      ->capture_default_str();
  verb->add_option("--seed", options->seed, "The first trial's seed; the others count on")
      ->check(whole_number())
      ->capture_default_str();
  verb->add_option("--jobs", options->jobs, "Trials side by side, one processor each; all cores when absent")
      ->check(CLI::Range(1, 1024));
  verb->add_option("--corpus", options->corpus, "Scenarios to start from; a folder that is not there: none")
      ->capture_default_str();
  verb->add_flag("--json", options->json, "Results as JSON");
  verb->add_flag("--markdown", options->markdown, "Results as docs/finding-power.md shows them");
  verb->footer(
      "Exit code 1: a canary was missed in some trial of --engine's engines.\n"
      "example: lockstep canaries puyo --trials 3 --seconds 5 --against uniform,suggested");
  verb->callback([options, &exit_code] { exit_code = canaries(*options); });
}

}  // namespace lockstep
