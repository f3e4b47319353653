#include "games/omok/features.hpp"

#include <algorithm>

#include "games/omok/wins.hpp"

namespace lockstep {

using namespace omok;

Omok::Features::Tally Omok::Features::tally_of(const Snapshot& s) {
  Tally tally;
  std::array<bool, 2> winning{};
  for (const Win& win : omok::wins(s.board)) {
    ++tally.wins;
    const Cell first = win.line.front();
    const Cell last = win.line.back();
    for (std::size_t d = 0; d < directions.size(); ++d) {
      constexpr int steps = win_length - 1;
      const bool along = last.row - first.row == steps * directions[d].down &&
                         last.column - first.column == steps * directions[d].right;
      tally.wins_along[d] += along ? 1 : 0;
    }
    winning[static_cast<std::size_t>(win.colour - 1)] = true;
    const auto touches = [&](Cell c) {
      return c.row == 0 || c.column == 0 || c.row == s.size - 1 || c.column == s.size - 1;
    };
    tally.wins_on_an_edge += touches(first) || touches(last) ? 1 : 0;
  }
  tally.colours_that_win = winning[0] + winning[1];
  for (int row = 0; row < s.size; ++row) {
    for (int column = 0; column < s.size; ++column) {
      const std::uint8_t colour = s.board.at(row, column);
      if (colour == 0) continue;
      ++tally.stones;
      for (const auto& [down, right] : directions) {
        if (cell_at(s.board, row - down, column - right) == colour) continue;  // not where the run begins
        int length = 1;
        while (cell_at(s.board, row + length * down, column + length * right) == colour) ++length;
        tally.longest_run = std::max(tally.longest_run, length);
        tally.overlong_runs += length > win_length ? 1 : 0;
      }
    }
  }
  return tally;
}

}  // namespace lockstep
