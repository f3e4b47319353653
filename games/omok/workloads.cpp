#include "games/omok/workloads.hpp"

#include <cstdint>
#include <vector>

#include "lockstep/base/random.hpp"

namespace lockstep {
namespace {

constexpr int size = Omok::size_max;

/// An empty cell: with probability 2/3 next to a stone, else anywhere.
Omok::Cell free_cell(Random& random, const Grid& board, const std::vector<Omok::Place>& game) {
  while (true) {
    Omok::Cell cell{.column = random.integer(0, size - 1), .row = random.integer(0, size - 1)};
    if (!game.empty() && random.chance(2, 3)) {
      const Omok::Place& stone = random.pick(game);
      cell = {.column = stone.column + random.integer(-1, 1), .row = stone.row + random.integer(-1, 1)};
    }
    if (board.contains(cell.row, cell.column) && board.at(cell.row, cell.column) == 0) return cell;
  }
}

/// A game of so many stones as actions; `board` ends with these stones.
std::vector<Omok::Place> play(Random& random, Grid& board, int stones) {
  std::vector<Omok::Place> game;
  for (int i = 0; i < stones; ++i) {
    const Omok::Cell cell = free_cell(random, board, game);
    game.push_back({.colour = 1 + i % 2, .row = cell.row, .column = cell.column});
    board.at(cell.row, cell.column) = static_cast<std::uint8_t>(game.back().colour);
  }
  return game;
}

/// One board after so many stones, judged once.
std::vector<Scenario<Omok>> judged_boards(Random& random, int stones_least, int stones_most) {
  std::vector<Scenario<Omok>> all(512);
  for (Scenario<Omok>& scenario : all) {
    scenario.setup = {.size = size, .board = Grid{size, size}};
    play(random, scenario.setup.board, random.integer(stones_least, stones_most));
    scenario.actions = {Omok::Judge{}};
  }
  return all;
}

/// Games from the first stone on, judged after each stone.
std::vector<Scenario<Omok>> games(Random& random) {
  std::vector<Scenario<Omok>> all(64);
  for (Scenario<Omok>& scenario : all) {
    scenario.setup = {.size = size, .board = Grid{size, size}};
    Grid board = scenario.setup.board;
    for (const Omok::Place& place : play(random, board, 200)) {
      scenario.actions.emplace_back(place);
      scenario.actions.emplace_back(Omok::Judge{});
    }
  }
  return all;
}

/// On an almost full board stones are removed and placed again in a random colour, with a judgement after each change.
std::vector<Scenario<Omok>> exchanges(Random& random) {
  std::vector<Scenario<Omok>> all(64);
  for (Scenario<Omok>& scenario : all) {
    scenario.setup = {.size = size, .board = Grid{size, size}};
    const std::vector<Omok::Place> game = play(random, scenario.setup.board, 340);
    for (int i = 0; i < 100; ++i) {
      const Omok::Place& stone = random.pick(game);
      scenario.actions.emplace_back(Omok::Remove{.row = stone.row, .column = stone.column});
      scenario.actions.emplace_back(Omok::Judge{});
      scenario.actions.emplace_back(
          Omok::Place{.colour = random.integer(1, 2), .row = stone.row, .column = stone.column});
      scenario.actions.emplace_back(Omok::Judge{});
    }
  }
  return all;
}

}  // namespace

std::vector<Workload<Omok>> Omok::Workloads::all() {
  Random random{2615};
  return {{"judge_played_board", judged_boards(random, 40, 120)},
          {"judge_crowded_board", judged_boards(random, 200, 340)},
          {"stone_and_judge", games(random)},
          {"stone_and_judge_crowded", exchanges(random)}};
}

}  // namespace lockstep
