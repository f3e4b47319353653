#include "lockstep/explore/explore.hpp"

#include <algorithm>
#include <future>
#include <utility>

#include "lockstep/describe/codec.hpp"
#include "lockstep/describe/enumerate.hpp"
#include "lockstep/describe/reduce.hpp"
#include "lockstep/judge/judge.hpp"
#include "lockstep/services/report.hpp"
#include "lockstep/text/text.hpp"

namespace lockstep {
namespace {

/// One thread's judge, with its counts and its smallest failure.
class Examiner {
 public:
  Examiner(const Vocabulary& system, const std::vector<Runner>& implementations) : judge_{system, implementations} {}

  /// Judges the scenario and counts its first `counted` actions as steps. Returns the reference's trace.
  const AnyTrace& examine(const AnyScenario& scenario, std::size_t counted) {
    const Verdict verdict = judge_.judge(scenario);
    const AnyTrace& trace = judge_.trace();
    counts_.steps += counted;
    EachNumber count_refusals{[&](std::string_view name, Number value, Number, Number, const NumberAs&) {
      if (name == "legal" && value == 0) ++counts_.illegal;
    }};
    for (std::size_t i = 0; i < counted; ++i) trace.read_answer(i, count_refusals);
    agreed_ = verdict.agreed();
    if (!agreed_) keep(scenario, verdict);
    return trace;
  }
  /// The verdict on the last scenario.
  bool agreed() const { return agreed_; }

  void count_positions(std::uint64_t count) { counts_.positions += count; }

  /// Adds the counts to a level and resets them.
  void settle(LevelCount& level) { level += std::exchange(counts_, {}); }

  struct Failure {
    AnyScenario scenario;
    Divergence divergence;
    Size size;

    /// Ties in size are broken by text, so that the smallest failure does not depend on how threads share the work.
    bool operator<(const Failure& other) const {
      if (size != other.size) return size < other.size;
      return scenario_text(scenario) < scenario_text(other.scenario);
    }
  };
  const std::optional<Failure>& smallest() const { return smallest_; }
  const std::string& reason() const { return reason_; }

 private:
  void keep(const AnyScenario& scenario, const Verdict& verdict) {
    if (!verdict.divergence) {
      reason_ = verdict.reason + "\n" + scenario_text(scenario);
      return;
    }
    AnyScenario shorter = scenario;
    shorter.truncate(verdict.divergence->step);
    const Size size = size_of(shorter);
    Failure failure{std::move(shorter), *verdict.divergence, size};
    if (!smallest_ || failure < *smallest_) smallest_ = std::move(failure);
  }

  Judge judge_;
  LevelCount counts_;  // positions of sweeps only; a walk counts them when it adds them
  bool agreed_ = true;
  std::optional<Failure> smallest_;
  std::string reason_;
};

/// The common part of walks and sweeps: one examiner per job, and the smallest of their failures.
class JudgingExplorer : public Explorer {
 public:
  JudgingExplorer(const Vocabulary& system, const std::vector<Runner>& implementations, ExploreOptions options)
      : system_{&system}, options_{std::move(options)} {
    options_.jobs = std::max(1u, options_.jobs);
    if (options_.beacons == nullptr) {
      own_beacons_ = std::make_unique<Beacon[]>(options_.jobs);
      options_.beacons = own_beacons_.get();
    }
    for (unsigned job = 0; job < options_.jobs; ++job) examiners_.emplace_back(system, implementations);
  }

  std::optional<Counterexample> counterexample() const override {
    const auto* const failure = smallest_failure();
    if (failure == nullptr) return std::nullopt;
    return Counterexample{scenario_text(failure->scenario), describe_divergence(failure->scenario, failure->divergence),
                          failure->size};
  }

 protected:
  const Examiner::Failure* smallest_failure() const {
    const Examiner::Failure* best = nullptr;
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

  /// Judges the known counterexample again, so that it remains the smallest until a smaller one is found.
  void remember(const std::string& failed) {
    if (failed.empty()) return;
    if (const auto scenario = parse_scenario(*system_, failed)) examiners_[0].examine(*scenario, 0);
  }

  const Vocabulary* system_;
  ExploreOptions options_;
  std::unique_ptr<Beacon[]> own_beacons_;  // if the options have none
  std::vector<Examiner> examiners_;
};

/// Replaces the actions by all that are possible after the setup.
void list_actions(AnyScenario& out, const std::vector<std::size_t>& kinds, std::span<const Bound> bounds) {
  out.truncate(0);
  for (const std::size_t kind : kinds) enumerate_kind(kind, out, bounds);
}

std::vector<std::size_t> explored_kinds(const Vocabulary& system, const ExploreOptions& options) {
  std::vector<std::size_t> out;
  for (std::size_t kind = 0; kind < system.kinds().size(); ++kind) {
    if (options.kinds.empty() || options.kinds[kind]) out.push_back(kind);
  }
  return out;
}

/// A walk from one or more setups.
class WalkExplorer final : public JudgingExplorer {
 public:
  WalkExplorer(const Vocabulary& system, const std::vector<Runner>& implementations, ExploreOptions options,
               const std::vector<AnyScenario>& starts)
      : JudgingExplorer{system, implementations, std::move(options)},
        kinds_{explored_kinds(system, options_)},
        judged_{system.scenario()} {
    judged_.set_action(0, 0);
    for (const std::size_t kind : kinds_) {
      if (!system.kinds()[kind].has_fields) judged_.set_action(judged_.size(), kind);
    }
    for (unsigned job = 0; job < options_.jobs; ++job) {
      jobs_.push_back({.actions = system.scenario(), .scenario = judged_, .next = system.scenario()});
    }
    if (options_.fold && !starts.empty()) choose_symmetries(starts.front());
    if (!options_.shard.alone()) for_others_.resize(options_.shard.count);
    state_.levels.push_back({.name = "0"});
    for (const AnyScenario& start : starts) {
      AnyScenario& position = jobs_[0].next;
      position.assign_setup(start);
      make_canonical(position);
      // Every shard knows all starts, and takes its own.
      const PositionSet::Bytes key = key_of(position, jobs_[0]);
      const std::uint64_t hash = PositionSet::hash(key);
      if (is_own(hash) && positions_.insert(key, hash)) ++state_.levels.back().positions;
    }
    state_.level_end = positions_.end();
    end_if_done();
  }

  void advance(std::chrono::milliseconds slice) override {
    if (end_ != ExploreEnd::running || awaits_others()) return;
    const std::vector<std::uint64_t> starts = next_positions();
    const std::uint64_t done = share_out(options_.jobs, 0, starts.size(), slice,
                                         [&](unsigned job, auto i) { walk_from(positions_.at(starts[i]), job); });
    if (!add_found()) return;
    if (!settle(state_.levels.back())) return;
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
    remember(failed);
    end_if_done();
    if (end_ == ExploreEnd::running) next_level_if_done();
  }

  std::string scenario_under(const Beacon& beacon) const override {
    if (beacon.too_large()) return "";
    AnyScenario actions = system_->scenario();
    decode_setup({beacon.bytes, beacon.length}, actions);
    list_actions(actions, kinds_, options_.bounds);
    AnyScenario scenario = judged_;
    scenario.assign_setup(actions);
    if (beacon.ordinal < actions.size()) scenario.assign_action(0, actions, beacon.ordinal);
    else scenario.erase(0, 1);
    return scenario_text(scenario);
  }

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
  /// A symmetric image of a position.
  struct Image {
    AnyScenario position;
    std::vector<std::uint8_t> key;
  };
  /// The memory of one thread.
  struct Job {
    AnyScenario actions;   // the position, and every action that is possible there
    AnyScenario scenario;  // one of them, then the questions
    AnyScenario next;      // the position after it
    std::vector<std::uint8_t> key = {};
    std::vector<Image> images = {};
    std::vector<std::uint8_t> bytes = {};  // of the positions found in this slice
    std::vector<Found> found = {};
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

  void walk_from(PositionSet::Bytes position, unsigned number) {
    Job& job = jobs_[number];
    Beacon& beacon = options_.beacons[number];
    const Busy busy{beacon};
    beacon.length = static_cast<std::uint32_t>(position.size());
    std::copy_n(position.data(), std::min(position.size(), Beacon::bytes_max), beacon.bytes);
    decode_setup(position, job.actions);
    list_actions(job.actions, kinds_, options_.bounds);
    job.scenario.assign_setup(job.actions);
    const std::size_t count = job.actions.size();
    for (std::size_t i = 0; i < count; ++i) {
      beacon.ordinal = static_cast<std::uint32_t>(i);
      beacon.beats.fetch_add(1, std::memory_order_relaxed);
      job.scenario.assign_action(0, job.actions, i);
      const AnyTrace& trace = examiners_[number].examine(job.scenario, 1);
      if (trace.snapshots() < 2) continue;  // all implementations threw: the run ends here
      system_->restate(job.scenario, trace, 1, options_.exact, job.next);
      note(key_of(job.next, job), job);
    }
  }

  void make_canonical(AnyScenario& position) const {
    if (!options_.exact) system_->take_canonical_position(position);
  }

  /// The key of a position: its bytes, or the least bytes of its symmetric images.
  PositionSet::Bytes key_of(const AnyScenario& position, Job& job) const {
    encode_setup(position, job.key);
    if (!symmetries_.empty()) take_least_image(position, job);
    return job.key;
  }

  void take_least_image(const AnyScenario& position, Job& job) const {
    std::vector<Image>& images = job.images;
    std::size_t count = 0;  // of `images`, those of this position; the others are memory to be reused
    const auto room = [&]() -> Image& {
      if (count == images.size()) images.push_back({system_->scenario(), {}});
      return images[count];
    };
    Image& own = room();
    own.position.assign_setup(position);
    own.key = job.key;
    ++count;
    for (std::size_t i = 0; i < count; ++i) {
      for (const auto& symmetry : symmetries_) {
        Image& image = room();
        symmetry.map(images[i].position, image.position);
        make_canonical(image.position);
        encode_setup(image.position, image.key);
        const auto known = std::span{images}.first(count);
        if (std::ranges::any_of(known, [&](const Image& other) { return other.key == image.key; })) continue;
        if (image.key < job.key) job.key = image.key;
        ++count;
      }
    }
  }

  /// Keeps only symmetries that preserve the board's dimensions: others leave the walk.
  void choose_symmetries(const AnyScenario& start) {
    const auto dimensions = [](const AnyScenario& scenario) {
      std::vector<Number> out;
      ListNumbers list;
      scenario.read_setup(list);
      for (const auto& field : list.fields) {
        if (field.dimension) out.push_back(field.value);
      }
      return out;
    };
    AnyScenario image = system_->scenario();
    std::vector<SetupSymmetry> symmetries;
    system_->add_symmetries(symmetries);
    for (auto& symmetry : symmetries) {
      symmetry.map(start, image);
      if (dimensions(image) == dimensions(start)) symmetries_.push_back(std::move(symmetry));
    }
  }

  /// Records a position for add_found unless it is known. Threads only read positions_ here; add_found alone inserts.
  void note(PositionSet::Bytes key, Job& job) const {
    const std::uint64_t hash = PositionSet::hash(key);
    if (positions_.contains(key, hash)) return;
    job.found.push_back({job.bytes.size(), key.size(), hash});
    job.bytes.insert(job.bytes.end(), key.begin(), key.end());
  }

  bool is_own(std::uint64_t hash) const {
    return options_.shard.alone() || owner_of(hash, options_.shard.count) == options_.shard.index;
  }

  /// False if memory does not suffice; then nothing is added, and the slice does not count.
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
      LevelCount dropped;
      for (auto& examiner : examiners_) examiner.settle(dropped);
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
    if (smallest_failure() != nullptr) {
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

  std::vector<std::size_t> kinds_;
  AnyScenario judged_;  // any action, to be replaced by one that is judged, then the questions
  std::vector<Job> jobs_;
  std::vector<SetupSymmetry> symmetries_;
  PositionSet positions_;
  std::vector<PositionSet> for_others_;  // of a shard, by owner
  std::uint64_t level_start_ = 0;
  std::uint64_t new_positions_ = 0;  // one level beyond the current one
};

class SweepExplorer final : public JudgingExplorer {
 public:
  SweepExplorer(const Vocabulary& system, const std::vector<Runner>& implementations, ExploreOptions options,
                AnySweep parts)
      : JudgingExplorer{system, implementations, std::move(options)},
        parts_{std::move(parts)},
        scratch_(options_.jobs, system.scenario()) {
    next_part();
  }

  void advance(std::chrono::milliseconds slice) override {
    if (end_ != ExploreEnd::running) return;
    LevelCount& level = state_.levels.back();
    const auto [index, count] = options_.shard;
    state_.cursor = share_out(options_.jobs, state_.cursor, own_numbers(), slice,
                              [&](unsigned job, std::uint64_t i) { examine(index + i * count, job); });
    if (settle(level) && state_.cursor >= own_numbers()) end_part();
  }

  double share_done() const override {
    return static_cast<double>(state_.cursor) / static_cast<double>(std::max<std::uint64_t>(1, own_numbers()));
  }

  void restore(ExploreState state, std::span<const std::uint8_t>, std::vector<PositionSet>,
               const std::string& failed) override {
    state_ = std::move(state);
    end_ = ExploreEnd::running;
    remember(failed);
    if (state_.cursor >= own_numbers()) end_part();
  }

  std::string scenario_under(const Beacon& beacon) const override {
    struct AtBeacon {};
    AnyScenario scenario = system_->scenario();
    Examiner examiner = examiners_.front();  // what a sweep judges next may depend on the verdict
    std::uint32_t ordinal = 0;
    try {
      parts_[std::min<std::size_t>(beacon.part, parts_.size() - 1)].scenarios(beacon.number, scenario, [&] {
        if (ordinal++ == beacon.ordinal) throw AtBeacon{};
        examiner.examine(scenario, 0);
        return examiner.agreed();
      });
    } catch (const AtBeacon&) {
      return scenario_text(scenario);
    }
    return "";
  }

 private:
  const AnySweepPart& part() const { return parts_[state_.levels.size() - 1]; }

  /// How many of the part's numbers are index, index + count, index + 2 · count, … The cursor counts these.
  std::uint64_t own_numbers() const {
    const auto [index, count] = options_.shard;
    return part().numbers > index ? (part().numbers - index - 1) / count + 1 : 0;
  }

  void examine(std::uint64_t number, unsigned job) {
    AnyScenario& scenario = scratch_[job];
    Beacon& beacon = options_.beacons[job];
    const Busy busy{beacon};
    beacon.part = state_.levels.size() - 1;
    beacon.number = number;
    beacon.ordinal = 0;
    beacon.beats.fetch_add(1, std::memory_order_relaxed);
    bool any = false;
    part().scenarios(number, scenario, [&] {
      any = true;
      beacon.beats.fetch_add(1, std::memory_order_relaxed);
      examiners_[job].examine(scenario, scenario.size());
      ++beacon.ordinal;
      return examiners_[job].agreed();
    });
    if (any) examiners_[job].count_positions(part().each);
  }

  void end_part() {
    if (smallest_failure() != nullptr) end_ = ExploreEnd::diverged;
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

  AnySweep parts_;
  std::vector<AnyScenario> scratch_;  // one for each job
};

}  // namespace

std::uint64_t share_out(unsigned jobs, std::uint64_t first, std::uint64_t end, std::chrono::milliseconds slice,
                        FunctionRef<void(unsigned job, std::uint64_t number)> work) {
  constexpr std::uint64_t grain = 8;
  const auto deadline = std::chrono::steady_clock::now() + slice;
  std::atomic<std::uint64_t> next{first};
  const auto run = [&](unsigned job) {
    do {
      const std::uint64_t from = next.fetch_add(grain);
      for (std::uint64_t i = from; i < std::min(from + grain, end); ++i) work(job, i);
      if (from >= end) return;
    } while (std::chrono::steady_clock::now() < deadline);
  };
  std::vector<std::future<void>> others;  // each waits for its thread when it is destroyed
  for (unsigned job = 1; job < jobs; ++job) others.push_back(std::async(std::launch::async, run, job));
  run(0);
  for (auto& other : others) other.get();  // or throws what the job threw
  return std::min(next.load(), end);
}

std::unique_ptr<Explorer> walk_from(const Vocabulary& system, const std::vector<Runner>& implementations,
                                    ExploreOptions options, const std::vector<AnyScenario>& starts) {
  return std::make_unique<WalkExplorer>(system, implementations, std::move(options), starts);
}

bool has_action(const AnyScenario& start, const ExploreOptions& options) {
  AnyScenario actions = start;
  list_actions(actions, explored_kinds(start.vocabulary(), options), options.bounds);
  return actions.size() > 0;
}

std::unique_ptr<Explorer> sweep_over(const Vocabulary& system, const std::vector<Runner>& implementations,
                                     ExploreOptions options, AnySweep parts) {
  return std::make_unique<SweepExplorer>(system, implementations, std::move(options), std::move(parts));
}

}  // namespace lockstep
