// How a batch is put on the clock.
#pragma once

#include <benchmark/benchmark.h>

#include <chrono>

#include "harness/laps.hpp"

namespace lockstep::bench {

/// Laps for as long as the state wants them, each of so many boards: `make_ready()` off the clock, `ask()` on it.
/// Times are per board.
void time_laps(benchmark::State& state, std::size_t boards, auto&& make_ready, auto&& ask) {
  while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(boards))) {
    make_ready();
    const Stopwatch stopwatch;
    ask();
    state.SetIterationTime(std::chrono::duration<double>{stopwatch.elapsed()}.count());
  }
  state.SetItemsProcessed(state.iterations());
}

}  // namespace lockstep::bench
