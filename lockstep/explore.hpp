// Exhaustive exploration: every action from every position, with all implementations compared at every step.
//
// A walk is a breadth-first search over positions (Laws::position says which snapshots are one position). From each
// position it judges, for every action, the scenario
//
//   position, action, question, …
//
// in which the questions are the actions without fields (result, clear, judge, …). They reveal state that an
// implementation keeps but does not show, because the position is not restated between the action and the questions.
// The judge compares answers, snapshots and invariants. The snapshot after the action is the next position.
//
// Positions are stored as packed bytes (pack.hpp) in the order in which they were found (position_set.hpp). A level of
// the search is therefore a contiguous range of that memory, and the state of a walk is that memory plus a few numbers.
// Threads share the positions of a level for a slice of time; between slices a single thread adds the positions that
// they found, reports progress and writes checkpoints.
//
// A sweep (exploration.hpp) does the same over positions that a system constructs from numbers: it needs no set. A bulk
// (bulk.hpp) is a sweep whose numbers are blocks of random positions.
//
// Shards (shard.hpp) divide a sweep by its numbers. A walk is divided by its positions: each has one owner, which stores
// it and judges from it. What a shard finds for other owners it collects, each position once a level:
//
//   level 3      shard 1   own positions → judged → own new ones,  found for 2,  found for 3
//                shard 2   own positions → judged → found for 1,   own new ones, found for 3
//   all shards exchange what was found (end_level), and level 4 begins
//
// A position is new if its owner has not stored it, as in a walk by one process, so the sums of the counts are the same.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/enumerate.hpp"
#include "lockstep/exploration.hpp"
#include "lockstep/judge.hpp"
#include "lockstep/pack.hpp"
#include "lockstep/position_set.hpp"
#include "lockstep/report.hpp"
#include "lockstep/shard.hpp"
#include "lockstep/symmetry.hpp"

namespace lockstep {

/// One depth of a walk, or one part of a sweep.
struct LevelCount {
  std::string name;
  std::uint64_t positions = 0;  // distinct ones
  std::uint64_t steps = 0;      // actions judged from them; a walk does not count its questions
  std::uint64_t illegal = 0;    // of the steps: those answered `legal=no`
};

/// The progress of an exploration. With the positions of a walk, this is all that is needed to resume.
struct ExploreState {
  std::vector<LevelCount> levels;  // of a walk, the last level is not yet explored from
  std::uint64_t cursor = 0;        // next position of the level: its offset (walk); which of the own numbers (sweep)
  std::uint64_t level_end = 0;     // a walk: offset behind the level's last position
};

enum class ExploreEnd {
  running,
  covered,        // everything that was requested
  exhausted,      // a walk found every reachable position before its depth
  diverged,       // at the last level
  out_of_memory,  // the last level is incomplete
  cannot_judge,   // see reason()
};

/// The smallest scenario (measure.hpp) that diverged.
struct Counterexample {
  std::string text;
  std::string explanation;
  Size size;
};

/// A job's heartbeat and in-flight position, in memory that the parent process can read after a crash or hang.
struct Beacon {
  static constexpr std::size_t bytes_max = 60'000;
  std::atomic<bool> busy{false};        // a position is in flight
  std::atomic<std::uint64_t> beats{0};  // heartbeat: incremented for every scenario, and every number of a sweep
  std::uint64_t part = 0;               // a sweep: part and number
  std::uint64_t number = 0;
  std::uint32_t ordinal = 0;  // which scenario of this position
  std::uint32_t length = 0;   // a walk: that of the packed position, also if it is too large
  std::uint8_t bytes[bytes_max] = {};

  /// The position does not fit, so nothing can be attributed to it.
  bool too_large() const { return length > bytes_max; }
};

/// Marks a position as in flight for its own lifetime, so that a stopped heartbeat means a hang, not lack of work.
class Busy {
 public:
  explicit Busy(Beacon* beacon) : beacon_{beacon} { say(true); }
  ~Busy() { say(false); }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  void say(bool busy) const {
    if (beacon_ != nullptr) beacon_->busy.store(busy);
  }
  Beacon* beacon_;
};

struct ExploreOptions {
  std::uint64_t depth = 0;
  unsigned jobs = 1;
  std::size_t memory = std::size_t{4} << 30;  // bytes, for the positions
  bool fold = false;                          // count symmetric positions as one
  bool exact = false;                         // compare positions as they are, not by Laws::position
  std::vector<bool> kinds = {};               // kinds of actions that are explored; empty: all
  std::vector<Bound> bounds = {};             // of the fields of actions; walks only
  std::uint64_t positions = 0;                // of a bulk; 0: its own number
  std::uint64_t seed = 0;                     // of a bulk
  Shard shard = {};                           // which part of the work is explored
  Beacon* beacons = nullptr;                  // one per job; null: none
};

/// What all shards of a walk know at the end of a level.
struct MergedLevel {
  std::uint64_t positions = 0;                   // in the level, of all shards
  bool diverged = false;                         // in the level, in any shard
  std::vector<std::vector<std::uint8_t>> found;  // for this shard by the others, as PositionSet::stretch()
};

/// An exploration in progress. `advance` works for about one slice of time; between slices the state can be saved.
class Explorer {
 public:
  virtual ~Explorer() = default;
  virtual void advance(std::chrono::milliseconds slice) = 0;

  ExploreEnd end() const { return end_; }
  const ExploreState& state() const { return state_; }
  const std::string& reason() const { return reason_; }
  virtual std::optional<Counterexample> counterexample() const = 0;

  /// How much of the current level is done, 0 … 1.
  virtual double share_done() const = 0;
  virtual std::size_t memory() const { return 0; }
  /// The positions of a walk, to be saved with the state; empty for sweeps.
  virtual std::span<const std::uint8_t> positions() const { return {}; }
  /// A shard of a walk: its part of the level is done, and `advance` does nothing before end_level was called.
  virtual bool awaits_others() const { return false; }
  virtual void end_level(const MergedLevel&) {}
  /// A shard of a walk: the positions of others that were found in this level, one set for each shard.
  virtual std::span<const PositionSet> for_others() const { return {}; }
  /// What was saved: the state, positions(), for_others(), and the text of the counterexample known so far (empty if
  /// there was none).
  virtual void restore(ExploreState state, std::span<const std::uint8_t> positions, std::vector<PositionSet> for_others,
                       const std::string& failed) = 0;
  /// The scenario that a job was judging, reconstructed from its beacon; empty if it was judging none, or if its
  /// position is too large for a beacon. Runs code of the system, which may be what crashed or hung: call it in a child
  /// process.
  virtual std::string scenario_under(const Beacon& beacon) const = 0;
  /// Names of the symmetries under which positions count as one.
  virtual std::vector<std::string> folded_by() const { return {}; }

 protected:
  ExploreEnd end_ = ExploreEnd::running;
  ExploreState state_;
  std::string reason_;
};

namespace exploring {

/// Threads take numbers from `first` on, a few at a time, until `end` or until the slice of time is over. On return the
/// work of every number taken is complete. Returns the first number that was not taken.
template <class Work>
std::uint64_t share_out(unsigned jobs, std::uint64_t first, std::uint64_t end, std::chrono::milliseconds slice,
                        Work&& work) {
  constexpr std::uint64_t grain = 8;
  const auto deadline = std::chrono::steady_clock::now() + slice;
  std::atomic<std::uint64_t> next{first};
  std::vector<std::exception_ptr> faults(jobs);
  const auto run = [&](unsigned job) {
    try {
      do {
        const std::uint64_t from = next.fetch_add(grain);
        for (std::uint64_t i = from; i < std::min(from + grain, end); ++i) work(job, i);
        if (from >= end) return;
      } while (std::chrono::steady_clock::now() < deadline);
    } catch (...) {
      faults[job] = std::current_exception();
    }
  };
  {
    std::vector<std::future<void>> others;  // each waits for its thread when it is destroyed
    for (unsigned job = 1; job < jobs; ++job) others.push_back(std::async(std::launch::async, run, job));
    run(0);
  }
  for (const auto& fault : faults) {
    if (fault) std::rethrow_exception(fault);
  }
  return std::min(next.load(), end);
}

/// One thread's judge, with its counts and its smallest failure.
template <System S>
class Examiner {
 public:
  explicit Examiner(const std::vector<AnyImplementation<S>>& implementations) : judge_{implementations} {}

  /// Judges the scenario and counts its first `counted` actions as steps. Returns the reference's trace.
  const Trace<S>& examine(const Scenario<S>& scenario, std::size_t counted) {
    const Verdict verdict = judge_.judge(scenario);
    const Trace<S>& trace = judge_.trace();
    steps_ += counted;
    for (std::size_t i = 0; i < counted; ++i) illegal_ += is_legal<S>(trace.observations[i]) ? 0 : 1;
    agreed_ = verdict.agreed();
    if (!agreed_) keep(scenario, verdict);
    return trace;
  }
  /// The verdict on the last scenario.
  bool agreed() const { return agreed_; }

  void count_positions(std::uint64_t count) { positions_ += count; }

  /// Adds the counts to a level and resets them.
  void settle(LevelCount& level) {
    level.positions += std::exchange(positions_, 0);
    level.steps += std::exchange(steps_, 0);
    level.illegal += std::exchange(illegal_, 0);
  }

  void discard() {
    positions_ = 0;
    steps_ = 0;
    illegal_ = 0;
  }

  struct Failure {
    Scenario<S> scenario;
    Divergence divergence;
    Size size;

    /// Ties in size are broken by text, so that the smallest failure does not depend on how threads share the work.
    bool operator<(const Failure& other) const {
      if (size != other.size) return size < other.size;
      return scenario_text<S>(scenario) < scenario_text<S>(other.scenario);
    }
  };
  const std::optional<Failure>& smallest() const { return smallest_; }
  const std::string& reason() const { return reason_; }

 private:
  void keep(const Scenario<S>& scenario, const Verdict& verdict) {
    if (!verdict.divergence) {
      reason_ = verdict.reason + "\n" + scenario_text<S>(scenario);
      return;
    }
    Scenario<S> shorter = scenario;
    shorter.actions.resize(std::min(shorter.actions.size(), verdict.divergence->step));
    const Size size = size_of<S>(shorter);
    Failure failure{std::move(shorter), *verdict.divergence, size};
    if (!smallest_ || failure < *smallest_) smallest_ = std::move(failure);
  }

  Judge<S> judge_;
  std::uint64_t positions_ = 0;  // sweeps only; a walk counts positions when it adds them
  std::uint64_t steps_ = 0;
  std::uint64_t illegal_ = 0;
  bool agreed_ = true;
  std::optional<Failure> smallest_;
  std::string reason_;
};

/// The common part of walks and sweeps: one examiner per job, and the smallest of their failures.
template <System S>
class ExplorerOf : public Explorer {
 public:
  ExplorerOf(const std::vector<AnyImplementation<S>>& implementations, ExploreOptions options)
      : options_{std::move(options)} {
    options_.jobs = std::max(1u, options_.jobs);
    for (unsigned job = 0; job < options_.jobs; ++job) examiners_.emplace_back(implementations);
  }

  std::optional<Counterexample> counterexample() const override {
    const auto* const failure = smallest_failure();
    if (failure == nullptr) return std::nullopt;
    return Counterexample{scenario_text<S>(failure->scenario),
                          describe_divergence<S>(failure->scenario, failure->divergence), failure->size};
  }

 protected:
  const typename Examiner<S>::Failure* smallest_failure() const {
    const typename Examiner<S>::Failure* best = nullptr;
    for (const auto& examiner : examiners_) {
      const auto& failure = examiner.smallest();
      if (failure && (best == nullptr || *failure < *best)) best = &*failure;
    }
    return best;
  }

  /// Adds a slice's counts to the level. False if a scenario could not be judged.
  bool settle(LevelCount& level) {
    for (auto& examiner : examiners_) {
      examiner.settle(level);
      if (examiner.reason().empty()) continue;
      end_ = ExploreEnd::cannot_judge;
      reason_ = examiner.reason();
    }
    return end_ == ExploreEnd::running;
  }

  /// Drops the counts of a slice if its positions could not be stored.
  void discard() {
    for (auto& examiner : examiners_) examiner.discard();
  }

  /// Judges the known counterexample again, so that it remains the smallest until a smaller one is found.
  void remember(const std::string& failed) {
    if (failed.empty()) return;
    if (const auto scenario = parse_scenario<S>(failed)) examiners_[0].examine(*scenario, 0);
  }

  Beacon* beacon(unsigned job) const { return options_.beacons == nullptr ? nullptr : options_.beacons + job; }

  ExploreOptions options_;
  std::vector<Examiner<S>> examiners_;
};

}  // namespace exploring

/// A walk from one or more setups.
template <System S>
class WalkExplorer final : public exploring::ExplorerOf<S> {
  using Setup = typename S::Setup;
  using Action = typename S::Action;
  using Base = exploring::ExplorerOf<S>;
  using Base::end_;
  using Base::examiners_;
  using Base::options_;
  using Base::state_;

 public:
  WalkExplorer(const std::vector<AnyImplementation<S>>& implementations, ExploreOptions options,
               const std::vector<Setup>& starts)
      : Base{implementations, std::move(options)}, jobs_(options_.jobs) {
    for (std::size_t kind = 0; kind < action_kinds<Action>; ++kind) {
      if (!options_.kinds.empty() && !options_.kinds[kind]) continue;
      kinds_.push_back(kind);
      if (is_question<S>(kind)) questions_.push_back(alternative<Action>(kind));
    }
    if (options_.fold && !starts.empty()) choose_symmetries(starts.front());
    if (!options_.shard.alone()) for_others_.resize(options_.shard.count);
    state_.levels.push_back({.name = "0"});
    for (const Setup& start : starts) add_start(key_of(canonical(start), jobs_[0]));
    state_.level_end = positions_.end();
    end_if_done();
  }

  void advance(std::chrono::milliseconds slice) override {
    if (end_ != ExploreEnd::running || awaits_others()) return;
    const std::vector<std::uint64_t> starts = next_positions();
    const std::uint64_t done = exploring::share_out(options_.jobs, 0, starts.size(), slice, [&](unsigned job, auto i) {
      walk_from(positions_.at(starts[i]), job);
    });
    if (!add_found()) return this->discard();
    if (!this->settle(state_.levels.back())) return;
    state_.cursor = done < starts.size() ? starts[done] : positions_.next(starts.back());
    next_level_if_done();
  }

  bool awaits_others() const override {
    return !options_.shard.alone() && end_ == ExploreEnd::running && state_.cursor >= state_.level_end;
  }
  void end_level(const MergedLevel& all) override {
    if (all.positions == 0) return end_exhausted();
    if (all.diverged) {
      end_ = ExploreEnd::diverged;
      return;
    }
    std::size_t bytes = 0;
    std::size_t count = 0;
    for (const auto& found : all.found) {
      bytes += found.size();
      PositionSet::for_each(found, [&](PositionSet::Bytes) { ++count; });
    }
    if (positions_.memory_to_add(count, bytes) > options_.memory) {
      end_ = ExploreEnd::out_of_memory;
      return;
    }
    positions_.make_room(count, bytes);
    for (const auto& found : all.found) {
      PositionSet::for_each(found, [&](PositionSet::Bytes position) {
        new_positions_ += positions_.insert(position, PositionSet::hash(position)) ? 1 : 0;
      });
    }
    for (PositionSet& others : for_others_) others = {};
    next_level();
  }
  std::span<const PositionSet> for_others() const override { return for_others_; }

  double share_done() const override {
    const auto length = static_cast<double>(state_.level_end - level_start_);
    return length > 0 ? static_cast<double>(state_.cursor - level_start_) / length : 1;
  }
  std::size_t memory() const override {
    std::size_t sum = positions_.memory();
    for (const PositionSet& others : for_others_) sum += others.memory();
    return sum;
  }
  std::span<const std::uint8_t> positions() const override { return positions_.stretch(); }

  void restore(ExploreState state, std::span<const std::uint8_t> positions, std::vector<PositionSet> for_others,
               const std::string& failed) override {
    state_ = std::move(state);
    positions_ = PositionSet::of(positions);
    for_others_ = std::move(for_others);
    level_start_ = state_.cursor;
    new_positions_ = positions_.size();
    for (const auto& level : state_.levels) new_positions_ -= level.positions;
    end_ = ExploreEnd::running;
    this->remember(failed);
    end_if_done();
    if (end_ == ExploreEnd::running) next_level_if_done();
  }

  std::string scenario_under(const Beacon& beacon) const override {
    if (beacon.too_large()) return "";
    Scenario<S> scenario;
    unpack<S>({beacon.bytes, beacon.length}, scenario.setup);
    const std::vector<Action> actions = all_actions(scenario.setup);
    if (beacon.ordinal < actions.size()) scenario.actions.push_back(actions[beacon.ordinal]);
    scenario.actions.insert(scenario.actions.end(), questions_.begin(), questions_.end());
    return scenario_text<S>(scenario);
  }

  /// Whether an action of the walk's kinds and bounds is possible in a position.
  bool has_action(const Setup& setup) const { return !all_actions(setup).empty(); }

  std::vector<std::string> folded_by() const override {
    std::vector<std::string> names;
    for (const auto& symmetry : symmetries_) names.emplace_back(symmetry.name);
    return names;
  }

 private:
  struct Found {
    std::size_t start;
    std::size_t length;
    std::uint64_t hash;
  };
  /// The memory of one thread.
  struct Job {
    Scenario<S> scenario;
    std::vector<std::uint8_t> key;
    std::vector<std::uint8_t> image;
    std::vector<std::uint8_t> bytes;  // of the positions found in this slice
    std::vector<Found> found;
  };

  /// The next positions of the level: as many as a slice may need.
  std::vector<std::uint64_t> next_positions() const {
    constexpr std::size_t count_max = 1 << 16;
    std::vector<std::uint64_t> starts;
    for (std::uint64_t at = state_.cursor; at < state_.level_end && starts.size() < count_max;
         at = positions_.next(at)) {
      starts.push_back(at);
    }
    return starts;
  }

  std::vector<Action> all_actions(const Setup& setup) const {
    std::vector<Action> out;
    for (const std::size_t kind : kinds_) enumerate_kind<S>(setup, kind, out, options_.bounds);
    return out;
  }

  void walk_from(PositionSet::Bytes position, unsigned number) {
    Job& job = jobs_[number];
    Beacon* const beacon = this->beacon(number);
    const Busy busy{beacon};
    if (beacon != nullptr) {
      beacon->length = static_cast<std::uint32_t>(position.size());
      std::copy_n(position.data(), std::min(position.size(), Beacon::bytes_max), beacon->bytes);
    }
    Scenario<S>& scenario = job.scenario;
    unpack<S>(position, scenario.setup);
    const std::vector<Action> actions = all_actions(scenario.setup);
    for (std::size_t i = 0; i < actions.size(); ++i) {
      if (beacon != nullptr) {
        beacon->ordinal = static_cast<std::uint32_t>(i);
        beacon->beats.fetch_add(1, std::memory_order_relaxed);
      }
      scenario.actions.assign(1, actions[i]);
      scenario.actions.insert(scenario.actions.end(), questions_.begin(), questions_.end());
      const Trace<S>& trace = examiners_[number].examine(scenario, 1);
      if (trace.snapshots.size() < 2) continue;  // all implementations threw: the run ends here
      note(key_of(position_of(scenario.setup, trace.snapshots[1]), job), job);
    }
  }

  Setup canonical(const Setup& setup) const {
    if constexpr (requires {
                    { LawsOf<S>::position(setup) } -> std::same_as<Setup>;
                  }) {
      if (!options_.exact) return LawsOf<S>::position(setup);
    }
    return setup;
  }

  Setup position_of(const Setup& from, const SnapshotOf<S>& snapshot) const {
    if constexpr (has_position<S>) {
      if (!options_.exact) return restate<S>(from, LawsOf<S>::position(snapshot));
    }
    return restate<S>(from, snapshot);
  }

  /// The key of a position: its packed bytes, or the least packed bytes of its symmetric images.
  PositionSet::Bytes key_of(const Setup& position, Job& job) const {
    pack<S>(position, job.key);
    if constexpr (requires { LawsOf<S>::symmetries(); }) take_least_image(position, job);
    return job.key;
  }

  void take_least_image(const Setup& position, Job& job) const {
    if (symmetries_.empty()) return;
    std::vector<std::pair<Setup, std::vector<std::uint8_t>>> orbit = {{position, job.key}};
    for (std::size_t i = 0; i < orbit.size(); ++i) {
      for (const auto& symmetry : symmetries_) {
        Setup image = canonical(symmetry.setup(orbit[i].first));
        pack<S>(image, job.image);
        const bool known = std::ranges::any_of(orbit, [&](const auto& member) { return member.second == job.image; });
        if (known) continue;
        if (job.image < job.key) job.key = job.image;
        orbit.emplace_back(std::move(image), job.image);
      }
    }
  }

  /// Keeps only symmetries that preserve the board's dimensions: others leave the walk.
  void choose_symmetries(const Setup& start) {
    const auto dimensions = [](const Setup& setup) {
      std::vector<Number> out;
      ListNumbers list;
      read_setup<S>(list, setup);
      for (const auto& field : list.fields) {
        if (field.dimension) out.push_back(field.value);
      }
      return out;
    };
    for (auto& symmetry : symmetries<S>()) {
      if (dimensions(symmetry.setup(start)) == dimensions(start)) symmetries_.push_back(std::move(symmetry));
    }
  }

  /// Records a position for add_found unless it is known. Threads only read positions_ here; add_found alone inserts.
  void note(PositionSet::Bytes key, Job& job) const {
    const std::uint64_t hash = PositionSet::hash(key);
    if (positions_.contains(key, hash)) return;
    job.found.push_back({job.bytes.size(), key.size(), hash});
    job.bytes.insert(job.bytes.end(), key.begin(), key.end());
  }

  /// Every shard knows all starts, and takes its own.
  void add_start(PositionSet::Bytes key) {
    const std::uint64_t hash = PositionSet::hash(key);
    if (is_own(hash) && positions_.insert(key, hash)) ++state_.levels.back().positions;
  }

  bool is_own(std::uint64_t hash) const {
    return options_.shard.alone() || owner_of(hash, options_.shard.count) == options_.shard.index;
  }

  /// False if memory does not suffice; then nothing is added.
  bool add_found() {
    std::size_t count = 0;
    std::size_t bytes = 0;
    for (const Job& job : jobs_) {
      count += job.found.size();
      bytes += job.bytes.size();
    }
    // As if all of them were own positions; the sets of others grow by less.
    const std::size_t of_others = memory() - positions_.memory();
    if (of_others + positions_.memory_to_add(count, bytes) > options_.memory) {
      end_ = ExploreEnd::out_of_memory;
      return false;
    }
    if (options_.shard.alone()) positions_.make_room(count, bytes);
    for (Job& job : jobs_) {
      for (const Found& found : job.found) add_found({job.bytes.data() + found.start, found.length}, found.hash);
      job.found.clear();
      job.bytes.clear();
    }
    return true;
  }
  void add_found(PositionSet::Bytes key, std::uint64_t hash) {
    if (is_own(hash)) new_positions_ += positions_.insert(key, hash) ? 1 : 0;
    else for_others_[owner_of(hash, options_.shard.count)].insert(key, hash);
  }

  /// A shard waits until end_level is called.
  void next_level_if_done() {
    if (state_.cursor >= state_.level_end && options_.shard.alone()) next_level();
  }

  void next_level() {
    if (this->smallest_failure() != nullptr) {
      end_ = ExploreEnd::diverged;
      return;
    }
    state_.levels.push_back({.name = std::to_string(state_.levels.size()), .positions = new_positions_});
    new_positions_ = 0;
    level_start_ = state_.level_end;
    state_.level_end = positions_.end();
    end_if_done();
  }

  /// A shard without a position in a level knows only at the end of that level whether the others have one.
  void end_if_done() {
    if (state_.levels.back().positions == 0 && options_.shard.alone()) end_exhausted();
    else if (state_.levels.size() > options_.depth) end_ = ExploreEnd::covered;
  }
  void end_exhausted() {
    state_.levels.pop_back();
    end_ = ExploreEnd::exhausted;
  }

  std::vector<Job> jobs_;
  std::vector<std::size_t> kinds_;
  std::vector<Action> questions_;
  std::vector<Symmetry<S>> symmetries_;
  PositionSet positions_;
  std::vector<PositionSet> for_others_;  // of a shard, by owner
  std::uint64_t level_start_ = 0;
  std::uint64_t new_positions_ = 0;  // one level beyond the current one
};

template <System S>
class SweepExplorer final : public exploring::ExplorerOf<S> {
  using Base = exploring::ExplorerOf<S>;
  using Base::end_;
  using Base::examiners_;
  using Base::options_;
  using Base::state_;

 public:
  SweepExplorer(const std::vector<AnyImplementation<S>>& implementations, ExploreOptions options, Sweep<S> parts)
      : Base{implementations, std::move(options)}, parts_{std::move(parts)}, scratch_(options_.jobs) {
    next_part();
  }

  void advance(std::chrono::milliseconds slice) override {
    if (end_ != ExploreEnd::running) return;
    LevelCount& level = state_.levels.back();
    const auto [index, count] = options_.shard;
    state_.cursor = exploring::share_out(options_.jobs, state_.cursor, own_numbers(), slice,
                                         [&](unsigned job, std::uint64_t i) { examine(index + i * count, job); });
    if (this->settle(level) && state_.cursor >= own_numbers()) end_part();
  }

  double share_done() const override {
    return static_cast<double>(state_.cursor) / static_cast<double>(std::max<std::uint64_t>(1, own_numbers()));
  }

  void restore(ExploreState state, std::span<const std::uint8_t>, std::vector<PositionSet>,
               const std::string& failed) override {
    state_ = std::move(state);
    end_ = ExploreEnd::running;
    this->remember(failed);
    if (state_.cursor >= own_numbers()) end_part();
  }

  std::string scenario_under(const Beacon& beacon) const override {
    struct AtBeacon {};
    Scenario<S> scenario;
    exploring::Examiner<S> examiner = examiners_.front();  // what a sweep judges next may depend on the verdict
    std::uint32_t ordinal = 0;
    try {
      parts_[std::min<std::size_t>(beacon.part, parts_.size() - 1)].scenarios(beacon.number, scenario, [&] {
        if (ordinal++ == beacon.ordinal) throw AtBeacon{};
        examiner.examine(scenario, 0);
        return examiner.agreed();
      });
    } catch (const AtBeacon&) {
      return scenario_text<S>(scenario);
    }
    return "";
  }

 private:
  const SweepPart<S>& part() const { return parts_[state_.levels.size() - 1]; }

  /// How many of the part's numbers are index, index + count, index + 2 · count, … The cursor counts these.
  std::uint64_t own_numbers() const {
    const auto [index, count] = options_.shard;
    return part().numbers > index ? (part().numbers - index - 1) / count + 1 : 0;
  }

  void examine(std::uint64_t number, unsigned job) {
    Scenario<S>& scenario = scratch_[job];
    Beacon* const beacon = this->beacon(job);
    const Busy busy{beacon};
    if (beacon != nullptr) {
      beacon->part = state_.levels.size() - 1;
      beacon->number = number;
      beacon->ordinal = 0;
      beacon->beats.fetch_add(1, std::memory_order_relaxed);
    }
    bool any = false;
    part().scenarios(number, scenario, [&] {
      any = true;
      if (beacon != nullptr) beacon->beats.fetch_add(1, std::memory_order_relaxed);
      examiners_[job].examine(scenario, scenario.actions.size());
      if (beacon != nullptr) ++beacon->ordinal;
      return examiners_[job].agreed();
    });
    if (any) examiners_[job].count_positions(part().each);
  }

  void end_part() {
    if (this->smallest_failure() != nullptr) end_ = ExploreEnd::diverged;
    else next_part();
  }

  void next_part() {
    if (state_.levels.size() == parts_.size()) {
      end_ = ExploreEnd::covered;
      return;
    }
    state_.levels.push_back({.name = parts_[state_.levels.size()].name});
    state_.cursor = 0;
  }

  Sweep<S> parts_;
  std::vector<Scenario<S>> scratch_;  // one for each job
};

}  // namespace lockstep
