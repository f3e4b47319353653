// lockstep fuzz: the main job. Every game gets its share of the time, in which a canary must be found
// and then all engines search side by side; at the end a table.
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "tools/lane.hpp"
#include "tools/verbs.hpp"

namespace lockstep {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int schema_version = 1;

struct FuzzOptions {
  std::vector<std::string> games;
  double seconds = 60;
  std::uint64_t runs = 0;
  std::uint64_t seed = 0;
  unsigned jobs = 0;
  std::vector<std::string> with;
  std::vector<std::string> engines;
  std::string out = "findings";
  std::string corpus = "corpus";
  int timeout = 20;
  bool keep_going = false;
  bool no_canary = false;
  bool json = false;
};

const std::vector<std::string> engine_names = {"uniform", "swarm", "suggested", "libfuzzer", "libfuzzer-asan"};

volatile sig_atomic_t interrupted = 0;

struct EngineTally {
  std::uint64_t scenarios = 0;
  std::uint64_t steps = 0;
  double seconds = 0;
};

struct CanaryHunt {
  std::string name;  // empty: the game has none, or it was not asked for
  bool found = false;
  double seconds = 0;
  std::uint64_t scenarios = 0;
};

struct GameResult {
  const AnyGame* game = nullptr;
  std::vector<std::string> simulators;
  std::map<std::string, EngineTally> engines;
  double seconds = 0;
  FeatureSet features;
  CanaryHunt canary;
  std::vector<Found> findings;
  std::vector<std::string> faults;

  EngineTally total() const {
    EngineTally sum;
    for (const auto& [name, tally] : engines) {
      sum.scenarios += tally.scenarios;
      sum.steps += tally.steps;
    }
    return sum;
  }
};

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// 1234567 → "1.23 M"
std::string short_number(double value) {
  if (value >= 1e9) return fmt::format("{:.2f} G", value / 1e9);
  if (value >= 1e6) return fmt::format("{:.2f} M", value / 1e6);
  if (value >= 1e4) return fmt::format("{:.1f} k", value / 1e3);
  return fmt::format("{:.0f}", value);
}

/// One line on stderr, rewritten, and only on a terminal.
class Progress {
 public:
  explicit Progress(bool wanted) : shown_{wanted && isatty(STDERR_FILENO) != 0} {}
  void update(const std::string& line) {
    if (!shown_ || Clock::now() - last_ < std::chrono::milliseconds{100}) return;
    last_ = Clock::now();
    std::cerr << "\r\x1b[K" << line << std::flush;
  }
  void clear() {
    if (shown_) std::cerr << "\r\x1b[K" << std::flush;
  }

 private:
  bool shown_;
  Clock::time_point last_;
};

/// What one lane of processes does, one after the other.
struct Task {
  std::optional<FuzzTarget> target;  // nothing: the built-in engine
  double seconds = 0;
  std::uint64_t lane = 0;   // of the built-in lanes
  std::uint64_t lanes = 1;
};

class GameCampaign {
 public:
  GameCampaign(const FuzzOptions& options, const AnyGame& game, double seconds, Progress& progress)
      : options_{options}, seconds_{seconds}, progress_{progress} {
    result_.game = &game;
    result_.simulators = simulators_named(game, split_names(options.with));
    campaign_ = {.game = &game,
                 .simulators = result_.simulators,
                 .seed = options.seed,
                 .out = options.out,
                 .corpus = options.corpus,
                 .keep_going = options.keep_going,
                 .timeout = std::chrono::seconds{options.timeout}};
  }

  GameResult run() {
    start_ = Clock::now();
    if (!options_.no_canary) hunt_canary();
    search();
    result_.seconds = seconds_since(start_);
    return std::move(result_);
  }

 private:
  Clock::time_point deadline() const {
    return start_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds_));
  }
  double left() const { return std::max(0.0, seconds_ - seconds_since(start_)); }
  bool by_runs() const { return options_.runs > 0; }

  /// The styles of the built-in engine that were asked for.
  std::vector<Style> wanted_styles() const {
    std::vector<Style> out;
    for (const Style style : styles) {
      if (options_.engines.empty() || std::ranges::find(options_.engines, to_string(style)) != options_.engines.end()) {
        out.push_back(style);
      }
    }
    return out;
  }

  std::vector<FuzzTarget> wanted_targets() const {
    std::vector<FuzzTarget> out;
    for (auto& target : fuzz_targets(result_.game->name())) {
      const bool named = std::ranges::find(options_.engines, target.engine) != options_.engines.end();
      if (options_.engines.empty() || named) out.push_back(std::move(target));
    }
    for (const auto& engine : options_.engines) {
      const bool is_target = engine.starts_with("libfuzzer");
      if (is_target && std::ranges::find(out, engine, &FuzzTarget::engine) == out.end()) {
        throw BadInput{"engine " + engine + " is not built; build it with: cmake --preset " +
                       (engine == "libfuzzer" ? "fuzz-fast" : "fuzz")};
      }
    }
    return out;
  }

  /// A campaign that does not find what is known to be wrong proves nothing: one canary, chosen by the
  /// seed, is looked for before the search, on the stream's own scenarios.
  void hunt_canary() {
    std::vector<std::string> canaries;
    for (const auto& simulator : result_.game->simulators()) {
      if (simulator.kind == Kind::canary) canaries.push_back(simulator.name);
    }
    if (canaries.empty()) return;
    result_.canary.name = canaries[options_.seed % canaries.size()];
    Campaign hunt = campaign_;
    hunt.simulators = simulators_named(*result_.game, {result_.canary.name});
    const auto lane = start_worker(hunt,
                                   {.seed = options_.seed,
                                    .styles = {styles.begin(), styles.end()},
                                    .deadline = by_runs() ? Clock::time_point::max() : deadline(),
                                    .shrink_time = std::chrono::milliseconds{1}},
                                   false);
    while (lane->poll()) {
      if (interrupted != 0) lane->stop();
      progress_.update(fmt::format("{}: looking for the canary {}: {} scenarios", result_.game->name(),
                                   result_.canary.name, lane->stats().scenarios.load()));
      std::this_thread::sleep_for(std::chrono::milliseconds{2});
    }
    result_.canary.found = !lane->take_findings().empty();
    result_.canary.seconds = seconds_since(start_);
    result_.canary.scenarios = lane->stats().scenarios.load();
  }

  /// Half of the work goes to libFuzzer where its targets are built: a lane of its own, or with one job
  /// half of the time.
  std::vector<std::deque<Task>> plan() const {
    const auto targets = wanted_targets();
    const bool built_in = !wanted_styles().empty();
    const unsigned jobs = std::max(1u, options_.jobs);
    std::vector<std::deque<Task>> lanes(jobs);
    const bool shared = jobs == 1 && built_in && !targets.empty();
    const unsigned target_lanes = targets.empty() ? 0 : !built_in || jobs == 1 ? jobs : std::max(1u, jobs / 2);
    const unsigned built_in_lanes = !built_in ? 0 : shared ? 1 : jobs - target_lanes;
    for (unsigned i = 0; i < built_in_lanes; ++i) {
      lanes[i].push_back({.target = std::nullopt,
                          .seconds = shared ? left() / 2 : left(),
                          .lane = i,
                          .lanes = built_in_lanes});
    }
    for (unsigned i = 0; i < target_lanes; ++i) {
      auto& lane = lanes[shared ? 0 : built_in_lanes + i];
      for (std::size_t t = 0; t < targets.size(); ++t) {
        // Lanes of targets start with different ones.
        lane.push_back({.target = targets[(t + i) % targets.size()],
                        .seconds = (shared ? left() / 2 : left()) / static_cast<double>(targets.size())});
      }
    }
    return lanes;
  }

  std::unique_ptr<Lane> start(const Task& task) {
    if (task.target) {
      // libFuzzer counts whole seconds; less than one is not worth its start.
      const int whole = static_cast<int>(std::min(task.seconds, left()) + 0.5);
      if (!by_runs() && whole < 1) return nullptr;
      return start_fuzz_target(campaign_, *task.target, by_runs() ? 0 : whole, options_.runs);
    }
    const auto until = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                          std::chrono::duration<double>(std::min(task.seconds, left())));
    return start_worker(campaign_,
                        {.seed = options_.seed,
                         .first = task.lane,
                         .stride = task.lanes,
                         .end = by_runs() ? options_.runs : UINT64_MAX,
                         .styles = wanted_styles(),
                         .deadline = by_runs() ? Clock::time_point::max() : until,
                         .keep_going = options_.keep_going},
                        true);
  }

  void search() {
    auto queues = plan();
    std::vector<std::unique_ptr<Lane>> running(queues.size());
    std::vector<Clock::time_point> started(queues.size());
    bool stopping = false;
    while (true) {
      bool busy = false;
      stopping |= interrupted != 0 || (!result_.findings.empty() && !options_.keep_going);
      for (std::size_t i = 0; i < queues.size(); ++i) {
        while (!running[i] && !queues[i].empty() && !stopping) {
          running[i] = start(queues[i].front());
          started[i] = Clock::now();
          queues[i].pop_front();
        }
        if (!running[i]) continue;
        if (stopping) running[i]->stop();
        const bool alive = running[i]->poll();
        for (auto& found : running[i]->take_findings()) report(std::move(found));
        if (!alive) settle(*std::exchange(running[i], nullptr), seconds_since(started[i]));
        busy = true;
      }
      if (!busy) return;
      show_progress(running);
      std::this_thread::sleep_for(std::chrono::milliseconds{5});
    }
  }

  /// A finding is printed the moment it is on disk; the same signature only once.
  void report(Found found) {
    const auto same = [&](const Found& known) { return known.finding.signature == found.finding.signature; };
    if (std::ranges::any_of(result_.findings, same)) return;
    progress_.clear();
    std::cerr << "DIVERGENCE in " << result_.game->name() << " " << found.finding.explanation << "\n  "
              << (found.finding.minimal ? "minimal" : "budget spent") << "; replay it: ./dev run replay " << found.file
              << "\n";
    result_.findings.push_back(std::move(found));
  }

  void settle(const Lane& lane, double seconds) {
    EngineTally& tally = result_.engines[std::string{lane.engine()}];
    tally.scenarios += lane.stats().scenarios.load();
    tally.steps += lane.stats().steps.load();
    tally.seconds += seconds;
    result_.features |= lane.stats().reached();
    if (!lane.fault().empty()) result_.faults.push_back(std::string{lane.engine()} + ": " + lane.fault());
  }

  void show_progress(const std::vector<std::unique_ptr<Lane>>& running) {
    EngineTally sum = result_.total();
    std::string engines;
    for (const auto& lane : running) {
      if (!lane) continue;
      sum.scenarios += lane->stats().scenarios.load();
      sum.steps += lane->stats().steps.load();
      engines += (engines.empty() ? "" : " + ") + std::string{lane->engine()};
    }
    progress_.update(fmt::format("{}: {} scenarios, {} steps, {} findings, {:.0f} s ({})", result_.game->name(),
                                 short_number(static_cast<double>(sum.scenarios)),
                                 short_number(static_cast<double>(sum.steps)), result_.findings.size(),
                                 seconds_since(start_), engines));
  }

  const FuzzOptions& options_;
  double seconds_;
  Progress& progress_;
  GameResult result_;
  Campaign campaign_;
  Clock::time_point start_;
};

// Results --------------------------------------------------------------------------------------

std::string canary_text(const CanaryHunt& canary) {
  if (canary.name.empty()) return "none";
  if (!canary.found) return canary.name + " NOT FOUND";
  return fmt::format("{} after {:.2f} s", canary.name, canary.seconds);
}

void print_table(const std::vector<GameResult>& results) {
  std::vector<std::vector<std::string>> rows = {
      {"game", "simulators", "scenarios", "steps", "steps/s", "features", "canary found", "findings"}};
  for (const auto& r : results) {
    const EngineTally sum = r.total();
    rows.push_back({std::string{r.game->name()}, fmt::format("{}", fmt::join(r.simulators, " ")),
                    short_number(static_cast<double>(sum.scenarios)), short_number(static_cast<double>(sum.steps)),
                    short_number(static_cast<double>(sum.steps) / std::max(r.seconds, 1e-3)),
                    std::to_string(r.features.count()), canary_text(r.canary), std::to_string(r.findings.size())});
  }
  std::vector<std::size_t> widths(rows[0].size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool number = i >= 2 && i != 6;
      line += number ? fmt::format("{:>{}}  ", row[i], widths[i]) : fmt::format("{:<{}}  ", row[i], widths[i]);
    }
    fmt::print("{}\n", line.substr(0, line.find_last_not_of(' ') + 1));
  }
}

nlohmann::ordered_json features_json(const GameResult& r) {
  nlohmann::ordered_json out = nlohmann::json::object();
  const auto names = r.game->feature_names();
  for (std::size_t f = 0; f < names.size(); ++f) {
    nlohmann::ordered_json buckets = nlohmann::json::array();
    for (std::size_t b = 0; b < feature_buckets; ++b) {
      if (r.features[f * feature_buckets + b]) buckets.push_back(feature_bucket_text(b));
    }
    out[std::string{names[f]}] = std::move(buckets);
  }
  return out;
}

/// The schema is in docs/fuzz-json.md.
nlohmann::ordered_json json_of(const GameResult& r) {
  nlohmann::ordered_json engines = nlohmann::json::array();
  for (const auto& [name, tally] : r.engines) {
    engines.push_back(
        {{"name", name}, {"scenarios", tally.scenarios}, {"steps", tally.steps}, {"seconds", tally.seconds}});
  }
  nlohmann::ordered_json findings = nlohmann::json::array();
  for (const auto& [finding, file] : r.findings) {
    findings.push_back({{"signature", finding.signature},
                        {"file", file},
                        {"explanation", finding.explanation},
                        {"minimal", finding.minimal},
                        {"hidden_state", finding.hidden_state},
                        {"actions", finding.actions}});
  }
  nlohmann::ordered_json canary;  // null when there was no hunt
  if (!r.canary.name.empty()) {
    canary = {{"name", r.canary.name},
              {"found", r.canary.found},
              {"seconds", r.canary.seconds},
              {"scenarios", r.canary.scenarios}};
  }
  const EngineTally sum = r.total();
  return {{"name", r.game->name()},
          {"simulators", r.simulators},
          {"seconds", r.seconds},
          {"scenarios", sum.scenarios},
          {"steps", sum.steps},
          {"steps_per_second", static_cast<double>(sum.steps) / std::max(r.seconds, 1e-3)},
          {"engines", engines},
          {"features_reached", r.features.count()},
          {"features", features_json(r)},
          {"canary", canary},
          {"findings", findings},
          {"faults", r.faults}};
}

int exit_code_of(const std::vector<GameResult>& results) {
  const auto any = [&](auto&& test) { return std::ranges::any_of(results, test); };
  if (any([](const GameResult& r) { return !r.findings.empty(); })) return exit_diverged;
  if (interrupted != 0) return exit_interrupted;
  if (any([](const GameResult& r) { return !r.faults.empty(); })) return exit_own_fault;
  // A campaign whose canary lives is broken.
  if (any([](const GameResult& r) { return !r.canary.name.empty() && !r.canary.found; })) return exit_own_fault;
  return exit_agreed;
}

void print_results(const FuzzOptions& options, const std::vector<GameResult>& results, int exit_code) {
  if (options.json) {
    nlohmann::ordered_json games = nlohmann::json::array();
    for (const auto& r : results) games.push_back(json_of(r));
    fmt::print("{}\n", nlohmann::ordered_json{{"schema", schema_version},
                                              {"seed", options.seed},
                                              {"jobs", options.jobs},
                                              {"games", games},
                                              {"exit", exit_code}}
                           .dump(2));
  } else {
    print_table(results);
    for (const auto& r : results) {
      for (const auto& found : r.findings) {
        fmt::print("\n{}: {}\n  signature: {}\n  replay it: ./dev run replay {}\n", r.game->name(),
                   found.finding.explanation, found.finding.signature, found.file);
      }
    }
  }
  for (const auto& r : results) {
    for (const auto& fault : r.faults) std::cerr << "lockstep: " << r.game->name() << ": " << fault << "\n";
    if (!r.canary.name.empty() && !r.canary.found && interrupted == 0) {
      std::cerr << "lockstep: " << r.game->name() << ": the canary " << r.canary.name << " was not found in "
                << r.canary.scenarios << " scenarios: this campaign proves nothing\n";
    }
  }
}

int fuzz(FuzzOptions& options, bool seed_given, bool seconds_given) {
  std::vector<const AnyGame*> games;
  for (const auto& name : split_names(options.games)) games.push_back(&game_named(name));
  if (games.empty()) {
    for (const auto& game : all_games()) games.push_back(game.get());
  }
  options.engines = split_names(options.engines);
  for (const auto& engine : options.engines) {
    if (std::ranges::find(engine_names, engine) == engine_names.end()) {
      throw BadInput{"there is no engine '" + engine + "'; there are: " + fmt::format("{}", fmt::join(engine_names, ", "))};
    }
  }
  if (!seed_given) options.seed = std::random_device{}();
  if (options.jobs == 0) options.jobs = std::max(1u, std::thread::hardware_concurrency());
  if (options.runs > 0 && !seconds_given) options.seconds = 1e9;

  struct sigaction action {};
  action.sa_handler = [](int) { interrupted = 1; };
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);

  Progress progress{!options.json};
  if (!options.json) std::cerr << fmt::format("seed {}, {} jobs\n", options.seed, options.jobs);
  std::vector<GameResult> results;
  const Clock::time_point start = Clock::now();
  for (std::size_t i = 0; i < games.size() && interrupted == 0; ++i) {
    // What a game leaves of its share, the later ones get.
    const double share = std::max(0.5, (options.seconds - seconds_since(start)) / static_cast<double>(games.size() - i));
    results.push_back(GameCampaign{options, *games[i], share, progress}.run());
  }
  progress.clear();
  const int exit_code = exit_code_of(results);
  print_results(options, results, exit_code);
  return exit_code;
}

}  // namespace

void add_fuzz(CLI::App& program, int& exit_code) {
  const auto options = std::make_shared<FuzzOptions>();
  CLI::App* const verb = program.add_subcommand("fuzz", "Searches for scenarios on which simulators differ");
  verb->add_option("GAME", options->games, "The games; all when absent");
  CLI::Option* const seconds = verb->add_option("--seconds", options->seconds, "Time in all, shared by the games")
                                   ->check(CLI::Range(0.1, 1e7))
                                   ->capture_default_str();
  verb->add_option("--runs", options->runs, "Scenarios per game and engine instead of a time")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 50));
  CLI::Option* const seed = verb->add_option("--seed", options->seed, "The stream of scenarios; random when absent");
  verb->add_option("--jobs", options->jobs, "Processes side by side; all cores when absent")->check(CLI::Range(1, 1024));
  verb->add_option("--with", options->with,
                   "Simulators to judge beside the reference, canaries included (NAME,NAME); default: all optimized");
  verb->add_option("--engine", options->engines,
                   "Engines: uniform, swarm, suggested, libfuzzer, libfuzzer-asan; default: all that are built");
  verb->add_option("--out", options->out, "Where findings go")->capture_default_str();
  verb->add_option("--corpus", options->corpus, "Scenarios to start libFuzzer from")->capture_default_str();
  verb->add_option("--timeout", options->timeout, "Seconds after which a scenario counts as a hang")
      ->check(CLI::Range(1, 86'400))
      ->capture_default_str();
  verb->add_flag("--keep-going", options->keep_going, "Search on after the first finding of a game");
  verb->add_flag("--no-canary", options->no_canary, "Do not look for a canary first");
  verb->add_flag("--json", options->json, "Results as JSON (docs/fuzz-json.md)");
  verb->footer("A run repeats exactly with --seed S --runs N --jobs 1 --engine uniform,swarm,suggested.\n"
               "example: lockstep fuzz ts_tetris puyo --seconds 20 --seed 7");
  verb->callback([options, seed, seconds, &exit_code] {
    exit_code = fuzz(*options, seed->count() > 0, seconds->count() > 0);
  });
}

}  // namespace lockstep
