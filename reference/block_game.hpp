// Block game, reference implementation: one block after the other, one cell after the other, without optimisation.
//
// A block is removable when two black squares dropped from above complete its rectangle: the other two cells of the
// rectangle are empty, and so is every cell above them.
//
//      . . . .        The rectangle of the 1s is 2 × 3 and lacks two cells, x. Both are empty, and
//      1 x x .        so are all cells above them: block 1 is removable. Block 2 lacks cells that the
//      1 1 1 2        1s occupy; once they are removed it is removable too. So all blocks are tested
//      . 2 2 2        again and again, until a pass over all of them removes none.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <variant>
#include <vector>

#include "games/block_game/game.hpp"
#include "lockstep/system/registry.hpp"

namespace lockstep::reference {

class RulebookBlockGame {
 public:
  explicit RulebookBlockGame(const BlockGame::Setup& setup) : board_{setup.board} {}

  BlockGame::Observation step(const BlockGame::Action& action) {
    if (const auto* asked = std::get_if<BlockGame::Place>(&action)) return place(*asked);
    return clear();
  }

  BlockGame::Snapshot snapshot() const { return {board_.rows, board_}; }

 private:
  struct Cell {
    int row;
    int column;
  };
  using Picture = std::array<std::string_view, 3>;

  // clang-format off
  static constexpr std::array<Picture, 12> pictures = {{
      {"###",
       "..#"},
      {"##",
       "#.",
       "#."},
      {"#..",
       "###"},
      {".#",
       ".#",
       "##"},
      {"###",
       "#.."},
      {"#.",
       "#.",
       "##"},
      {"..#",
       "###"},
      {"##",
       ".#",
       ".#"},
      {".#.",
       "###"},
      {"#.",
       "##",
       "#."},
      {"###",
       ".#."},
      {".#",
       "##",
       ".#"},
  }};
  // clang-format on

  BlockGame::Observation place(const BlockGame::Place& asked) {
    std::vector<Cell> cells;
    const Picture& picture = pictures[static_cast<std::size_t>(asked.shape - 1)];
    for (int down = 0; down < 3; ++down) {
      const std::string_view line = picture[static_cast<std::size_t>(down)];
      for (int right = 0; right < static_cast<int>(line.size()); ++right) {
        if (line[static_cast<std::size_t>(right)] == '#') cells.push_back({asked.row + down, asked.column + right});
      }
    }
    for (const Cell& cell : cells) {
      if (!board_.contains(cell.row, cell.column)) return {};
      if (board_.at(cell.row, cell.column) != 0) return {};
    }
    int number = 1;
    while (number <= BlockGame::blocks_max && std::ranges::find(board_.cells, number) != board_.cells.end()) ++number;
    if (number > BlockGame::blocks_max) return {};
    for (const Cell& cell : cells) board_.at(cell.row, cell.column) = static_cast<std::uint8_t>(number);
    BlockGame::Observation answer;
    answer.says = BlockGame::Says::placed;
    answer.number = static_cast<std::int16_t>(number);
    return answer;
  }

  BlockGame::Observation clear() {
    std::map<int, std::vector<Cell>> blocks;
    for (int row = 0; row < board_.rows; ++row) {
      for (int column = 0; column < board_.columns; ++column) {
        if (const int number = board_.at(row, column); number != 0) blocks[number].push_back({row, column});
      }
    }
    BlockGame::Observation answer;
    answer.says = BlockGame::Says::cleared;
    bool again = true;
    while (again) {
      again = false;
      for (auto block = blocks.begin(); block != blocks.end();) {
        if (!removable(block->first, block->second)) {
          ++block;
          continue;
        }
        for (const Cell& cell : block->second) board_.at(cell.row, cell.column) = 0;
        const int number = block->first;
        answer.numbers.words[static_cast<std::size_t>((number - 1) / 64)] |= std::uint64_t{1} << ((number - 1) % 64);
        ++answer.removed;
        block = blocks.erase(block);
        again = true;
      }
    }
    return answer;
  }

  bool removable(int number, const std::vector<Cell>& cells) const {
    const auto [top, bottom] = std::ranges::minmax(cells, {}, &Cell::row);
    const auto [left, right] = std::ranges::minmax(cells, {}, &Cell::column);
    for (int row = top.row; row <= bottom.row; ++row) {
      for (int column = left.column; column <= right.column; ++column) {
        if (board_.at(row, column) == number) continue;
        if (!open_to_the_sky(row, column)) return false;
      }
    }
    return true;
  }

  /// Whether the cell and all cells above it are empty.
  bool open_to_the_sky(int row, int column) const {
    for (; row >= 0; --row) {
      if (board_.at(row, column) != 0) return false;
    }
    return true;
  }

  Grid board_;
};

static_assert(Implementation<RulebookBlockGame, BlockGame>);
inline const auto rulebook_block_game = register_implementation<RulebookBlockGame, BlockGame>(
    "rulebook", Kind::reference, "every block looked at again and again");

}  // namespace lockstep::reference
