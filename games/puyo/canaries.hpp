// Puyo Puyo canaries: simulators that are wrong on purpose, each with one realistic mistake. A campaign that does not
// find them is broken.
//
// All are one plain simulator that is given a mistake to make. PuyoMistake::none makes no mistake; a test checks that
// it equals the reference, so each canary differs by its mistake alone. Every canary answers and terminates: every chain
// removes at least one puyo, chains stop at the observation's capacity, and a field that a mistake leaves unsettled
// still accepts drops.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "games/puyo/game.hpp"
#include "lockstep/system/registry.hpp"

namespace lockstep::canaries {

enum class PuyoMistake {
  none,
  eleven_fill_a_column,
  full_column_overwritten,
  groups_are_chains,
  one_group_at_a_time,
  six_groups_at_most,
  last_colour_takes_all,
  never_looks_up,
  rows_wrap,
  columns_wrap,
  third_plane_forgotten,
  queue_of_sixteen,
  three_at_the_top,
  top_row_hidden,
  top_row_never_falls,
  split_gap_falls_short,
  nine_chains_at_most,
  twelve_chains_at_most,
  seventeen_chains_at_most,
  later_wall_groups_missed,
};

class WrongPuyo {
 public:
  explicit WrongPuyo(const Puyo::Setup& setup, PuyoMistake mistake = PuyoMistake::none)
      : mistake_{mistake}, board_{setup.board} {}

  Puyo::Observation step(const Puyo::Action& action) {
    if (const auto* drop = std::get_if<Puyo::Drop>(&action)) return play(*drop);
    return resolve();
  }

  Puyo::Snapshot snapshot() const { return {board_}; }

 private:
  using Cell = std::pair<int, int>;  // row, column
  using Group = std::vector<Cell>;

  bool makes(PuyoMistake one) const { return mistake_ == one; }

  Puyo::Observation play(const Puyo::Drop& drop) {
    int row = -1;  // the lowest of the empty cells that are open to the sky
    while (row + 1 < Puyo::rows && board_.at(row + 1, drop.column) == 0) ++row;
    const int top = makes(PuyoMistake::eleven_fill_a_column) ? 1 : 0;
    if (makes(PuyoMistake::full_column_overwritten)) row = std::max(row, 0);
    if (row < top) return {.says = Puyo::Says::illegal};
    board_.at(row, drop.column) = static_cast<std::uint8_t>(drop.colour);
    return {.says = Puyo::Says::dropped};
  }

  Puyo::Observation resolve() {
    const int most = makes(PuyoMistake::seventeen_chains_at_most) ? 17
                     : makes(PuyoMistake::twelve_chains_at_most)  ? 12
                     : makes(PuyoMistake::nine_chains_at_most)    ? 9
                                                                  : Puyo::chains_max;
    Puyo::Observation out{.says = Puyo::Says::resolved};
    while (out.chains < most) {
      std::vector<Group> groups = find_groups();
      if (makes(PuyoMistake::later_wall_groups_missed) && out.chains > 0) std::erase_if(groups, hugs_a_wall);
      if (groups.empty()) break;
      if (makes(PuyoMistake::one_group_at_a_time)) groups.resize(1);
      if (makes(PuyoMistake::six_groups_at_most)) groups.resize(std::min<std::size_t>(groups.size(), 6));
      vanish(groups, out);
      fall();
    }
    return out;
  }

  void vanish(const std::vector<Group>& groups, Puyo::Observation& out) {
    const std::uint8_t last_colour = at(groups.back().front());
    for (const Group& group : groups) {
      for (const Cell& cell : group) {
        std::uint8_t colour = std::exchange(board_.at(cell.first, cell.second), std::uint8_t{0});
        if (makes(PuyoMistake::last_colour_takes_all)) colour = last_colour;
        ++out.chain(out.chains)[colour - 1u];
      }
      const bool counts = makes(PuyoMistake::groups_are_chains) || &group == &groups.back();
      if (counts && out.chains < Puyo::chains_max) ++out.chains;
      if (out.chains == Puyo::chains_max) return;
    }
  }

  /// Every group that is large enough to vanish, in row-major order of its first cell.
  std::vector<Group> find_groups() const {
    std::vector<Group> out;
    Grid seen{Puyo::rows, Puyo::columns};
    const int first_row = makes(PuyoMistake::top_row_hidden) ? 1 : 0;
    for (int row = first_row; row < Puyo::rows; ++row) {
      for (int column = 0; column < Puyo::columns; ++column) {
        if (board_.at(row, column) == 0 || seen.at(row, column) != 0) continue;
        Group group = collect({row, column}, seen);
        if (group.size() >= size_wanted(group)) out.push_back(std::move(group));
      }
    }
    return out;
  }

  static bool hugs_a_wall(const Group& group) {
    const int column = group.front().second;
    return (column == 0 || column == Puyo::columns - 1) &&
           std::ranges::all_of(group, [&](const Cell& cell) { return cell.second == column; });
  }

  std::size_t size_wanted(const Group& group) const {
    const bool at_the_top = std::ranges::any_of(group, [](const Cell& cell) { return cell.first == 0; });
    return makes(PuyoMistake::three_at_the_top) && at_the_top ? Puyo::group_min - 1 : Puyo::group_min;
  }

  /// The group of a cell, breadth first.
  Group collect(const Cell& start, Grid& seen) const {
    const std::size_t most = makes(PuyoMistake::queue_of_sixteen) ? 16 : Puyo::rows * Puyo::columns;
    Group group = {start};
    seen.at(start.first, start.second) = 1;
    for (std::size_t next = 0; next < group.size(); ++next) {
      const Cell from = group[next];
      for (const Cell& to : neighbours(from)) {
        if (!in_play(to) || seen.at(to.first, to.second) != 0 || !alike(from, to) || group.size() == most) continue;
        seen.at(to.first, to.second) = 1;
        group.push_back(to);
      }
    }
    return group;
  }

  bool in_play(const Cell& cell) const {
    if (!board_.contains(cell.first, cell.second)) return false;
    return !(makes(PuyoMistake::top_row_hidden) && cell.first == 0);
  }

  /// The neighbours of a cell; they may lie outside the board.
  std::array<Cell, 4> neighbours(const Cell& cell) const {
    const auto [row, column] = cell;
    std::array<Cell, 4> out = {{{row + 1, column}, {row, column - 1}, {row, column + 1}, {row - 1, column}}};
    if (makes(PuyoMistake::never_looks_up)) out[3] = {-1, -1};
    if (makes(PuyoMistake::rows_wrap)) {  // a flat index, rows one after the other, without a wall
      if (column == 0) out[1] = {row - 1, Puyo::columns - 1};
      if (column == Puyo::columns - 1) out[2] = {row + 1, 0};
    }
    if (makes(PuyoMistake::columns_wrap)) {  // columns of exactly twelve bits, one after the other
      if (row == Puyo::rows - 1) out[0] = {0, column - 1};
      if (row == 0) out[3] = {Puyo::rows - 1, column + 1};
    }
    return out;
  }

  bool alike(const Cell& from, const Cell& to) const {
    if (at(to) == 0) return false;
    // Red is 001 and yellow 101: comparing only the lower two binary digits confuses them.
    const bool forgets = makes(PuyoMistake::third_plane_forgotten) && from.second == to.second;
    const int digits = forgets ? 3 : 7;
    return (at(from) & digits) == (at(to) & digits);
  }

  void fall() {
    const int highest = makes(PuyoMistake::top_row_never_falls) ? 1 : 0;
    for (int column = 0; column < Puyo::columns; ++column) {
      int empty = 0;  // cells below the current one …
      int gaps = 0;   // … and their number of stretches
      bool in_gap = false;
      for (int row = Puyo::rows - 1; row >= highest; --row) {
        const std::uint8_t puyo = std::exchange(board_.at(row, column), std::uint8_t{0});
        if (puyo == 0) {
          ++empty;
          gaps += in_gap ? 0 : 1;
        } else {
          const int short_of = makes(PuyoMistake::split_gap_falls_short) && gaps > 1 ? 1 : 0;
          board_.at(row + empty - short_of, column) = puyo;
        }
        in_gap = puyo == 0;
      }
    }
  }

  std::uint8_t at(const Cell& cell) const { return board_.at(cell.first, cell.second); }

  PuyoMistake mistake_;
  Grid board_;
};

static_assert(Implementation<WrongPuyo, Puyo>);

// From shallow to deep.
inline const std::array puyo_canaries = {
    register_canary<WrongPuyo, Puyo>("eleven_fill_a_column", PuyoMistake::eleven_fill_a_column,
                                     "a drop is refused when the column holds eleven already"),
    register_canary<WrongPuyo, Puyo>("full_column_overwritten", PuyoMistake::full_column_overwritten,
                                     "a drop on a full column replaces its topmost puyo"),
    register_canary<WrongPuyo, Puyo>("groups_are_chains", PuyoMistake::groups_are_chains,
                                     "two groups that vanish together count as two chains"),
    register_canary<WrongPuyo, Puyo>("one_group_at_a_time", PuyoMistake::one_group_at_a_time,
                                     "only the first group vanishes before the columns fall"),
    register_canary<WrongPuyo, Puyo>("six_groups_at_most", PuyoMistake::six_groups_at_most,
                                     "a list with room for six groups: the seventh waits for the next chain"),
    register_canary<WrongPuyo, Puyo>("last_colour_takes_all", PuyoMistake::last_colour_takes_all,
                                     "whatever vanishes is booked under the last group's colour"),
    register_canary<WrongPuyo, Puyo>("never_looks_up", PuyoMistake::never_looks_up,
                                     "the search looks down, left and right only, and loses arms that turn upward"),
    register_canary<WrongPuyo, Puyo>("rows_wrap", PuyoMistake::rows_wrap,
                                     "the right end of a row touches the left end of the row below it"),
    register_canary<WrongPuyo, Puyo>("columns_wrap", PuyoMistake::columns_wrap,
                                     "the top of a column touches the floor of the column to its right"),
    register_canary<WrongPuyo, Puyo>("third_plane_forgotten", PuyoMistake::third_plane_forgotten,
                                     "red and yellow, alike in two of three binary digits, touch vertically"),
    register_canary<WrongPuyo, Puyo>("queue_of_sixteen", PuyoMistake::queue_of_sixteen,
                                     "the search's queue holds sixteen cells: larger groups are torn"),
    register_canary<WrongPuyo, Puyo>("three_at_the_top", PuyoMistake::three_at_the_top,
                                     "a group that touches the top row needs only three"),
    register_canary<WrongPuyo, Puyo>("top_row_hidden", PuyoMistake::top_row_hidden,
                                     "the top row neither vanishes nor connects, as in the arcade game's hidden row"),
    register_canary<WrongPuyo, Puyo>("top_row_never_falls", PuyoMistake::top_row_never_falls,
                                     "gravity starts below the top row: the twelfth puyo of a column hangs"),
    register_canary<WrongPuyo, Puyo>("split_gap_falls_short", PuyoMistake::split_gap_falls_short,
                                     "above a second gap in a column puyos fall one row too little"),
    register_canary<WrongPuyo, Puyo>("later_wall_groups_missed", PuyoMistake::later_wall_groups_missed,
                                     "after the first chain, a group that lies in a wall's column alone is not seen"),
    register_canary<WrongPuyo, Puyo>("nine_chains_at_most", PuyoMistake::nine_chains_at_most,
                                     "the tenth chain of one resolve never comes"),
    register_canary<WrongPuyo, Puyo>("twelve_chains_at_most", PuyoMistake::twelve_chains_at_most,
                                     "the thirteenth chain of one resolve never comes"),
    register_canary<WrongPuyo, Puyo>("seventeen_chains_at_most", PuyoMistake::seventeen_chains_at_most,
                                     "the eighteenth chain of one resolve never comes"),
};

}  // namespace lockstep::canaries
