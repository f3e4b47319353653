// Features of omok: how deep a scenario went.
#pragma once

#include <array>
#include <variant>

#include "games/omok/game.hpp"
#include "lockstep/base/limits.hpp"

namespace lockstep {

struct Omok::Features {
  enum : std::size_t {
    illegal_place,
    illegal_remove,
    winner,
    wins,
    colours_that_win,
    wins_across,
    wins_down,
    wins_falling,
    wins_rising,
    wins_on_an_edge,
    longest_run,
    overlong_runs,
    stones,
    board_size,
    board_size_around_largest,
    winning_row,
    winning_column,
    empty_cells,
    stones_in_the_way,
    stones_to_remove,
  };
  static constexpr std::array<Feature, 20> list = {{
      {illegal_place, "illegal place"},
      {illegal_remove, "illegal remove"},
      {winner, "winner"},
      {wins, "wins"},
      {colours_that_win, "colours that win"},
      {wins_across, "wins across"},
      {wins_down, "wins down"},
      {wins_falling, "wins falling"},
      {wins_rising, "wins rising"},
      {wins_on_an_edge, "wins on an edge"},
      {longest_run, "longest run"},
      {overlong_runs, "runs of six or more"},
      {stones, "stones"},
      {board_size, "size"},
      {board_size_around_largest, "size, up to the largest", size_max},
      {winning_row, "row of the winning stone", size_max},
      {winning_column, "column of the winning stone", size_max},
      {empty_cells, "empty cells"},
      {stones_in_the_way, "stones in the way of a place"},
      {stones_to_remove, "stones for a remove"},
  }};
  static constexpr std::array<Limit, 11> limits = {{
      {"a run of exactly five wins, six is none", longest_run, win_length},
      {"the text promises at most one win; of several the leftmost answers", wins, 1},
      {"1 × 1 is the smallest board", board_size, size_min, "there is no smaller board"},
      {"a board of five has room for a win", board_size, win_length},
      {"19 × 19 is the largest board", board_size_around_largest, size_max, {}, "there is no larger board"},
      {"a win can lie in the last row", winning_row, size_max, {}, "there is no row below"},
      {"a win can lie in the last column", winning_column, size_max, {}, "there is no column beyond"},
      {"place is illegal on a stone", stones_in_the_way, 0, "fewer than none"},
      {"remove is illegal on an empty cell", stones_to_remove, 1, {}, "a cell holds one stone"},
      {"a full board", empty_cells, 0, "fewer than none"},
      {"a win that touches an edge", wins_on_an_edge, 0, "fewer than none"},
  }};

  static void observe(auto&& emit, const Action& action, const Observation& o) {
    if (o.says == Says::illegal) {
      return std::holds_alternative<Place>(action) ? emit(illegal_place, 1) : emit(illegal_remove, 1);
    }
    if (o.says != Says::judged) return;
    emit(winner, o.winner);
    if (o.winner == 0) return;
    emit(winning_row, o.row);
    emit(winning_column, o.column);
  }
  static void survey(auto&& emit, const Snapshot& s) {
    const Tally tally = tally_of(s);
    emit(wins, tally.wins);
    emit(colours_that_win, tally.colours_that_win);
    emit(wins_across, tally.wins_along[0]);
    emit(wins_down, tally.wins_along[1]);
    emit(wins_falling, tally.wins_along[2]);
    emit(wins_rising, tally.wins_along[3]);
    emit(wins_on_an_edge, tally.wins_on_an_edge);
    emit(longest_run, tally.longest_run);
    emit(overlong_runs, tally.overlong_runs);
    emit(stones, tally.stones);
    emit(empty_cells, s.size * s.size - tally.stones);
    emit(board_size, s.size);
    emit(board_size_around_largest, s.size);
  }
  static void witness(auto&& emit, const Snapshot& before, const Action& action, const Observation&, const Snapshot&) {
    if (const auto* place = std::get_if<Place>(&action)) {
      emit(stones_in_the_way, before.board.at(place->row, place->column) != 0 ? 1 : 0);
    } else if (const auto* remove = std::get_if<Remove>(&action)) {
      emit(stones_to_remove, before.board.at(remove->row, remove->column) != 0 ? 1 : 0);
    }
  }

 private:
  /// Counts over one position.
  struct Tally {
    int wins = 0;
    int colours_that_win = 0;
    std::array<int, 4> wins_along{};  // across, down, falling, rising
    int wins_on_an_edge = 0;
    int longest_run = 0;
    int overlong_runs = 0;
    int stones = 0;
  };
  static Tally tally_of(const Snapshot&);
};

}  // namespace lockstep
