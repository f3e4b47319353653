#include "games/stacking/turns.hpp"

#include <algorithm>
#include <array>

#include "games/stacking/stacks.hpp"

namespace lockstep::stacking {

using Piece = Stacking::Piece;

Turns::Turns(const Stacking::Setup& position)
    : board_{position.board}, heights_{position.size, position.size}, pieces_{position.pieces} {
  for (const Piece& p : pieces_) ++heights_.at(p.row, p.column);
}

bool Turns::play() {
  return std::ranges::any_of(pieces_, [this](Piece& mover) { return move(mover); });
}

bool Turns::closed(int row, int column) const {
  return !board_.contains(row, column) || board_.at(row, column) == Stacking::blue;
}

/// True if the stack that it makes ends the game.
bool Turns::move(Piece& mover) {
  constexpr std::array<int, 5> down_by = {0, 0, 0, -1, 1};
  constexpr std::array<int, 5> right_by = {0, 1, -1, 0, 0};
  constexpr std::array<int, 5> opposite = {0, Stacking::left, Stacking::right, Stacking::down, Stacking::up};
  const auto row_ahead = [&] { return mover.row + down_by[static_cast<std::size_t>(mover.facing)]; };
  const auto column_ahead = [&] { return mover.column + right_by[static_cast<std::size_t>(mover.facing)]; };
  if (closed(row_ahead(), column_ahead())) {
    mover.facing = opposite[static_cast<std::size_t>(mover.facing)];
    if (closed(row_ahead(), column_ahead())) return false;
  }
  const int row = row_ahead();
  const int column = column_ahead();
  const Piece from = mover;
  std::uint8_t& left = heights_.at(from.row, from.column);
  std::uint8_t& reached = heights_.at(row, column);
  const int group = left - from.level;
  const bool reverses = board_.at(row, column) == Stacking::red;
  const auto land = [&](Piece& p) {
    const int place = p.level - from.level;
    p.level = reached + (reverses ? group - 1 - place : place);
    p.row = row;
    p.column = column;
  };
  if (group == 1) {
    land(mover);
  } else {
    for (Piece& p : pieces_) {
      if (share_cell(p, from) && p.level >= from.level) land(p);
    }
  }
  left = static_cast<std::uint8_t>(left - group);
  reached = static_cast<std::uint8_t>(reached + group);
  return reached >= Stacking::end_height;
}

}  // namespace lockstep::stacking
