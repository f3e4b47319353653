// The small boards of the block game: all that consist of the twelve shapes.
#include "games/block_game/explorations.hpp"

#include <algorithm>
#include <memory>

#include "games/block_game/shapes.hpp"

namespace lockstep {

namespace {

using namespace block_game;
using Setup = BlockGame::Setup;

/// Visits the cells in reading order: each one is the first cell of a block, of every shape that fits in turn, or of
/// none. So every board is generated once, its blocks numbered in reading order of their first cells.
void make_boards(Grid& board, int cell, int blocks, std::vector<std::vector<std::uint8_t>>& out) {
  if (cell == board.rows * board.columns) return out.push_back(board.cells);
  make_boards(board, cell + 1, blocks, out);
  const Cell first{cell / board.columns, cell % board.columns};
  for (int shape = 1; shape <= BlockGame::shapes; ++shape) {
    if (!lay_from(board, shape, first, blocks + 1)) continue;
    make_boards(board, cell + 1, blocks + 1, out);
    lay(board, shape, first.row, first.column - shape_of(shape).cells[0].column, 0);
  }
}

using Boards = std::vector<std::vector<std::uint8_t>>;

std::shared_ptr<const Boards> all_boards(int size) {
  auto out = std::make_shared<Boards>();
  Grid board{size, size};
  make_boards(board, 0, 0, *out);
  return out;
}

/// Each board is cleared twice (the second clear must remove nothing), and once with its numbers reversed, which
/// changes the order for implementations that visit blocks by number.
SweepPart<BlockGame> boards_of(int size) {
  const auto boards = all_boards(size);
  const auto scenarios = [=](std::uint64_t number, Scenario<BlockGame>& scenario, const Judged& judged) {
    Setup& setup = scenario.setup;
    if (setup.size != size) setup = {size, Grid{size, size}};
    setup.board.cells = (*boards)[number];
    scenario.actions.assign(2, BlockGame::Clear{});
    judged();
    const std::uint8_t last = std::ranges::max(setup.board.cells);
    if (last < 2) return;
    for (std::uint8_t& cell : setup.board.cells) cell = static_cast<std::uint8_t>(cell == 0 ? 0 : last + 1 - cell);
    scenario.actions.resize(1);
    judged();
  };
  return {
      .name = std::to_string(size) + " x " + std::to_string(size), .numbers = boards->size(), .scenarios = scenarios};
}

Exploration<BlockGame> boards_up_to(int size) {
  const std::string side = std::to_string(size);
  const auto parts = [size] {
    Sweep<BlockGame> out;
    for (int each = BlockGame::size_min; each <= size; ++each) out.push_back(boards_of(each));
    return out;
  };
  return {.name = "boards_to_" + side,
          .about = "every board up to " + side + " x " + side + " that the twelve shapes can make, cleared",
          .what = parts};
}

/// All positions reachable from the empty board by `place` and `clear`.
Exploration<BlockGame> played_from_empty(int size, std::uint64_t depth) {
  const std::string side = std::to_string(size);
  return {.name = "played_" + side,
          .about = "every position of a " + side + " x " + side + " board: every block placed everywhere, and cleared",
          .what = Walk<BlockGame>{{size, Grid{size, size}}, depth}};
}

}  // namespace

std::vector<Exploration<BlockGame>> BlockGame::Explorations::all() {
  // 25 cells hold at most six blocks of four cells, so one more action finds no new position.
  return {boards_up_to(4), boards_up_to(5), played_from_empty(4, 5), played_from_empty(5, 7)};
}

}  // namespace lockstep
