// Groups of connected puyos and heights of columns, for generators, laws and features.
#pragma once

#include <array>
#include <span>
#include <utility>

#include "games/puyo/game.hpp"

namespace lockstep::puyo {

inline constexpr std::array<std::pair<int, int>, 4> neighbours = {{{-1, 0}, {1, 0}, {0, -1}, {0, 1}}};

inline constexpr int cell_count = Puyo::rows * Puyo::columns;

/// A number for each cell, row-major.
using PerCell = std::array<int, cell_count>;

/// The size of the group of each cell; 0 for an empty cell.
PerCell group_sizes(const Grid& board);

/// The size of the largest group.
int largest_group(const Grid& board);

/// Whether exactly these connected cells of one colour vanish next.
bool vanishes_alone(const Grid& board, std::span<const std::pair<int, int>> cells);

/// The number of puyos in a column of a settled board.
int height(const Grid& board, int column);

}  // namespace lockstep::puyo
