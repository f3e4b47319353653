// The judge's question for many boards at once, how many blocks can be removed, without their numbers:
// block_game/count_removable/WORKLOAD/batch, on machines with AVX-512.
//
// Times are per board, from boards in bits to the counts. They are compared with bit_rows before the clock starts.
#include "systems/block_game.hpp"
#include LOCKSTEP_WORKLOADS

#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bench/batch/laps.hpp"
#include "bench/benchmarks.hpp"

namespace lockstep::bench {
namespace {

#if defined(__x86_64__)

using Boards = std::vector<Scenario<BlockGame>>;

void count_removable(benchmark::State& state, const Boards& boards) {
  optimized::BlockBoards batch{boards.size(), boards.front().setup.size};
  std::vector<std::uint64_t> counts(boards.size());
  for (std::size_t i = 0; i < boards.size(); ++i) batch.set(i, optimized::BitRows{boards[i].setup});
  batch.count_removable(counts);
  for (std::size_t i = 0; i < boards.size(); ++i) {
    const auto expected = optimized::BitRows{boards[i].setup}.step(BlockGame::Clear{}).removed;
    if (counts[i] == static_cast<std::uint64_t>(expected)) continue;
    run().disagreed = true;
    return state.SkipWithError("batch and bit_rows count different blocks");
  }
  time_laps(
      state, boards.size(), [] {},
      [&] {
        batch.count_removable(counts);
        observe_answer(counts);
      });
}

std::expected<void, std::string> add_counts() {
  if (!has_avx512()) return {};
  for (auto& workload : workloads<BlockGame>()) {
    const bool one_question_each = std::ranges::all_of(workload.scenarios, [](const Scenario<BlockGame>& scenario) {
      return scenario.actions == std::vector<BlockGame::Action>{BlockGame::Clear{}};
    });
    if (!one_question_each) continue;
    const std::string name = "block_game/count_removable/" + std::string{workload.name} + "/batch";
    benchmark::RegisterBenchmark(name.c_str(), [boards = workload.scenarios](benchmark::State& state) {
      count_removable(state, boards);
    })->UseManualTime();
  }
  return {};
}

[[maybe_unused]] const bool added_counts = add_section(&add_counts);

#endif

}  // namespace
}  // namespace lockstep::bench
