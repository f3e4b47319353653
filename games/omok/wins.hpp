// The wins on a board, for generators, laws and features. Simulators must not use it: they would be checked against
// themselves.
#pragma once

#include <array>
#include <compare>
#include <vector>

#include "games/omok/game.hpp"

namespace lockstep::omok {

/// One step along a line, to the right or straight down: the first cell of a line in these directions is its leftmost,
/// or the topmost of a vertical one, which is the stone that names a win.
struct Direction {
  int down;
  int right;
};
inline constexpr std::array<Direction, 4> directions = {
    {{0, 1}, {1, 0}, {1, 1}, {-1, 1}}};  // across, down, falling, rising

/// The value of the cell, 0 outside the board.
inline std::uint8_t cell_at(const Grid& board, int row, int column) {
  return board.contains(row, column) ? board.at(row, column) : std::uint8_t{0};
}

/// A maximal run of exactly five: its cells in order; the first one is its naming stone. The least of several wins is
/// the reported one.
struct Win {
  std::array<Omok::Cell, Omok::win_length> line{};
  int colour = 0;
  auto operator<=>(const Win&) const = default;
};
/// All wins on a board, in order.
std::vector<Win> wins(const Grid& board);

}  // namespace lockstep::omok
