// The judge: runs one scenario through all implementations of a system and decides whether they agree.
//
// It compares every observation of all implementations and, on the cadence of trace.hpp, snapshots and invariants. If
// they differ or break an invariant, it runs them again with a snapshot after every step, and reports the first
// difference and the implementation to blame: the first one outside the largest group of equal answers (see `blame`).
// It never prints or aborts. An exception of an implementation is its answer, and one of a law breaks the law; those of
// the system's other parts leave the judge.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/base/enumerators.hpp"
#include "lockstep/describe/fields.hpp"
#include "lockstep/describe/scenario.hpp"

namespace lockstep {

enum class DivergenceKind {
  observation,       // observations of an action differ
  snapshot,          // snapshots differ
  invariant,         // all agree, and all break a law of the system
  crash,             // an implementation died (detected only in a child process)
  hang,              // an implementation exceeded its timeout (likewise)
  memory,            // an implementation leaks memory, or uses memory that is not its own (memory.hpp)
  nondeterministic,  // an implementation gives two results for one scenario
};

/// The action of a leak, in signatures: it is noticed at the end, whichever action lost the memory.
inline constexpr std::string_view at_the_end = "end";

/// What a report says after the name of an implementation that wavers.
inline constexpr std::string_view not_deterministic =
    "is not deterministic, or reads memory that it does not own (a build with AddressSanitizer would show that)";
/// The name if a difference did not repeat, and each implementation gives one result when it is run again.
inline constexpr std::string_view some_implementation = "an implementation";

/// The first step at which implementations differ, and how.
struct Divergence {
  DivergenceKind kind = DivergenceKind::observation;
  std::size_t step = 0;  // the action at fault is number step − 1; 0: the setup itself, before any action
  std::string system;
  std::string blamed;    // an implementation's name, or "all" for a broken invariant
  std::string action;    // the kind of the action at fault, "setup" for step 0
  std::string field;     // first field that differs, with indices; for an invariant, the broken law
  std::string expected;  // the answer of those that are right, the reference among them or not
  std::string actual;    // the answer of the blamed implementation
  std::map<std::string, std::string> conditions = {};  // of that action, by name (conditions.hpp)
  std::string last_words = {};  // of a crash or memory error: the lines of a report that say why; may be empty

  /// What it looks like. A finding's signature has the conditions that it needs, too (signature.hpp).
  std::string signature() const {
    if (kind == DivergenceKind::nondeterministic) return system + " " + blamed + " " + std::string{to_string(kind)};
    const std::string bare = kind == DivergenceKind::invariant ? field : without_indices(field);
    return system + " " + blamed + " " + std::string{to_string(kind)} + " " + action + " " + bare;
  }
};

/// A difference at a step of the scenario. Its kind and the names of implementations are still to be filled in.
Divergence at_step(const AnyScenario& scenario, std::size_t step);

/// The result of a judgement. Only `agreed` means agreement; `cannot_judge` is not a pass.
struct Verdict {
  enum class State { agreed, diverged, cannot_judge };
  State state = State::agreed;
  std::optional<Divergence> divergence = {};
  std::string reason = {};  // for cannot_judge
  std::string wavers = {};  // for cannot_judge, after a difference that did not repeat: an implementation's name

  bool agreed() const { return state == State::agreed; }
  bool diverged() const { return state == State::diverged; }
};

/// The in-flight implementation and step, readable from a parent process through shared memory.
struct JudgeProgress {
  volatile std::uint32_t implementation = 0;
  volatile std::uint32_t step = 0;
  /// One more than the index of an implementation that has forked the process and returned in both; 0: none has.
  volatile std::uint32_t forked = 0;
  /// 1 after a difference was seen. It is cleared before each scenario, by the caller of `judge`.
  volatile std::uint32_t differs = 0;
};

using JudgeFunction = std::function<Verdict(const AnyScenario&)>;

class Judge {
 public:
  /// The first implementation is the reference. One is enough for a system with invariants, others need two.
  Judge(const Vocabulary& system, std::vector<Runner> implementations, JudgeProgress* progress = nullptr);

  const std::vector<Runner>& implementations() const { return implementations_; }

  /// Leaves out the kinds of implementations whose judged_in_one_of does not divide the scenario's seed: with 0, none.
  /// Leaves none out if fewer than two would remain. A divergence is explained with all.
  Verdict judge(const AnyScenario& scenario, std::uint64_t seed = 0);

  /// Looks at the snapshots after every step, so that a difference counts that the next steps hide or crash on.
  Verdict judge_every_step(const AnyScenario& scenario) { return look_at_every_step(scenario).value_or(Verdict{}); }

  /// Judges a scenario three times more that failed in the last judgement, which may have been chance. Returns its verdict
  /// if it fails alike each time, else cannot_judge.
  Verdict confirmed(const AnyScenario& scenario, const Verdict& failed);

  /// The verdict on a scenario that failed, and fails no more.
  Verdict not_repeated(const AnyScenario& scenario) const { return not_repeated(scenario, {}); }

  /// The reference's trace of the last judgement.
  const AnyTrace& trace() const { return traces_.front(); }
  const std::vector<AnyTrace>& traces() const { return traces_; }

 private:
  /// Traces of an earlier run on the usual cadence, by index; empty where there is none.
  using Seen = std::vector<std::optional<AnyTrace>>;

  struct Blame {
    std::size_t blamed;   // the implementation that is wrong
    std::size_t witness;  // an implementation that is right
  };

  void run(std::size_t i, const AnyScenario& scenario, Cadence cadence, AnyTrace& trace) const;
  void run(std::size_t i, const AnyScenario& scenario, Cadence cadence) { run(i, scenario, cadence, traces_[i]); }
  bool all_agree(const AnyScenario& scenario, std::uint64_t seed);
  Verdict not_repeated(const AnyScenario& scenario, Seen seen) const;
  std::string wavering(const AnyScenario& scenario, Seen seen) const;
  std::optional<Verdict> look_at_every_step(const AnyScenario& scenario);
  std::optional<std::size_t> first_disagreement(std::size_t total, Cadence cadence) const;
  Blame blame(std::size_t step, std::size_t total, Cadence cadence) const;
  Divergence name_difference(const AnyScenario& scenario, Cadence cadence, std::size_t step) const;

  const Vocabulary* system_;
  std::vector<Runner> implementations_;
  std::ptrdiff_t judged_always_;  // number of implementations that are judged in every scenario
  std::vector<AnyTrace> traces_;
  std::size_t different_ = 0;  // the last implementation that the fast path ran: the first that differs, if one does
  Seen seen_;                  // what the fast path saw of that one and of the reference when they differed last
  JudgeProgress* progress_;
};

}  // namespace lockstep
