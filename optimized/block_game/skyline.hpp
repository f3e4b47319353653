// Block game, lean: one scalar sweep over the board per clear, with a skyline.
//
// The five removable shapes fill the bottom row of their rectangle, and all missing cells of the rectangle lie above
// that row (o: the block, x: its gaps):
//
//        o x x     x x o     x o x     o x     x o
//        o o o     o o o     o o o     o x     x o
//                                      o o     o o
//
// So in a gap's column the block has exactly one cell, in its bottom row, and the gaps of that column
// are open to the sky exactly when that cell is the topmost of its column. With sky[c] = the topmost
// occupied row of column c, "removable" reads: sky[c] = bottom row, for each gap column c.
//
// One sweep over the bottom rows from top to bottom finds all removable blocks. Proof: let D have one of the five
// shapes, with bottom row d, and let another block B cover a cell above d in one of D's gap columns, c. B has to be
// removed before D. Suppose that B is removable at all: then it also has one of the five shapes, and in each of its
// columns its cells reach without a hole down to its bottom row b. B has a cell of column c above d; if b ≥ d, it
// would also own the cell (d, c), which is D's. So b < d: a block that covers a gap of D has a smaller bottom row, and
// the sweep has decided it before it reaches D. (Blocks with the same bottom row do not cover each other's gaps, so
// their order is free.) A second sweep finds nothing more.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <variant>

#include "games/block_game/game.hpp"
#include "lockstep/system/registry.hpp"

namespace lockstep::optimized {

class Skyline {
 public:
  explicit Skyline(const BlockGame::Setup& setup) : size_{setup.size} {
    for (int row = 0; row < size_; ++row) {
      for (int column = 0; column < size_; ++column) {
        const std::uint8_t number = setup.board.at(row, column);
        cell(row, column) = number;
        used_[number] = true;
      }
    }
    used_[0] = true;
  }

  BlockGame::Observation step(const BlockGame::Action& action) {
    if (const auto* asked = std::get_if<BlockGame::Place>(&action)) return place(*asked);
    return clear();
  }

  BlockGame::Snapshot snapshot() const {
    return {size_, Grid::drawn(size_, size_, [&](int row, int column) { return cell(row, column); })};
  }

 private:
  static constexpr int margin = 3;  // empty columns on the right and rows on top, instead of bounds checks
  static constexpr int stride = BlockGame::size_max + margin;

  struct Offset {
    std::int8_t down;
    std::int8_t right;
  };
  using Cells = std::array<Offset, 4>;

  // From the top-left corner of the rectangle.
  // clang-format off
  static constexpr std::array<Cells, BlockGame::shapes + 1> cells_of = {{
      {},
      {{{0, 0}, {0, 1}, {0, 2}, {1, 2}}},  {{{0, 0}, {0, 1}, {1, 0}, {2, 0}}},  {{{0, 0}, {1, 0}, {1, 1}, {1, 2}}},
      {{{0, 1}, {1, 1}, {2, 1}, {2, 0}}},  {{{0, 0}, {0, 1}, {0, 2}, {1, 0}}},  {{{0, 0}, {1, 0}, {2, 0}, {2, 1}}},
      {{{0, 2}, {1, 2}, {1, 1}, {1, 0}}},  {{{0, 0}, {0, 1}, {1, 1}, {2, 1}}},  {{{0, 1}, {1, 0}, {1, 1}, {1, 2}}},
      {{{0, 0}, {1, 0}, {1, 1}, {2, 0}}},  {{{0, 0}, {0, 1}, {0, 2}, {1, 1}}},  {{{0, 1}, {1, 0}, {1, 1}, {2, 1}}},
  }};
  // clang-format on

  std::uint8_t& cell(int row, int column) { return cells_[static_cast<std::size_t>((row + margin) * stride + column)]; }
  std::uint8_t cell(int row, int column) const {
    return cells_[static_cast<std::size_t>((row + margin) * stride + column)];
  }

  BlockGame::Observation place(const BlockGame::Place& asked) {
    const Cells& cells = cells_of[static_cast<std::size_t>(asked.shape)];
    for (const auto& [down, right] : cells) {
      if (asked.row + down >= size_ || asked.column + right >= size_) return {};
      if (cell(asked.row + down, asked.column + right) != 0) return {};
    }
    const auto free = std::ranges::find(used_, false);
    if (free == used_.end()) return {};
    *free = true;
    const auto number = free - used_.begin();
    for (const auto& [down, right] : cells) {
      cell(asked.row + down, asked.column + right) = static_cast<std::uint8_t>(number);
    }
    return {.says = BlockGame::Says::placed, .number = static_cast<std::int16_t>(number), .removed = 0, .numbers = {}};
  }

  BlockGame::Observation clear() {
    for (int column = 0; column < size_; ++column) {
      sky(column) = 0;
      lower(column);
    }
    BlockGame::Observation answer;
    answer.says = BlockGame::Says::cleared;
    for (int bottom = 0; bottom < size_; ++bottom) {
      for (int left = 0; left + 1 < size_; ++left) {
        const std::uint8_t number = cell(bottom, left);
        if (number == 0 || number != cell(bottom, left + 1)) continue;
        const int width = number == cell(bottom, left + 2) ? 3 : 2;
        const int tall = tall_column(number, bottom, left, width);
        if (tall < 0 || !gaps_open(bottom, left, width, tall)) {
          left += width - 1;
          continue;
        }
        remove(bottom, left, width, tall);
        used_[number] = false;
        answer.numbers.words[(number - 1u) / 64] |= std::uint64_t{1} << ((number - 1u) % 64);
        ++answer.removed;
        left += width - 1;
      }
    }
    return answer;
  }

  /// The column in which a block that fills `width` cells of its bottom row reaches the top of its rectangle; −1 when
  /// it has none of the five shapes.
  int tall_column(std::uint8_t number, int bottom, int left, int width) const {
    for (int column = left; column < left + width; ++column) {
      if (cell(bottom - 1, column) != number) continue;
      // A block two cells wide is three high, because it has four cells.
      return width == 3 || cell(bottom - 2, column) == number ? column : -1;
    }
    return -1;
  }

  bool gaps_open(int bottom, int left, int width, int tall) {
    for (int column = left; column < left + width; ++column) {
      if (column != tall && sky(column) != bottom) return false;
    }
    return true;
  }

  void remove(int bottom, int left, int width, int tall) {
    for (int column = left; column < left + width; ++column) cell(bottom, column) = 0;
    cell(bottom - 1, tall) = 0;
    if (width == 2) cell(bottom - 2, tall) = 0;
    for (int column = left; column < left + width; ++column) lower(column);
  }

  /// Lowers the skyline of a column to its topmost occupied row, or to size_ when the column is empty.
  void lower(int column) {
    int row = sky(column);
    while (row < size_ && cell(row, column) == 0) ++row;
    sky(column) = row;
  }
  int& sky(int column) { return sky_[static_cast<std::size_t>(column)]; }

  int size_;
  std::array<std::uint8_t, (BlockGame::size_max + margin) * stride> cells_{};
  std::array<int, BlockGame::size_max> sky_{};
  std::array<bool, BlockGame::blocks_max + 1> used_{};
};

static_assert(Implementation<Skyline, BlockGame>);
inline const auto skyline = register_implementation<Skyline, BlockGame>(
    "skyline", Kind::yardstick, "one scalar sweep over a skyline of column tops");

}  // namespace lockstep::optimized
