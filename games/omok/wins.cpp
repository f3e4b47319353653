#include "games/omok/wins.hpp"

#include <algorithm>

namespace lockstep::omok {
namespace {

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
  for (int row = 0; row < board.rows; ++row) {
    for (int column = 0; column < board.columns; ++column) {
      if (board.at(row, column) == 0) continue;
      for (const Direction to : directions) {
        const int colour = winner_from(board, row, column, to);
        if (colour != 0) found.push_back(win_from(colour, row, column, to));
      }
    }
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace lockstep::omok
