#include "games/omok/wins.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace lockstep::omok {
namespace {

/// Whether five cells of one colour lie in line from a cell of this row on. Tested without a branch: few rows have such.
bool any_five_from(const Grid& board, int row, Direction to) {
  constexpr int steps = Omok::win_length - 1;
  const int last_row = row + steps * to.down;
  if (last_row < 0 || last_row >= board.rows) return false;
  const std::uint8_t* const cells = board.cells.data() + std::ptrdiff_t{row} * board.columns;
  const std::ptrdiff_t next = std::ptrdiff_t{to.down} * board.columns + to.right;
  unsigned any = 0;
  for (int column = 0; column < board.columns - steps * to.right; ++column) {
    unsigned same = cells[column] != 0 ? 1 : 0;
    for (int i = 1; i <= steps; ++i) same &= cells[column] == cells[column + i * next] ? 1 : 0;
    any |= same;
  }
  return any != 0;
}

/// The colour that wins on the five cells from (row, column) on; 0 when they are not a win.
int winner_from(const Grid& board, int row, int column, Direction to) {
  constexpr int steps = Omok::win_length - 1;
  if (!board.contains(row + steps * to.down, column + steps * to.right)) return 0;
  const std::uint8_t colour = board.at(row, column);
  for (int i = 1; i <= steps; ++i) {
    if (board.at(row + i * to.down, column + i * to.right) != colour) return 0;
  }
  const bool longer = cell_at(board, row - to.down, column - to.right) == colour ||
                      cell_at(board, row + Omok::win_length * to.down, column + Omok::win_length * to.right) == colour;
  return longer ? 0 : colour;
}

Win win_from(int colour, int row, int column, Direction to) {
  Win win{.line = {}, .colour = colour};
  for (int i = 0; i < Omok::win_length; ++i) {
    win.line[static_cast<std::size_t>(i)] = {.column = column + i * to.right, .row = row + i * to.down};
  }
  return win;
}

}  // namespace

std::vector<Win> wins(const Grid& board) {
  std::vector<Win> found;
  for (const Direction to : directions) {
    for (int row = 0; row < board.rows; ++row) {
      if (!any_five_from(board, row, to)) continue;
      for (int column = 0; column < board.columns; ++column) {
        const int colour = winner_from(board, row, column, to);
        if (colour != 0) found.push_back(win_from(colour, row, column, to));
      }
    }
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace lockstep::omok
