// Runs a system's implementations in a child process, so that a crash or a hang becomes a result. The child's work is
// passed as a function, so that the code around it is compiled once, not once per system.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "lockstep/memory.hpp"
#include "lockstep/plugin.hpp"
#include "lockstep/report.hpp"
#include "lockstep/services/implementations.hpp"
#include "lockstep/services/judging.hpp"
#include "lockstep/stats.hpp"
#include "lockstep/text.hpp"

namespace lockstep {

/// How long a child may stay at one action. Where many scenarios that are much alike are judged, as in shrinking, one that
/// hangs must not cost the whole timeout each time: an action hangs if it takes twenty times as long as the slowest whole
/// judgement that ended.
class Patience {
 public:
  /// Always the guard's timeout.
  explicit Patience(Guard guard) : full_{guard.timeout}, learns_{false} {}
  /// Learns from the judgements; never longer than the guard's timeout.
  static Patience learning(Guard guard);

  std::chrono::milliseconds timeout() const;
  std::chrono::milliseconds full() const { return full_; }
  void note_judgement(std::chrono::nanoseconds time) { slowest_ = std::max(slowest_, time); }

 private:
  std::chrono::milliseconds full_;
  bool learns_;
  std::chrono::nanoseconds slowest_{};
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

/// Returns the result of `draw`, which writes the number of the in-flight action. If it dies or hangs, the reason
/// replaces the state after the last action.
Drawn draw_in_child(const std::function<Drawn(volatile std::uint32_t& in_flight)>& draw, Guard guard);

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

/// Judges scenarios one after another in one child, until one does not agree.
template <System S>
IndexedVerdict judged_in_child(const std::vector<AnyImplementation<S>>& implementations,
                               std::span<const Scenario<S>> scenarios, Checks checks, Patience& patience) {
  const SharedStats stats = share_stats();
  const auto judge_all = [&] {
    Judge<S> judge{implementations, &stats->progress};
    for (const auto& scenario : scenarios) {
      Verdict verdict = checks == Checks::usual ? judge.judge(scenario) : judge.judge_every_step(scenario);
      if (!verdict.agreed()) return verdict;
      stats->scenarios.fetch_add(1);
    }
    return Verdict{};
  };
  const auto in_flight = [&] { return std::min<std::size_t>(stats->scenarios.load(), scenarios.size() - 1); };
  Verdict verdict = judge_in_child(*stats, judge_all, patience, [&] {
    return death_at<S>(implementations, scenarios[in_flight()], stats->progress.implementation, stats->progress.step);
  });
  return {in_flight(), std::move(verdict)};
}

template <System S>
Verdict judged_in_child(const std::vector<AnyImplementation<S>>& implementations, const Scenario<S>& scenario,
                        Checks checks, Patience& patience) {
  return judged_in_child<S>(implementations, std::span{&scenario, 1}, checks, patience).verdict;
}

/// A step that corrupts memory often crashes a later step, and a different one in each scenario. So the steps before a
/// crash or a hang are judged again, compared after every step, and the first of them that is wrong is the verdict.
template <System S>
GuardedVerdict guarded_verdict(const std::vector<AnyImplementation<S>>& implementations, const Scenario<S>& scenario,
                               Patience& patience, Checks checks = Checks::usual) {
  GuardedVerdict out{judged_in_child<S>(implementations, scenario, checks, patience)};
  const auto ends_in_death = [&] { return out.verdict.divergence && dies(*out.verdict.divergence); };
  out.died = ends_in_death();
  while (ends_in_death() && out.verdict.divergence->step > 0) {
    Scenario<S> before = scenario;
    before.actions.resize(out.verdict.divergence->step - 1);
    Verdict sooner = judged_in_child<S>(implementations, before, Checks::every_step, patience);
    if (!sooner.divergence) break;
    out.verdict = std::move(sooner);
  }
  return out;
}

template <System S>
Verdict guarded_judge(const std::vector<AnyImplementation<S>>& implementations, const Scenario<S>& scenario,
                      Guard guard) {
  Patience patience{guard};
  return guarded_verdict<S>(implementations, scenario, patience).verdict;
}

/// The check of the implementations' memory while they run these scenarios (memory.hpp).
template <System S>
MemoryCheck memory_check(const std::vector<AnyImplementation<S>>& implementations,
                         std::span<const Scenario<S>> scenarios) {
  return {.implementations = implementations.size(),
          .run =
              [&implementations, scenarios](std::size_t i, volatile std::uint32_t& in_flight) {
                for (const auto& scenario : scenarios) {
                  Trace<S> trace;
                  trace.progress = &in_flight;
                  implementations[i].trace(scenario, Cadence{}, trace);
                }
              },
          .at = [&implementations, scenarios](
                    std::size_t i,
                    std::size_t in_flight) { return death_at<S>(implementations, scenarios.back(), i, in_flight); }};
}

template <System S>
Drawn draw(const AnyImplementation<S>& implementation, const Scenario<S>& scenario, volatile std::uint32_t& in_flight) {
  const std::size_t total = scenario.actions.size();
  if (const auto* const plugin = known_plugin(implementation.name)) {
    const LastWords words = last_words(*plugin->implementation, scenario_text<S>(scenario), total, in_flight);
    return {{}, picture_of(words.snapshot), line_of(words.observation)};
  }
  Trace<S> trace;
  trace.progress = &in_flight;
  implementation.trace(scenario, Cadence{}, trace);
  std::size_t positions = 0;
  for (std::size_t done = 0; done <= total; ++done) positions += takes_snapshot(Cadence{}, done, total) ? 1 : 0;
  if (trace.snapshots.size() < positions) {  // it threw
    const bool at_last = trace.snapshots.size() + 1 == positions && total > 0;
    return {at_last ? snapshot_text<S>(trace.snapshots.back()) : "", "threw " + trace.deviation->actual + "\n", {}};
  }
  const std::string after = snapshot_text<S>(trace.snapshots.back());
  if (total == 0) return {{}, after, {}};
  return {snapshot_text<S>(trace.snapshots[trace.snapshots.size() - 2]), after,
          observation_text<S>(trace.observations.back())};
}

}  // namespace lockstep
