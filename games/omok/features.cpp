#include "games/omok/features.hpp"

#include <algorithm>
#include <array>

#include "games/omok/wins.hpp"

namespace lockstep {

using namespace omok;

// Wins are counted here once more, without a list of them. No verdict uses the counts; props/omok.cpp compares them with
// omok::wins, which is compared with the reference.
Omok::Features::Tally Omok::Features::tally_of(const Snapshot& s) {
  Tally tally;
  std::array<bool, 2> winning{};
  const auto at_edge = [&](int row, int column) {
    return row == 0 || column == 0 || row == s.size - 1 || column == s.size - 1;
  };
  // A frame of empty cells, so that following a line needs no bounds check.
  constexpr int margin = win_length - 1;
  constexpr int stride = size_max + margin;  // one margin serves the end of a row and the start of the next
  std::array<std::uint8_t, margin + (size_max + 2 * margin) * stride> framed{};
  const auto place_of = [](int row, int column) { return margin + (row + margin) * stride + column; };
  for (int row = 0; row < s.size; ++row) {
    for (int column = 0; column < s.size; ++column) {
      framed[static_cast<std::size_t>(place_of(row, column))] = s.board.at(row, column);
    }
  }
  for (int row = 0; row < s.size; ++row) {
    for (int column = 0; column < s.size; ++column) {
      const std::uint8_t* const here = framed.data() + place_of(row, column);
      const std::uint8_t colour = *here;
      if (colour == 0) continue;
      ++tally.stones;
      for (std::size_t d = 0; d < directions.size(); ++d) {
        const auto [down, right] = directions[d];
        const std::ptrdiff_t step = down * stride + right;
        const auto mine = [&](int steps) { return here[steps * step] == colour; };
        // Only wins, longer runs, and runs longer than all before matter; runs are counted at their first cell.
        if (!mine(std::min(tally.longest_run, win_length - 1)) || mine(-1)) continue;
        int length = 1;
        while (mine(length)) ++length;
        tally.longest_run = std::max(tally.longest_run, length);
        tally.overlong_runs += length > win_length ? 1 : 0;
        if (length != win_length) continue;
        ++tally.wins;
        ++tally.wins_along[d];
        winning[colour - 1u] = true;
        tally.wins_on_an_edge +=
            at_edge(row, column) || at_edge(row + (length - 1) * down, column + (length - 1) * right) ? 1 : 0;
      }
    }
  }
  tally.colours_that_win = winning[0] + winning[1];
  return tally;
}

}  // namespace lockstep
