// Benchmarks of batches: one question to many boards at once.
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <expected>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/benchmarks.hpp"
#include "lockstep/describe/stopwatch.hpp"
#include "lockstep/system/workload.hpp"

namespace lockstep::bench {

/// Runs laps as long as the state, or the request on demand, asks for them, each over a batch of boards: `make_ready()`
/// off the clock, `ask()` on it. Times are per board.
void time_laps(benchmark::State& state, std::size_t boards, auto&& make_ready, auto&& ask) {
  const auto lap = [&] {
    make_ready();
    const Stopwatch stopwatch;
    ask();
    return stopwatch.elapsed();
  };
  if (run().on_demand) return time_on_demand(state, boards, lap);
  while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(boards))) {
    state.SetIterationTime(std::chrono::duration<double>{lap()}.count());
  }
  state.SetItemsProcessed(state.iterations());
}

/// Aborts a benchmark before its clock starts, because a batch and the simulator beside it give different answers.
inline void disagree(benchmark::State& state, const char* how) {
  run().disagreed = true;
  state.SkipWithError(how);
}

/// Whether each scenario is exactly this question to a loaded board.
template <class G>
bool ask_only(const std::vector<Scenario<G>>& scenarios, const typename G::Action& question) {
  return std::ranges::all_of(scenarios, [&](const Scenario<G>& scenario) {
    return scenario.actions.size() == 1 && scenario.actions.front() == question;
  });
}

/// An implementation of the question, and how it is timed on the scenarios of a workload.
template <class G>
struct Timed {
  std::string_view implementation;
  std::function<void(benchmark::State&, const std::vector<Scenario<G>>&)> time;
};

/// Registers GAME/QUESTION/WORKLOAD/NAME for every implementation and every workload with scenarios that `fit`.
template <class G>
std::expected<void, std::string> add_timed(std::string_view question, auto&& fit, const std::vector<Timed<G>>& all) {
  if (all.empty()) return {};
  for (auto& workload : WorkloadsOf<G>::all()) {
    if (!fit(workload.scenarios)) continue;
    for (const Timed<G>& timed : all) {
      std::string name{G::name};
      for (const std::string_view part : {question, workload.name, timed.implementation}) name.append("/").append(part);
      benchmark::RegisterBenchmark(name.c_str(), [timed, scenarios = workload.scenarios](benchmark::State& state) {
        timed.time(state, scenarios);
      })->UseManualTime();
    }
  }
  return {};
}

}  // namespace lockstep::bench
