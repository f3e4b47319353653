// Stacks of pieces, for generators, laws and features.
#pragma once

#include <algorithm>

#include "games/stacking/game.hpp"

namespace lockstep::stacking {

inline bool share_cell(const Stacking::Piece& a, const Stacking::Piece& b) {
  return a.row == b.row && a.column == b.column;
}

/// The number of pieces on the piece's cell.
inline int height_at(const Stacking::Setup& s, const Stacking::Piece& piece) {
  return static_cast<int>(
      std::ranges::count_if(s.pieces, [&](const Stacking::Piece& p) { return share_cell(p, piece); }));
}

}  // namespace lockstep::stacking
