// The twelve shapes of the block game as cells, for the sources in games/ (simulators have their own tables).
#pragma once

#include <algorithm>
#include <array>

#include "games/block_game/game.hpp"

namespace lockstep::block_game {

struct Cell {
  int row = 0;
  int column = 0;
  bool operator==(const Cell&) const = default;
};

/// A shape inside its rectangle: its four cells in reading order.
struct Shape {
  int rows;
  int columns;
  std::array<Cell, 4> cells;
};

// clang-format off
inline constexpr std::array<Shape, BlockGame::shapes> shape_table = {{
    {2, 3, {{{0, 0}, {0, 1}, {0, 2}, {1, 2}}}},   //  1
    {3, 2, {{{0, 0}, {0, 1}, {1, 0}, {2, 0}}}},   //  2
    {2, 3, {{{0, 0}, {1, 0}, {1, 1}, {1, 2}}}},   //  3
    {3, 2, {{{0, 1}, {1, 1}, {2, 0}, {2, 1}}}},   //  4
    {2, 3, {{{0, 0}, {0, 1}, {0, 2}, {1, 0}}}},   //  5
    {3, 2, {{{0, 0}, {1, 0}, {2, 0}, {2, 1}}}},   //  6
    {2, 3, {{{0, 2}, {1, 0}, {1, 1}, {1, 2}}}},   //  7
    {3, 2, {{{0, 0}, {0, 1}, {1, 1}, {2, 1}}}},   //  8
    {2, 3, {{{0, 1}, {1, 0}, {1, 1}, {1, 2}}}},   //  9
    {3, 2, {{{0, 0}, {1, 0}, {1, 1}, {2, 0}}}},   // 10
    {2, 3, {{{0, 0}, {0, 1}, {0, 2}, {1, 1}}}},   // 11
    {3, 2, {{{0, 1}, {1, 0}, {1, 1}, {2, 1}}}},   // 12
}};
/// The mirror image of each shape.
inline constexpr std::array<int, BlockGame::shapes> mirrored_shape = {5, 8, 7, 6, 1, 4, 3, 2, 9, 12, 11, 10};
// clang-format on

inline const Shape& shape_of(int number) { return shape_table[static_cast<std::size_t>(number - 1)]; }

inline bool inside(const Grid& board, int shape, int row, int column) {
  return row >= 0 && column >= 0 && row + shape_of(shape).rows <= board.rows &&
         column + shape_of(shape).columns <= board.columns;
}

inline bool fits(const Grid& board, int shape, int row, int column) {
  return inside(board, shape, row, column) && std::ranges::all_of(shape_of(shape).cells, [&](const Cell& cell) {
           return board.at(row + cell.row, column + cell.column) == 0;
         });
}

inline void lay(Grid& board, int shape, int row, int column, int number) {
  for (const Cell& cell : shape_of(shape).cells) {
    board.at(row + cell.row, column + cell.column) = static_cast<std::uint8_t>(number);
  }
}

/// Places the shape with its first cell, in reading order, at the given cell; returns false when it does not fit.
inline bool lay_from(Grid& board, int shape, Cell first, int number) {
  const int column = first.column - shape_of(shape).cells[0].column;
  if (!fits(board, shape, first.row, column)) return false;
  lay(board, shape, first.row, column, number);
  return true;
}

}  // namespace lockstep::block_game
