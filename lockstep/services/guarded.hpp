// Runs a system's implementations in a child process, so that a crash or a hang becomes a result.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "lockstep/describe/scenario.hpp"
#include "lockstep/services/judging.hpp"
#include "lockstep/services/stats.hpp"

namespace lockstep {

/// How long a child may stay at one action. Where many scenarios that are much alike are judged, as in shrinking, one that
/// hangs must not cost the whole timeout each time: an action hangs if it takes ten times as long as the slowest whole
/// judgement that ended, at least 50 ms; before one has ended, a tenth of the timeout. Of those without a failure the slowest
/// counts an eighth less with each one after it, so that a pause of the machine does not make all later hangs slow.
class Patience {
 public:
  /// Always the guard's timeout.
  explicit Patience(Guard guard) : Patience{guard, false} {}
  /// Learns from the judgements; never longer than the guard's timeout.
  static Patience learning(Guard guard) { return {guard, true}; }

  std::chrono::milliseconds timeout() const;
  std::chrono::milliseconds full() const { return full_; }
  void note_judgement(std::chrono::nanoseconds time, bool failed) {
    if (failed) slowest_failure_ = std::max(slowest_failure_, time);
    else slowest_ = std::max(slowest_ * 7 / 8, time);
  }

 private:
  Patience(Guard guard, bool learns) : full_{guard.timeout}, learns_{learns} {}

  std::chrono::milliseconds full_;
  bool learns_;
  std::chrono::nanoseconds slowest_{};
  std::chrono::nanoseconds slowest_failure_{};
};

/// Returns the verdict of `judge`, which reports its progress in `stats` (shared memory). `at` describes the step at which
/// the child died or hung. An exception that leaves `judge` is no verdict: cannot_judge.
Verdict judge_in_child(CampaignStats& stats, const std::function<Verdict()>& judge, Patience& patience,
                       const std::function<Divergence()>& at);

/// A number that changes while a child judges.
std::uint64_t heartbeat_of(const CampaignStats& stats);

/// Completes the divergence of a child that died or hung: its kind, for signatures and for people, and its error output.
void note_death(Divergence& d, bool hung, std::string kind, std::string reason, std::string_view error_output);

/// An implementation's state before and after the last action of a scenario, and its answer to that action, as text. If
/// it threw an exception that is no answer, this replaces the state after.
struct Drawn {
  std::string before;
  std::string after;
  std::string answer;
};

/// Runs the implementation in a child. If it dies or hangs, the reason replaces the state after the last action.
Drawn drawn_in_child(const Runner& implementation, const AnyScenario& scenario, Guard guard);

inline bool dies(const Divergence& d) { return d.kind == DivergenceKind::crash || d.kind == DivergenceKind::hang; }

/// A judgement in child processes.
struct GuardedVerdict {
  Verdict verdict;
  /// The whole scenario ends the process, whatever the verdict is: memory may be corrupted, so nothing else can be judged
  /// in the same process.
  bool died = false;
};

/// After which steps the judge compares.
enum class Checks { usual, every_step };

/// A scenario among others, and its verdict.
struct IndexedVerdict {
  std::size_t index = 0;
  Verdict verdict = {};
};

/// Judges scenarios, at least one, one after another in one child, until one does not agree.
IndexedVerdict judged_in_child(const std::vector<Runner>& implementations, std::span<const AnyScenario> scenarios,
                               Checks checks, Patience& patience);

/// A step that corrupts memory often crashes a later step, and a different one in each scenario. So the steps before a
/// crash or a hang are judged again, compared after every step, and the first of them that is wrong is the verdict.
GuardedVerdict guarded_verdict(const std::vector<Runner>& implementations, const AnyScenario& scenario,
                               Patience& patience, Checks checks = Checks::usual);

Verdict guarded_judge(const std::vector<Runner>& implementations, const AnyScenario& scenario, Guard guard);

}  // namespace lockstep
