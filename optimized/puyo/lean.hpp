// Puyo Puyo as plain scalar code: every chain labels the whole field once and compacts each column once.
//
// Board: one byte a cell, column by column, row 0 at the *bottom*. So a column is contiguous in memory, and its height
// is also the row on which the next puyo lands. A border of empty cells saves bounds checks when a neighbour is read:
//
//       column −1     0        1    …    5        6        at(row, column)
//          │  ┌────────────┐                      │          = 1 + row + stride · (1 + column)
//   index  0  1 2 … 12  13  14 15 …
//             row 0 … 11  border (the cell above a full column, and below the next column's floor)
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "games/puyo/game.hpp"
#include "lockstep/system/registry.hpp"

namespace lockstep::optimized {

class LeanPuyo {
 public:
  explicit LeanPuyo(const Puyo::Setup& setup) {
    for (std::size_t column = 0; column < columns; ++column) {
      for (int row = Puyo::rows - 1; row >= 0; --row) {
        const std::uint8_t puyo = setup.board.at(row, static_cast<int>(column));
        if (puyo == 0) break;  // the field is settled
        cells_[at(heights_[column]++, column)] = puyo;
      }
    }
  }

  Puyo::Observation step(const Puyo::Action& action) {
    if (const auto* drop = std::get_if<Puyo::Drop>(&action)) return play(*drop);
    Puyo::Observation out{.says = Puyo::Says::resolved};
    while (erase_groups(out)) fall();
    return out;
  }

  Puyo::Snapshot snapshot() const {
    Puyo::Snapshot out;
    for (std::size_t column = 0; column < columns; ++column) {
      for (std::size_t row = 0; row < heights_[column]; ++row) {
        out.board.at(Puyo::rows - 1 - static_cast<int>(row), static_cast<int>(column)) = cells_[at(row, column)];
      }
    }
    return out;
  }

 private:
  static constexpr std::size_t rows = Puyo::rows;
  static constexpr std::size_t columns = Puyo::columns;
  static constexpr std::size_t stride = rows + 1;  // one border cell between two columns serves both
  static constexpr std::size_t size = stride * (columns + 2) + 1;

  static constexpr std::size_t at(std::size_t row, std::size_t column) { return 1 + row + stride * (1 + column); }

  Puyo::Observation play(const Puyo::Drop& drop) {
    const auto column = static_cast<std::size_t>(drop.column);
    if (heights_[column] == rows) return {.says = Puyo::Says::illegal};
    cells_[at(heights_[column]++, column)] = static_cast<std::uint8_t>(drop.colour);
    return {.says = Puyo::Says::dropped};
  }

  /// Empties every group of four or more; false when there is none. Heights stay as they were.
  bool erase_groups(Puyo::Observation& out) {
    std::array<bool, size> seen{};
    std::array<std::uint8_t, rows * columns> group;
    bool any = false;
    for (std::size_t column = 0; column < columns; ++column) {
      for (std::size_t row = 0; row < heights_[column]; ++row) {
        const std::size_t start = at(row, column);
        // Erasing a group at once cannot change another one: two groups of one colour never touch.
        if (seen[start]) continue;
        const std::uint8_t colour = cells_[start];
        const std::size_t count = collect(start, seen, group);
        if (count < Puyo::group_min) continue;
        any = true;
        out.chain(out.chains)[colour - 1u] = static_cast<std::uint8_t>(out.chain(out.chains)[colour - 1u] + count);
        for (std::size_t i = 0; i < count; ++i) cells_[group[i]] = 0;
      }
    }
    if (any) ++out.chains;
    return any;
  }

  /// The group of a puyo, breadth first; returns its size.
  std::size_t collect(std::size_t start, std::array<bool, size>& seen,
                      std::array<std::uint8_t, rows * columns>& group) const {
    const std::uint8_t colour = cells_[start];
    std::size_t count = 0;
    const auto reach = [&](std::size_t cell) {
      if (cells_[cell] != colour || seen[cell]) return;
      seen[cell] = true;
      group[count++] = static_cast<std::uint8_t>(cell);
    };
    reach(start);
    for (std::size_t next = 0; next < count; ++next) {
      const std::size_t cell = group[next];
      reach(cell + 1);
      reach(cell - 1);
      reach(cell + stride);
      reach(cell - stride);
    }
    return count;
  }

  void fall() {
    for (std::size_t column = 0; column < columns; ++column) {
      std::uint8_t* const cells = &cells_[at(0, column)];
      std::size_t height = 0;
      for (std::size_t row = 0; row < heights_[column]; ++row) {
        const std::uint8_t puyo = cells[row];
        cells[row] = 0;
        cells[height] = puyo;
        height += puyo != 0 ? 1u : 0u;
      }
      heights_[column] = height;
    }
  }

  std::array<std::uint8_t, size> cells_{};
  std::array<std::size_t, columns> heights_{};
};

static_assert(Implementation<LeanPuyo, Puyo>);
inline const auto puyo_lean = register_implementation<LeanPuyo, Puyo>(
    "lean", Kind::yardstick, "plain scalar: one search over the field per chain, each column closed in one pass");

}  // namespace lockstep::optimized
