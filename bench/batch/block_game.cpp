// Counts the removable blocks of many boards at once, without their numbers:
// block_game/count_removable/WORKLOAD/batch, at the level in use.
//
// Times are per board, from bitboards to counts. The counts are compared with those of bit_rows before the clock
// starts.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "bench/batch/timing.hpp"
#include "bench/benchmarks.hpp"
#include "games/block_game/roster.hpp"
#include "games/block_game/workloads.hpp"

namespace lockstep::bench {
namespace {

using Boards = std::vector<Scenario<BlockGame>>;

void count_removable(benchmark::State& state, const Boards& boards) {
  optimized::BlockBoards batch{boards.size(), boards.front().setup.size};
  std::vector<std::uint64_t> counts(boards.size());
  for (std::size_t i = 0; i < boards.size(); ++i) batch.set(i, optimized::BitRows{boards[i].setup});
  batch.count_removable(counts);
  for (std::size_t i = 0; i < boards.size(); ++i) {
    const auto expected = optimized::BitRows{boards[i].setup}.step(BlockGame::Clear{}).removed;
    if (counts[i] == static_cast<std::uint64_t>(expected)) continue;
    return disagree(state, "batch and bit_rows count different blocks");
  }
  time_laps(
      state, boards.size(), [] {},
      [&] {
        batch.count_removable(counts);
        observe_answer(counts);
      });
}

std::expected<void, std::string> add_counts() {
  const auto cleared_once = [](const Boards& boards) { return ask_only<BlockGame>(boards, BlockGame::Clear{}); };
  return add_timed<BlockGame>("count_removable", cleared_once, {{"batch", count_removable}});
}

[[maybe_unused]] const bool added_counts = add_section(&add_counts);

}  // namespace
}  // namespace lockstep::bench
