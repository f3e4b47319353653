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
// Positions are stored as bytes (codec.hpp) in the order in which they were found (position_set.hpp). A level of
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

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lockstep/base/bounds.hpp"
#include "lockstep/base/function_ref.hpp"
#include "lockstep/base/shard.hpp"
#include "lockstep/describe/measure.hpp"
#include "lockstep/describe/scenario.hpp"
#include "lockstep/explore/position_set.hpp"

namespace lockstep {

/// One depth of a walk, or one part of a sweep.
struct LevelCount {
  std::string name;
  std::uint64_t positions = 0;  // distinct ones
  std::uint64_t steps = 0;      // actions judged from them; a walk does not count its questions
  std::uint64_t illegal = 0;    // of the steps: those answered `legal=no`
  bool operator==(const LevelCount&) const = default;

  /// Adds the counts.
  LevelCount& operator+=(const LevelCount& other) {
    positions += other.positions;
    steps += other.steps;
    illegal += other.illegal;
    return *this;
  }
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
  std::optional<Size> size = {};  // empty if an implementation died or hung
};

/// A job's heartbeat and in-flight position, in memory that the parent process can read after a crash or hang.
struct Beacon {
  static constexpr std::size_t bytes_max = 60'000;
  std::atomic<bool> busy{false};        // a position is in flight
  std::atomic<std::uint64_t> beats{0};  // heartbeat: incremented for every scenario, and every number of a sweep
  std::uint64_t part = 0;               // a sweep: part and number
  std::uint64_t number = 0;
  std::uint32_t ordinal = 0;  // which scenario of this position
  std::uint32_t length = 0;   // a walk: that of the position's bytes, also if it is too large
  std::uint8_t bytes[bytes_max] = {};

  /// The position does not fit, so nothing can be attributed to it.
  bool too_large() const { return length > bytes_max; }
};

/// Marks a position as in flight for its own lifetime, so that a stopped heartbeat means a hang, not lack of work.
class Busy {
 public:
  explicit Busy(Beacon& beacon) : beacon_{beacon} { beacon_.busy = true; }
  ~Busy() { beacon_.busy = false; }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  Beacon& beacon_;
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
  Beacon* beacons = nullptr;                  // one per job; null: the explorer's own
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

/// Judges the scenario; whether all implementations agreed.
using Judged = std::function<bool()>;

/// A part of a sweep without the types of its system: SweepPart in exploration.hpp.
struct AnySweepPart {
  std::string name;
  std::uint64_t numbers = 0;
  std::uint64_t each = 1;
  std::function<void(std::uint64_t number, AnyScenario& scenario, const Judged& judged)> scenarios;
};

using AnySweep = std::vector<AnySweepPart>;

/// A walk from the setups of one or more scenarios, whose actions do not matter. The system can restate.
std::unique_ptr<Explorer> walk_from(const Vocabulary& system, const std::vector<Runner>& implementations,
                                    ExploreOptions options, const std::vector<AnyScenario>& starts);

/// Whether an action of the walk's kinds and bounds is possible after a setup.
bool has_action(const AnyScenario& start, const ExploreOptions& options);

std::unique_ptr<Explorer> sweep_over(const Vocabulary& system, const std::vector<Runner>& implementations,
                                     ExploreOptions options, AnySweep parts);

/// Threads take numbers from `first` on, a few at a time, until `end` or until the slice of time is over. On return the
/// work of every number taken is complete. Returns the first number that was not taken.
std::uint64_t share_out(unsigned jobs, std::uint64_t first, std::uint64_t end, std::chrono::milliseconds slice,
                        FunctionRef<void(unsigned job, std::uint64_t number)> work);

}  // namespace lockstep
