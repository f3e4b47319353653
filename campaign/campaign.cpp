#include "campaign/campaign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "lockstep/bandit.hpp"
#include "lockstep/files.hpp"
#include "lockstep/scratch.hpp"
#include "lockstep/services/judging.hpp"
#include "lockstep/words.hpp"
#include "tools/numbers.hpp"
#include "tools/verbs.hpp"

namespace lockstep {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view built_in = "built-in";

double seconds_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}
Clock::duration as_duration(double seconds) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}
std::uint64_t microseconds(double seconds) { return static_cast<std::uint64_t>(seconds * 1e6); }

/// The ways of the built-in engine that were asked for.
std::vector<Generator> wanted_generators(const std::vector<std::string>& engines) {
  std::vector<Generator> out;
  for (const Generator generator : generators) {
    if (engines.empty() || std::ranges::find(engines, to_string(generator)) != engines.end()) out.push_back(generator);
  }
  return out;
}

std::vector<FuzzTarget> wanted_targets(const AnySystem& system, const std::vector<std::string>& engines) {
  std::vector<FuzzTarget> out;
  for (auto& target : fuzz_targets(system.name())) {
    const bool named = std::ranges::find(engines, target.engine) != engines.end();
    if (engines.empty() || named) out.push_back(std::move(target));
  }
  for (const auto& engine : engines) {
    const bool is_target = engine.starts_with("libfuzzer");
    if (is_target && std::ranges::find(out, engine, &FuzzTarget::engine) == out.end()) {
      throw BadInput{"engine " + engine + " is not built; build it with: cmake --preset " +
                     (engine == "libfuzzer" ? "fuzz-fast" : "fuzz")};
    }
  }
  return out;
}

/// A process that may run, and the arm of the bandit that it belongs to.
struct Seat {
  std::size_t arm = 0;
  std::optional<FuzzTarget> target;  // nothing: a worker
  std::uint64_t worker = 0;          // its number among those of the arm
  std::unique_ptr<Engine> lane;      // null before its first turn and after its end
  bool ended = false;
  bool running = false;
  double seconds = 0;       // at work
  std::uint64_t found = 0;  // since its turn began
};

class Search {
 public:
  Search(const SearchOptions& options, const AnySystem& system, const Callbacks& callbacks, const SystemResult* before)
      : options_{options}, callbacks_{callbacks} {
    if (before != nullptr) result_ = *before;
    result_.system = &system;
    result_.implementations = implementations_named(system, options.with);
    used_before_ = result_.seconds;
    campaign_ = {.system = &system,
                 .implementations = result_.implementations,
                 .seed = options.seed,
                 .out = options.out,
                 .corpus = options.corpus,
                 .keep_going = options.keep_going,
                 .timeout = options.timeout};
  }

  SystemResult run() {
    start_ = Clock::now();
    if (options_.hunt_canary && !result_.canary.found) hunt_canary();
    if (result_.findings.empty() || options_.keep_going) search();
    result_.seconds = used();
    result_.finished = !callbacks_.interrupted();
    return std::move(result_);
  }

 private:
  static constexpr double turn_seconds = 0.2;
  static constexpr std::uint64_t canary_scenarios_max = 10'000'000;  // with --runs there may be no other end

  double used() const { return used_before_ + seconds_between(start_, Clock::now()); }
  bool by_runs() const { return options_.runs > 0; }
  Clock::time_point deadline() const { return start_ + as_duration(options_.seconds - used_before_); }

  /// A campaign that does not find what is known to be wrong proves nothing: one canary, chosen by the
  /// seed, is looked for before the search, on the stream's own scenarios.
  void hunt_canary() {
    std::vector<std::string> canaries;
    for (const auto& implementation : result_.system->implementations()) {
      if (implementation.kind == Kind::canary) canaries.push_back(implementation.name);
    }
    if (canaries.empty()) return;
    CanaryHunt& canary = result_.canary;
    canary.name = canaries[options_.seed % canaries.size()];
    Campaign hunt = campaign_;
    hunt.implementations = implementations_named(*result_.system, {canary.name});
    const auto lane = start_worker(hunt, {.seed = options_.seed,
                                          .end = canary_scenarios_max,
                                          .generators = {generators.begin(), generators.end()},
                                          .corpus = options_.corpus,
                                          .deadline = deadline(),
                                          .shrink_time = std::chrono::milliseconds{1}});
    while (lane->poll()) {
      if (callbacks_.interrupted()) lane->stop();
      callbacks_.progress(fmt::format("{}: looking for the canary {}: {}", result_.system->name(), canary.name,
                                      counted(lane->stats().scenarios.load(), "scenario")));
      std::this_thread::sleep_for(std::chrono::milliseconds{2});
    }
    const auto found = lane->take_findings();
    canary.found = !found.empty();
    canary.seconds = used();
    canary.scenarios = lane->stats().scenarios.load();
    if (canary.found) canary.engine = found.front().finding.engine;
    if (canary.found) ++result_.engines[canary.engine].canaries;
  }

  // Who runs ------------------------------------------------------------------------------------

  /// A worker for each job, and for each kind of libFuzzer target half as many. An arm weighs as much as it
  /// has engines: a worker holds up to four of them.
  void take_seats() {
    const auto workers_ways = wanted_generators(options_.engines);
    const auto targets = wanted_targets(*result_.system, options_.engines);
    std::vector<std::uint64_t> weights;
    if (!workers_ways.empty()) {
      weights.push_back(workers_ways.size());
      for (unsigned i = 0; i < options_.jobs; ++i) add_seat(0, std::nullopt, i);
    }
    for (const auto& target : targets) {
      const unsigned count = workers_ways.empty() ? options_.jobs : std::max(1u, options_.jobs / 2);
      for (unsigned i = 0; i < count; ++i) add_seat(weights.size(), target, i);
      weights.push_back(1);
    }
    if (weights.empty()) return;
    constexpr std::uint64_t memory = 5'000'000;  // µs
    bandit_.emplace(weights, memory);
    const double alone = std::min(1.0, options_.seconds / 4);
    if (!workers_ways.empty()) {
      for (std::size_t arm = 1; arm < weights.size(); ++arm) {
        bandit_->delay(arm, 0, microseconds(alone * options_.jobs));
      }
    }
    result_.next.resize(workers_ways.empty() ? 0 : options_.jobs, 0);
    for (std::size_t i = 0; i < result_.next.size(); ++i) result_.next[i] = std::max<std::uint64_t>(result_.next[i], i);
    if (seats_.size() > 1) exchange_.emplace();
    if (exchange_) campaign_.exchange = exchange_->path();
  }

  void add_seat(std::size_t arm, const std::optional<FuzzTarget>& target, std::uint64_t worker) {
    Seat& seat = seats_.emplace_back();
    seat.arm = arm;
    seat.target = target;
    seat.worker = worker;
  }

  std::unique_ptr<Engine> start(const Seat& seat) const {
    if (seat.target) return start_fuzz_target(campaign_, *seat.target, seat.worker, options_.runs);
    return start_worker(campaign_, {.seed = options_.seed,
                                    .first = result_.next[seat.worker],
                                    .stride = options_.jobs,
                                    .end = by_runs() ? options_.runs : UINT64_MAX,
                                    .generators = wanted_generators(options_.engines),
                                    .corpus = options_.corpus,
                                    .exchange = campaign_.exchange,
                                    .deadline = deadline(),
                                    .keep_going = options_.keep_going});
  }

  /// Ends the turns in flight and begins the next ones.
  void change_turns() {
    const auto now = Clock::now();
    const double lasted = seconds_between(turn_began_, now);
    turn_began_ = now;
    for (Seat& seat : seats_) {
      if (!seat.running) continue;
      seat.seconds += lasted;
      bandit_->pay(seat.arm, microseconds(lasted), std::exchange(seat.found, 0));
    }
    // Several run at once: each that is chosen pays for its turn in advance, in a copy.
    std::vector<bool> chosen(seats_.size());
    const auto first_free = [&](std::size_t arm) {
      for (std::size_t i = 0; i < seats_.size(); ++i) {
        if (seats_[i].arm == arm && !seats_[i].ended && !chosen[i]) return i;
      }
      return seats_.size();
    };
    Bandit ahead = *bandit_;
    for (unsigned job = 0; job < options_.jobs; ++job) {
      const std::size_t arm = ahead.next([&](std::size_t each) { return first_free(each) == seats_.size(); });
      if (arm == ahead.size()) break;
      chosen[first_free(arm)] = true;
      ahead.pay(arm, microseconds(turn_seconds), 0);
    }
    for (std::size_t i = 0; i < seats_.size(); ++i) set_running(seats_[i], chosen[i]);
  }

  void set_running(Seat& seat, bool running) {
    if (running == seat.running || seat.ended) return;
    seat.running = running;
    if (!seat.lane) seat.lane = start(seat);
    else if (running) seat.lane->resume();
    else seat.lane->pause();
  }

  void search() {
    take_seats();
    if (seats_.empty()) return;
    turn_began_ = Clock::now();
    while (true) {
      const bool stop =
          callbacks_.interrupted() || Clock::now() >= deadline() || (!result_.findings.empty() && !options_.keep_going);
      bool change = seconds_between(turn_began_, Clock::now()) >= turn_seconds;
      change |= std::ranges::none_of(seats_, &Seat::running);
      if (stop) stop_all();
      else if (change) change_turns();
      bool busy = false;
      for (Seat& seat : seats_) busy |= watch(seat);
      if (!busy && (stop || std::ranges::all_of(seats_, &Seat::ended))) return;
      show_progress();
      std::this_thread::sleep_for(std::chrono::milliseconds{busy && used() > 0.1 ? 5 : 1});
    }
  }

  void stop_all() {
    for (Seat& seat : seats_) {
      if (seat.lane) seat.lane->stop();
      else seat.ended = true;
    }
  }

  /// True while the seat's process lives.
  bool watch(Seat& seat) {
    if (!seat.lane) return false;
    const bool alive = seat.lane->poll();
    credit(seat);
    for (auto& found : seat.lane->take_findings()) {
      ++seat.found;
      report(std::move(found));
    }
    if (!seat.target) {
      // The scenario in flight belongs to what is still to be done: it may be the one that matters.
      const std::uint64_t current = seat.lane->stats().current.load();
      if (current > 0) result_.next[seat.worker] = current - 1;
    }
    if (!alive) settle(seat);
    return alive;
  }

  /// Whoever reached a feature first gets it.
  void credit(Seat& seat) {
    const auto& stats = seat.lane->stats();
    const FeatureSet fresh = stats.reached() & ~result_.features;
    if (fresh.none()) return;
    const auto engines = seat.lane->engines();
    for (std::size_t i = 0; i < fresh.size(); ++i) {
      if (!fresh[i]) continue;
      const std::size_t generator = std::min<std::size_t>(stats.features[i].load(), engines.size()) - 1;
      ++result_.engines[engines[generator]].features;
      ++seat.found;
    }
    result_.features |= fresh;
  }

  // What came of it -----------------------------------------------------------------------------

  void report(Found found) {
    const auto same = [&](const Found& known) { return known.finding.signature == found.finding.signature; };
    if (std::ranges::any_of(result_.findings, same)) return;
    write(found);
    ++result_.engines[found.finding.engine].findings;
    result_.findings.push_back(std::move(found));
    checkpoint();  // what has been printed is never lost
    callbacks_.found(result_, result_.findings.back());
  }

  /// On disk before it is printed. Scenarios of earlier runs that fail in the same way stay: another one gets a number.
  void write(Found& found) {
    found.file = free_name(found);
    if (const auto written = write_file(found.file, found.finding.text); !written) {
      result_.faults.push_back("a finding could not be written (" + written.error() + "); here it is:\n" +
                               found.finding.text);
    }
  }

  /// The finding's own name, or NAME-2.txt, NAME-3.txt, … : the first that is free or holds this very scenario.
  std::string free_name(const Found& found) const {
    const auto scenario = result_.system->judging().canonical(found.finding.text);
    const std::filesystem::path plain = found.file;
    std::filesystem::path name = plain;
    for (int number = 2;; ++number) {
      const auto known = read_file(name);
      const auto there = known ? result_.system->judging().canonical(*known) : scenario;
      if (!known || (scenario && there && *there == *scenario)) return name.string();
      name = plain;
      name.replace_filename(fmt::format("{}-{}{}", plain.stem().string(), number, plain.extension().string()));
    }
  }

  void settle(Seat& seat) {
    const auto& stats = seat.lane->stats();
    if (seat.running) seat.seconds += seconds_between(turn_began_, Clock::now());
    note_detection(stats);
    const auto engines = seat.lane->engines();
    for (std::size_t generator = 0; generator < engines.size(); ++generator) {
      if (stats.by_generator[generator].scenarios.load() > 0)
        result_.engines[engines[generator]] += tally_of(seat, generator);
    }
    if (!seat.lane->fault().empty()) {
      result_.faults.push_back((seat.target ? seat.target->engine : std::string{built_in}) + ": " + seat.lane->fault());
    }
    if (const std::string why = seat.lane->absence(); !why.empty()) {
      result_.absences.insert((seat.target ? seat.target->engine : std::string{built_in}) + " was " + why);
    }
    seat.lane.reset();
    seat.ended = true;
    seat.running = false;
  }

  static EngineTally tally_of(const Seat& seat, std::size_t generator) {
    const auto& tally = seat.lane->stats().by_generator[generator];
    // A target's clock would count its engine's own work as nobody's.
    const double seconds = seat.target ? seat.seconds : static_cast<double>(tally.time_ns.load()) * 1e-9;
    return {.scenarios = tally.scenarios.load(), .steps = tally.steps.load(), .seconds = seconds};
  }

  void note_detection(const CampaignStats& stats) {
    const std::uint64_t at = stats.diverged_at_ns.load();
    if (at == 0) return;
    const double seconds = used_before_ + static_cast<double>(at) * 1e-9 -
                           std::chrono::duration<double>(start_.time_since_epoch()).count();
    if (result_.detected && result_.detected->seconds <= seconds) return;
    Detection detection{.seconds = std::max(0.0, seconds),
                        .processor_seconds = static_cast<double>(stats.diverged_processor_ns.load()) * 1e-9,
                        .scenarios = stats.diverged_after.load()};
    for (const Seat& seat : seats_) {
      if (!seat.lane || &seat.lane->stats() == &stats) continue;
      detection.processor_seconds += seat.lane->processor_seconds();
      detection.scenarios += seat.lane->stats().scenarios.load();
    }
    result_.detected = detection;
  }

  /// Everything until now, with what the living lanes have counted.
  SystemResult so_far() const {
    SystemResult out = result_;
    out.seconds = used();
    for (const Seat& seat : seats_) {
      if (!seat.lane) continue;
      const auto engines = seat.lane->engines();
      for (std::size_t generator = 0; generator < engines.size(); ++generator)
        out.engines[engines[generator]] += tally_of(seat, generator);
    }
    return out;
  }

  void checkpoint() {
    checkpoint_at_ = Clock::now();
    callbacks_.checkpoint(so_far());
  }

  void show_progress() {
    if (Clock::now() - checkpoint_at_ > std::chrono::seconds{1}) checkpoint();
    if (Clock::now() - shown_at_ < std::chrono::milliseconds{100}) return;
    shown_at_ = Clock::now();
    const EngineTally sum = so_far().total();
    std::map<std::string, int> running;
    for (const Seat& seat : seats_) {
      if (seat.running) ++running[seat.target ? seat.target->engine : std::string{built_in}];
    }
    std::string engines;
    for (const auto& [engine, count] : running)
      engines += fmt::format("{}{} {}", engines.empty() ? "" : " + ", count, engine);
    callbacks_.progress(fmt::format("{}: {}, {}, {}, {:.0f} s ({})", result_.system->name(),
                                    short_count(sum.scenarios, "scenario"), short_count(sum.steps, "step"),
                                    counted(result_.findings.size(), "finding"), used(), engines));
  }

  const SearchOptions& options_;
  const Callbacks& callbacks_;
  SystemResult result_;
  Campaign campaign_;
  std::optional<ScratchFolder> exchange_;
  std::vector<Seat> seats_;
  std::optional<Bandit> bandit_;
  double used_before_ = 0;
  Clock::time_point start_;
  Clock::time_point turn_began_;
  Clock::time_point checkpoint_at_ = Clock::now();
  Clock::time_point shown_at_;
};

}  // namespace

double processor_seconds_of(int process) {
  clockid_t clock{};
  timespec used{};
  if (process <= 0 || clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &used) != 0) return 0;
  return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
}

const std::vector<std::string>& engine_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for (const Generator generator : generators) out.emplace_back(to_string(generator));
    out.insert(out.end(), {"libfuzzer", "libfuzzer-asan"});
    return out;
  }();
  return names;
}

EngineTally& EngineTally::operator+=(const EngineTally& other) {
  scenarios += other.scenarios;
  steps += other.steps;
  seconds += other.seconds;
  features += other.features;
  findings += other.findings;
  canaries += other.canaries;
  return *this;
}

EngineTally SystemResult::total() const {
  EngineTally sum;
  for (const auto& [name, tally] : engines) sum += tally;
  return sum;
}

SystemResult search_system(const SearchOptions& options, const AnySystem& system, const Callbacks& callbacks,
                           const SystemResult* before) {
  return Search{options, system, callbacks, before}.run();
}

}  // namespace lockstep
