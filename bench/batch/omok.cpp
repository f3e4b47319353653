// Judges many boards at once: omok/judge_boards/WORKLOAD/batch, at the level in use.
//
// Times are per board, in batches of 4,096, from interleaved bitboards to winner and winning stone. The answers are
// compared with those of shifts before the clock starts.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "bench/batch/timing.hpp"
#include "bench/benchmarks.hpp"
#include "games/omok/roster.hpp"
#include "games/omok/workloads.hpp"

namespace lockstep::bench {
namespace {

using Boards = std::vector<Scenario<Omok>>;

constexpr std::size_t batch_size = 4096;

void judge_boards(benchmark::State& state, const Boards& boards) {
  optimized::OmokBoards batch{batch_size};
  for (std::size_t i = 0; i < batch_size; ++i) {
    const Grid& board = boards[i % boards.size()].setup.board;
    for (int row = 0; row < board.rows; ++row) {
      for (int column = 0; column < board.columns; ++column) batch.put(i, board.at(row, column), row, column);
    }
  }
  std::vector<Omok::Observation> answers(batch_size);
  batch.judge(answers);
  for (std::size_t i = 0; i < batch_size; ++i) {
    if (answers[i] == optimized::ShiftsOmok{boards[i % boards.size()].setup}.step(Omok::Judge{})) continue;
    return disagree(state, "batch and shifts answer differently");
  }
  time_laps(
      state, batch_size, [] {},
      [&] {
        batch.judge(answers);
        observe_answer(answers);
      });
}

std::expected<void, std::string> add_judgements() {
  const auto judged_once = [](const Boards& boards) { return ask_only<Omok>(boards, Omok::Judge{}); };
  return add_timed<Omok>("judge_boards", judged_once, {{"batch", judge_boards}});
}

[[maybe_unused]] const bool added_judgements = add_section(&add_judgements);

}  // namespace
}  // namespace lockstep::bench
