// The directions of runs on a board, for generators, laws and features.
#pragma once

#include <array>
#include <utility>

namespace lockstep::ts_tetris {

/// One step along a line, rows down and columns to the right.
inline constexpr std::array<std::pair<int, int>, 4> directions = {{{0, 1}, {1, 0}, {1, 1}, {1, -1}}};

}  // namespace lockstep::ts_tetris
