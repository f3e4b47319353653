// Block game, the straightforward solution: it tries every 2 × 3 and 3 × 2 window from the top row down, and repeats
// until a pass over the board removes nothing. A yardstick for measurements.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "games/block_game/game.hpp"
#include "lockstep/system/registry.hpp"

namespace lockstep::optimized {

class TextbookBlockGame {
 public:
  explicit TextbookBlockGame(const BlockGame::Setup& setup) : size_{setup.size} {
    for (int row = 0; row < size_; ++row) {
      board_.emplace_back();
      for (int column = 0; column < size_; ++column) board_.back().push_back(setup.board.at(row, column));
    }
  }

  BlockGame::Observation step(const BlockGame::Action& action) {
    if (const auto* place = std::get_if<BlockGame::Place>(&action)) return play(*place);
    return clear();
  }

  BlockGame::Snapshot snapshot() const {
    return {size_, Grid::drawn(size_, size_, [&](int row, int column) { return at(row, column); })};
  }

 private:
  int& at(int row, int column) { return board_[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)]; }
  int at(int row, int column) const { return board_[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)]; }

  BlockGame::Observation play(const BlockGame::Place& place) {
    // The rows of the twelve rectangles, in the source's order.
    static const std::vector<std::vector<std::string_view>> shapes = {
        {"###", "..#"}, {"##", "#.", "#."}, {"#..", "###"}, {".#", ".#", "##"}, {"###", "#.."}, {"#.", "#.", "##"},
        {"..#", "###"}, {"##", ".#", ".#"}, {".#.", "###"}, {"#.", "##", "#."}, {"###", ".#."}, {".#", "##", ".#"}};
    const auto& shape = shapes[static_cast<std::size_t>(place.shape - 1)];
    const int height = static_cast<int>(shape.size());
    const int width = static_cast<int>(shape[0].size());
    if (place.row + height > size_ || place.column + width > size_) return {};
    const auto covers = [&](int row, int column) {
      return shape[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] == '#';
    };
    for (int row = 0; row < height; ++row) {
      for (int column = 0; column < width; ++column) {
        if (covers(row, column) && at(place.row + row, place.column + column) != 0) return {};
      }
    }
    const int number = smallest_free();
    if (number > BlockGame::blocks_max) return {};
    for (int row = 0; row < height; ++row) {
      for (int column = 0; column < width; ++column) {
        if (covers(row, column)) at(place.row + row, place.column + column) = number;
      }
    }
    return {.says = BlockGame::Says::placed, .number = static_cast<std::int16_t>(number), .removed = 0, .numbers = {}};
  }

  int smallest_free() const {
    std::vector<bool> used(BlockGame::blocks_max + 2);
    for (const auto& row : board_) {
      for (const int number : row) used[static_cast<std::size_t>(number)] = true;
    }
    int number = 1;
    while (used[static_cast<std::size_t>(number)]) ++number;
    return number;
  }

  BlockGame::Observation clear() {
    BlockGame::Observation out;
    out.says = BlockGame::Says::cleared;
    for (bool any = true; any;) {
      any = false;
      for (int row = 0; row < size_; ++row) {
        for (int column = 0; column < size_; ++column) {
          if (remove(row, column, 2, 3, out)) any = true;
          if (remove(row, column, 3, 2, out)) any = true;
        }
      }
    }
    return out;
  }

  /// Removes the block that fills a window with two black squares; false when there is none.
  bool remove(int top, int left, int height, int width, BlockGame::Observation& out) {
    if (top + height > size_ || left + width > size_) return false;
    int number = 0;
    int gaps = 0;
    for (int row = top; row < top + height; ++row) {
      for (int column = left; column < left + width; ++column) {
        const int cell = at(row, column);
        if (cell == 0) {
          if (++gaps > 2 || !open(row, column)) return false;
        } else if (number == 0) {
          number = cell;
        } else if (cell != number) {
          return false;
        }
      }
    }
    if (gaps != 2) return false;
    for (int row = top; row < top + height; ++row) {
      for (int column = left; column < left + width; ++column) at(row, column) = 0;
    }
    ++out.removed;
    const auto bit = static_cast<unsigned>(number - 1);
    out.numbers.words[bit / 64] |= std::uint64_t{1} << (bit % 64);
    return true;
  }

  /// Whether a black square that is dropped into the column reaches the cell.
  bool open(int row, int column) const {
    for (int above = 0; above < row; ++above) {
      if (at(above, column) != 0) return false;
    }
    return true;
  }

  int size_;
  std::vector<std::vector<int>> board_;
};

static_assert(Implementation<TextbookBlockGame, BlockGame>);
inline const auto block_game_textbook = register_implementation<TextbookBlockGame, BlockGame>(
    "textbook", Kind::yardstick, "what one writes first: every window tried until nothing goes");

}  // namespace lockstep::optimized
