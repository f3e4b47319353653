// How simulators are timed, and compared before.
#pragma once

#include <benchmark/benchmark.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/benchmarks.hpp"
#include "lockstep/describe/scenario.hpp"
#include "lockstep/describe/stopwatch.hpp"
#include "lockstep/judge/judge.hpp"

namespace lockstep::bench {

/// Judges the scenarios before they are timed; false when simulators differ, and then the benchmark is skipped with
/// the reason. On demand, the client compares by other means.
inline bool agreed_on(const std::vector<AnyScenario>& scenarios, std::vector<Runner> simulators,
                      benchmark::State& state) {
  if (run().on_demand) return true;
  Judge judge{scenarios.front().vocabulary(), std::move(simulators)};
  for (const AnyScenario& scenario : scenarios) {
    const std::string fault = difference(judge, scenario);
    if (fault.empty()) continue;
    state.SkipWithError(fault.c_str());
    return false;
  }
  return true;
}

/// Runs laps, each of so many actions, as long as the state requests them; returns the mean time of an action. On
/// demand, runs as many as the request says, and returns nothing here.
inline std::optional<Seconds> time_actions(benchmark::State& state, Laps& laps, std::size_t actions, Clocked clocked) {
  if (run().on_demand) {
    time_on_demand(state, actions, [&] { return lap(laps, clocked); });
    return std::nullopt;
  }
  Seconds total{};
  while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(actions))) {
    const Seconds time = lap(laps, clocked);
    state.SetIterationTime(time.count());
    total += time;
  }
  state.SetItemsProcessed(state.iterations());
  return total / static_cast<double>(state.iterations());
}

}  // namespace lockstep::bench
