#include "games/stacking/features.hpp"

#include "games/stacking/turns.hpp"

namespace lockstep {

Stacking::Features::Tally Stacking::Features::tally_of(const Snapshot& s) {
  Tally tally;
  for (const Piece& p : s.pieces) {
    tally.tallest = std::max(tally.tallest, p.level + 1);
    if (p.level == 1) ++tally.stacks;
    if (s.board.at(p.row, p.column) == red) ++tally.on_red;
    if (s.board.at(p.row, p.column) == blue) ++tally.on_blue;
    if (closed_to(s, p) == 2) ++tally.blocked;
  }
  return tally;
}

int Stacking::Features::closed_to(const Snapshot& s, const Piece& p) {
  const int down_by = p.facing == down ? 1 : p.facing == up ? -1 : 0;
  const int right_by = p.facing == right ? 1 : p.facing == left ? -1 : 0;
  const auto closed = [&s](int row, int column) {
    return !s.board.contains(row, column) || s.board.at(row, column) == blue;
  };
  if (!closed(p.row + down_by, p.column + right_by)) return 0;
  return closed(p.row - down_by, p.column - right_by) ? 2 : 1;
}

bool Stacking::Features::ends_next(const Snapshot& s) { return stacking::Turns{s}.play(); }

}  // namespace lockstep
