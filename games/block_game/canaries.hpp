// Block game canaries: one plain simulator that makes one of several realistic mistakes.
//
// The simulator keeps a list of blocks and paints their numbers on a board. Mistake::none makes no mistake; a test
// checks that it equals the reference, so each canary differs by its mistake alone.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <variant>

#include "games/block_game/game.hpp"
#include "lockstep/system/registry.hpp"

namespace lockstep::canaries {

enum class BlockGameMistake {
  none,
  one_pass,
  first_gap_only,
  sky_one_cell,
  count_plus_one,
  tee_stays,
  own_roof,
  limit_199,
  one_try_from_the_top,
  gaps_swapped_at_the_wall,
  cell_left_behind,
  six_passes,
  sky_sixteen_cells,
  signed_numbers,
  thirty_two_columns,
  last_number_unused,
  forty_nine_rows,
  stale_number,
};

class WrongBlockGame {
  using Mistake = BlockGameMistake;

 public:
  explicit WrongBlockGame(const BlockGame::Setup& setup, Mistake mistake = Mistake::none)
      : mistake_{mistake}, size_{setup.size}, board_{setup.board} {
    std::array<bool, BlockGame::blocks_max + 1> known{};
    for (int row = 0; row < size_; ++row) {
      for (int column = 0; column < size_; ++column) {
        const int number = board_.at(row, column);
        if (number == 0 || known[static_cast<std::size_t>(number)]) continue;
        known[static_cast<std::size_t>(number)] = true;
        add(number, shape_at(number, row, column), row, column);
      }
    }
    sort_by_number();
  }

  BlockGame::Observation step(const BlockGame::Action& action) {
    if (const auto* asked = std::get_if<BlockGame::Place>(&action)) return place(*asked);
    return clear();
  }

  BlockGame::Snapshot snapshot() const { return {size_, board_}; }

 private:
  struct Offset {
    int row;
    int column;
  };
  /// All positions are relative to the first cell in reading order, as in the source.
  struct Shape {
    std::array<Offset, 4> cells;
    std::array<Offset, 2> gaps;
    int left;  // column of the rectangle
  };
  struct Block {
    int number;
    int shape;
    int row;  // of the first cell
    int column;
  };

  // clang-format off
  static constexpr std::array<Shape, 13> shapes = {{
      {},
      {{{{0, 0}, {0, 1}, {0, 2}, {1, 2}}},    {{{1, 0}, {1, 1}}},    0},
      {{{{0, 0}, {0, 1}, {1, 0}, {2, 0}}},    {{{1, 1}, {2, 1}}},    0},
      {{{{0, 0}, {1, 0}, {1, 1}, {1, 2}}},    {{{0, 1}, {0, 2}}},    0},
      {{{{0, 0}, {1, 0}, {2, -1}, {2, 0}}},   {{{0, -1}, {1, -1}}}, -1},
      {{{{0, 0}, {0, 1}, {0, 2}, {1, 0}}},    {{{1, 1}, {1, 2}}},    0},
      {{{{0, 0}, {1, 0}, {2, 0}, {2, 1}}},    {{{0, 1}, {1, 1}}},    0},
      {{{{0, 0}, {1, -2}, {1, -1}, {1, 0}}},  {{{0, -2}, {0, -1}}}, -2},
      {{{{0, 0}, {0, 1}, {1, 1}, {2, 1}}},    {{{1, 0}, {2, 0}}},    0},
      {{{{0, 0}, {1, -1}, {1, 0}, {1, 1}}},   {{{0, -1}, {0, 1}}},  -1},
      {{{{0, 0}, {1, 0}, {1, 1}, {2, 0}}},    {{{0, 1}, {2, 1}}},    0},
      {{{{0, 0}, {0, 1}, {0, 2}, {1, 1}}},    {{{1, 0}, {1, 2}}},    0},
      {{{{0, 0}, {1, -1}, {1, 0}, {2, 0}}},   {{{0, -1}, {2, -1}}}, -1},
  }};
  // clang-format on

  static const Shape& shape_of(int shape) { return shapes[static_cast<std::size_t>(shape)]; }

  int shape_at(int number, int row, int column) const {
    for (int shape = 1; shape <= 12; ++shape) {
      const bool all = std::ranges::all_of(shape_of(shape).cells, [&](const Offset& cell) {
        return board_.contains(row + cell.row, column + cell.column) &&
               board_.at(row + cell.row, column + cell.column) == number;
      });
      if (all) return shape;
    }
    return 0;
  }

  void add(int number, int shape, int row, int column) {
    blocks_[static_cast<std::size_t>(count_++)] = {number, shape, row, column};
  }

  void sort_by_number() { std::sort(blocks_.begin(), blocks_.begin() + count_, smaller_number); }
  static bool smaller_number(const Block& a, const Block& b) { return a.number < b.number; }

  // Placing -----------------------------------------------------------------------------------

  BlockGame::Observation place(const BlockGame::Place& asked) {
    const Shape& shape = shape_of(asked.shape);
    const int column = asked.column - shape.left;
    for (const Offset& cell : shape.cells) {
      if (!board_.contains(asked.row + cell.row, column + cell.column)) return {};
      if (board_.at(asked.row + cell.row, column + cell.column) != 0) return {};
    }
    const int limit = mistake_ == Mistake::limit_199 ? BlockGame::blocks_max - 1 : BlockGame::blocks_max;
    if (count_ >= limit) return {};
    const int number = next_number();
    if (number == 0) return {};
    for (const Offset& cell : shape.cells) {
      board_.at(asked.row + cell.row, column + cell.column) = static_cast<std::uint8_t>(number);
    }
    add(number, asked.shape, asked.row, column);
    sort_by_number();
    BlockGame::Observation answer;
    answer.says = BlockGame::Says::placed;
    answer.number = static_cast<std::int16_t>(number);
    return answer;
  }

  int next_number() const {
    if (mistake_ == Mistake::count_plus_one) return count_ + 1;
    const int last = mistake_ == Mistake::last_number_unused ? BlockGame::blocks_max - 1 : BlockGame::blocks_max;
    for (int number = 1; number <= last; ++number) {
      const auto same = [number](const Block& block) { return block.number == number; };
      const bool taken = std::any_of(blocks_.begin(), blocks_.begin() + count_, same);
      if (taken || (mistake_ == Mistake::stale_number && number == last_removed_)) continue;
      return number;
    }
    return 0;
  }

  // Clearing ----------------------------------------------------------------------------------

  BlockGame::Observation clear() {
    BlockGame::Observation answer;
    answer.says = BlockGame::Says::cleared;
    if (mistake_ == Mistake::one_try_from_the_top) {
      std::sort(blocks_.begin(), blocks_.begin() + count_,
                [](const Block& a, const Block& b) { return a.row != b.row ? a.row < b.row : a.column < b.column; });
    }
    int passes = 0;
    while (pass(answer)) {
      ++passes;
      if (mistake_ == Mistake::one_pass || mistake_ == Mistake::one_try_from_the_top) break;
      if (mistake_ == Mistake::six_passes && passes == 6) break;
    }
    if (mistake_ == Mistake::one_try_from_the_top) sort_by_number();
    return answer;
  }

  /// Tests each block once and removes the removable ones; returns whether it removed any.
  bool pass(BlockGame::Observation& answer) {
    int kept = 0;
    for (int i = 0; i < count_; ++i) {
      const Block block = blocks_[static_cast<std::size_t>(i)];
      if (removable(block)) {
        erase(block);
        const auto bit = static_cast<unsigned>(block.number - 1);
        answer.numbers.words[bit / 64] |= std::uint64_t{1} << (bit % 64);
        ++answer.removed;
        last_removed_ = block.number;
      } else {
        blocks_[static_cast<std::size_t>(kept++)] = block;
      }
    }
    const bool removed = kept < count_;
    count_ = kept;
    return removed;
  }

  void erase(const Block& block) {
    const auto& cells = shape_of(block.shape).cells;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      // The foot of shape 4 extends to the left of its first cell.
      if (mistake_ == Mistake::cell_left_behind && block.shape == 4 && i == 2 && count_ > 3) continue;
      board_.at(block.row + cells[i].row, block.column + cells[i].column) = 0;
    }
  }

  bool removable(const Block& block) const {
    if (mistake_ == Mistake::tee_stays && block.shape == 9) return false;
    const auto last = [](const Block& b) { return b.row + shape_of(b.shape).cells.back().row; };
    if (mistake_ == Mistake::forty_nine_rows && last(block) == BlockGame::size_max - 1) return false;
    const Shape& shape = shape_of(block.shape);
    for (const Offset& gap : shape.gaps) {
      int column = block.column + gap.column;
      if (mistake_ == Mistake::gaps_swapped_at_the_wall && block.shape == 4 && block.column == size_ - 1) ++column;
      if (!open(block, block.row + gap.row, column)) return false;
      if (mistake_ == Mistake::first_gap_only) break;
    }
    return true;
  }

  /// Whether a black square can fall from above the board to the given cell.
  bool open(const Block& block, int row, int column) const {
    int last = 0;
    if (mistake_ == Mistake::sky_one_cell) last = std::max(row - 1, 0);
    if (mistake_ == Mistake::sky_sixteen_cells) last = std::max(row - 16, 0);
    for (int r = row; r >= last; --r) {
      if (blocks_the_way(block, r, column)) return false;
    }
    return true;
  }

  bool blocks_the_way(const Block& block, int row, int column) const {
    const int number = board_.at(row, column);
    if (mistake_ == Mistake::own_roof && number == block.number) return false;
    if (mistake_ == Mistake::signed_numbers) return static_cast<std::int8_t>(number) > 0;
    if (mistake_ == Mistake::thirty_two_columns && column >= 32) return false;
    return number != 0;
  }

  Mistake mistake_;
  int size_;
  Grid board_;
  std::array<Block, BlockGame::blocks_max> blocks_{};  // in order of numbers
  int count_ = 0;
  int last_removed_ = 0;
};
static_assert(Implementation<WrongBlockGame, BlockGame>);

// From shallow to deep.
inline const std::array block_game_canaries = {
    register_canary<WrongBlockGame, BlockGame>("own_roof", BlockGameMistake::own_roof,
                                               "a block's own cells do not cover its gaps"),
    register_canary<WrongBlockGame, BlockGame>("tee_stays", BlockGameMistake::tee_stays,
                                               "the upright T is never removed"),
    register_canary<WrongBlockGame, BlockGame>("count_plus_one", BlockGameMistake::count_plus_one,
                                               "a new block's number is the count of blocks plus one"),
    register_canary<WrongBlockGame, BlockGame>("sky_one_cell", BlockGameMistake::sky_one_cell,
                                               "of the sky over a gap only the cell next above it is checked"),
    register_canary<WrongBlockGame, BlockGame>("first_gap_only", BlockGameMistake::first_gap_only,
                                               "only the first gap is checked"),
    register_canary<WrongBlockGame, BlockGame>("one_pass", BlockGameMistake::one_pass, "one pass in order of numbers"),
    register_canary<WrongBlockGame, BlockGame>("one_try_from_the_top", BlockGameMistake::one_try_from_the_top,
                                               "each block once, in order of first cells"),
    register_canary<WrongBlockGame, BlockGame>("gaps_swapped_at_the_wall", BlockGameMistake::gaps_swapped_at_the_wall,
                                               "shape 4 looks for its gaps in its own column at the right wall"),
    register_canary<WrongBlockGame, BlockGame>("cell_left_behind", BlockGameMistake::cell_left_behind,
                                               "removing shape 4 leaves its foot while more than three blocks stand"),
    register_canary<WrongBlockGame, BlockGame>("stale_number", BlockGameMistake::stale_number,
                                               "the number removed last is not given to a new block"),
    register_canary<WrongBlockGame, BlockGame>("signed_numbers", BlockGameMistake::signed_numbers,
                                               "numbers over 127 are negative and do not cover a gap"),
    register_canary<WrongBlockGame, BlockGame>("six_passes", BlockGameMistake::six_passes,
                                               "at most six passes in order of numbers"),
    register_canary<WrongBlockGame, BlockGame>("thirty_two_columns", BlockGameMistake::thirty_two_columns,
                                               "cells from column 32 on do not cover a gap, as in a sky of 32 bits"),
    register_canary<WrongBlockGame, BlockGame>("sky_sixteen_cells", BlockGameMistake::sky_sixteen_cells,
                                               "the sky is checked sixteen cells up"),
    register_canary<WrongBlockGame, BlockGame>("limit_199", BlockGameMistake::limit_199,
                                               "no block is placed when 199 stand"),
    register_canary<WrongBlockGame, BlockGame>("last_number_unused", BlockGameMistake::last_number_unused,
                                               "the number 200 is never given"),
    register_canary<WrongBlockGame, BlockGame>("forty_nine_rows", BlockGameMistake::forty_nine_rows,
                                               "what stands in the fiftieth row is never removed"),
};

}  // namespace lockstep::canaries
