// Groups of puyos that touch, and heights of columns, for the parts of the system.
#pragma once

#include <array>
#include <utility>

#include "games/puyo/game.hpp"

namespace lockstep::puyo {

inline constexpr std::array<std::pair<int, int>, 4> neighbours = {{{-1, 0}, {1, 0}, {0, -1}, {0, 1}}};

inline constexpr int cell_count = Puyo::rows * Puyo::columns;

/// A number for each cell, row by row.
using PerCell = std::array<int, cell_count>;

/// For each cell the size of the group that it belongs to; 0 for an empty cell.
PerCell group_sizes(const Grid& board);

/// How many puyos the largest group of one colour has.
int largest_group(const Grid& board);

/// How many puyos a column of a settled board has.
int height(const Grid& board, int column);

}  // namespace lockstep::puyo
