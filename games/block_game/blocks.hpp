// The blocks on a board, for the parts of the system.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "games/block_game/shapes.hpp"

namespace lockstep::block_game {

/// One number's cells on a board. In small integers, since invariants ask for all numbers of every position.
struct Block {
  struct Spot {
    std::uint8_t row, column;
  };
  std::int16_t count = 0;  // how many cells bear the number
  std::uint8_t shape = 0;  // 0: none of the twelve
  std::uint8_t row = 0;    // top-left corner of the rectangle
  std::uint8_t column = 0;
  std::array<Spot, 4> cells{};  // the first four, in reading order
};
using Blocks = std::array<Block, BlockGame::blocks_max + 1>;  // by number; 0 is nobody

Blocks census(const Grid& board);

/// Which numbers are on a board.
std::array<bool, 256> numbers_on(const Grid& board);

/// 0 when all numbers are on the board.
int smallest_free(const Grid& board);

/// The numbers over the two gaps of a block, from the gaps up to the top row; calls see(number) for each
/// covered cell. The block's own number is among them when its own cells are in the way.
void look_up_from_gaps(const Grid& board, const Block& block, auto&& see) {
  const Shape& shape = shape_of(block.shape);
  for (int column = 0; column < shape.columns; ++column) {
    int lowest_gap = -1;
    for (int row = 0; row < shape.rows; ++row) {
      if (std::ranges::find(shape.cells, Cell{row, column}) == shape.cells.end()) lowest_gap = row;
    }
    if (lowest_gap < 0) continue;
    for (int row = block.row + lowest_gap; row >= 0; --row) {
      if (const int number = board.at(row, block.column + column); number != 0) see(number);
    }
  }
}

}  // namespace lockstep::block_game
