// Runs a system's implementations in a child process, so that a crash or a hang becomes a result. The child's work is
// passed as a function, so that the code around it is compiled once, not once per system.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "lockstep/plugin.hpp"
#include "lockstep/services/implementations.hpp"
#include "lockstep/services/judging.hpp"
#include "lockstep/text.hpp"

namespace lockstep {

/// Returns the verdict of `judge`, which reports its progress. `at` describes the step at which the child died or hung.
Verdict judge_in_child(const std::function<Verdict(JudgeProgress&)>& judge, Guard guard,
                       const std::function<Divergence(std::size_t implementation, std::size_t step)>& at);

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

/// The name of the action before position `step`; "setup" for position 0.
template <System S>
std::string action_name_at(const Scenario<S>& scenario, std::size_t step) {
  return step == 0 ? "setup" : std::string{action_name(scenario.actions[step - 1])};
}

template <System S>
Verdict guarded_judge(const std::vector<AnyImplementation<S>>& implementations, const Scenario<S>& scenario,
                      Guard guard) {
  return judge_in_child([&](JudgeProgress& progress) { return Judge<S>{implementations, &progress}.judge(scenario); },
                        guard,
                        [&](std::size_t implementation, std::size_t step) {
                          Divergence d;
                          d.system = S::name;
                          d.blamed = implementations[std::min(implementation, implementations.size() - 1)].name;
                          d.step = std::min(step, scenario.actions.size());
                          d.action = action_name_at(scenario, d.step);
                          return d;
                        });
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
