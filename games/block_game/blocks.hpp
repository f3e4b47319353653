// The blocks on a board, for generators, laws and features.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "games/block_game/shapes.hpp"

namespace lockstep::block_game {

/// The cells of one number on a board. Small integers keep it compact: invariants compute all numbers of every
/// position.
struct Block {
  struct Spot {
    std::uint8_t row, column;
  };
  std::int16_t count = 0;  // the number of its cells
  std::uint8_t shape = 0;  // 0: none of the twelve
  std::uint8_t row = 0;    // top-left corner of the rectangle
  std::uint8_t column = 0;
  std::array<Spot, 4> cells{};  // the first four, in reading order
};

/// The blocks of a board by their numbers. Most boards hold few of the 200 numbers, so the numbers on the board are kept as
/// bits, and loops visit these only.
class Blocks {
 public:
  Blocks() = default;
  explicit Blocks(const Grid& board);

  /// As the board changes: a block is laid, or removed.
  void add(int number, int shape, int row, int column);
  void remove(std::size_t number);
  /// The smallest number that is not on the board; 0 when all are.
  int smallest_free() const;

  const Block& operator[](std::size_t number) const { return by_number_[number]; }

  /// Calls see(number, block) for each number on the board, from the smallest.
  void each(auto&& see) const {
    for (std::size_t word = 0; word < present_.size(); ++word) {
      for (std::uint64_t rest = present_[word]; rest != 0; rest &= rest - 1) {
        const auto number = 64 * word + static_cast<std::size_t>(std::countr_zero(rest));
        see(number, by_number_[number]);
      }
    }
  }

 private:
  std::array<Block, BlockGame::blocks_max + 1> by_number_{};  // 0 is unused
  std::array<std::uint64_t, 4> present_{};
};

/// Marks the numbers that are on a board.
std::array<bool, 256> numbers_on(const Grid& board);

/// 0 when all numbers are on the board.
int smallest_free(const Grid& board);

/// The gaps in a shape's rectangle: a column, and the lowest gap in it.
struct Gap {
  int row, column;
};
struct Gaps {
  std::array<Gap, 2> of{};
  std::size_t count = 0;
};
inline constexpr auto gaps_by_shape = [] {
  std::array<Gaps, BlockGame::shapes + 1> out{};
  for (int shape = 1; shape <= BlockGame::shapes; ++shape) {
    const Shape& one = shape_table[static_cast<std::size_t>(shape - 1)];
    Gaps& gaps = out[static_cast<std::size_t>(shape)];
    for (int column = 0; column < one.columns; ++column) {
      int lowest = -1;
      for (int row = 0; row < one.rows; ++row) {
        if (std::ranges::find(one.cells, Cell{row, column}) == one.cells.end()) lowest = row;
      }
      if (lowest >= 0) gaps.of[gaps.count++] = {lowest, column};
    }
  }
  return out;
}();

/// Visits the cells from the two gaps of a block up to the top row, and calls see(number) for each occupied cell until it
/// returns false. The block's own number is among them when its own cells cover a gap.
void look_up_from_gaps(const Grid& board, const Block& block, auto&& see) {
  const Gaps& gaps = gaps_by_shape[block.shape];
  for (std::size_t i = 0; i < gaps.count; ++i) {
    for (int row = block.row + gaps.of[i].row; row >= 0; --row) {
      const int number = board.at(row, block.column + gaps.of[i].column);
      if (number != 0 && !see(number)) return;
    }
  }
}

}  // namespace lockstep::block_game
