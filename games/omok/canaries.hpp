// Omok canaries: one plain simulator that makes one of several realistic mistakes.
//
// The simulator keeps the board and a list of the wins on it. When a stone is placed or removed, the wins on the four
// lines through its cell are discarded and those lines are searched again from end to end. OmokMistake::none makes no
// mistake; a test checks that it equals the reference, so each canary differs by its mistake alone.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <variant>
#include <vector>

#include "games/omok/game.hpp"
#include "lockstep/system/registry.hpp"

namespace lockstep::canaries {

enum class OmokMistake {
  none,
  anti_diagonal_from_the_top,
  closed_fours_cancel,
  corner_diagonal_missed,
  hemmed_five_missed,
  joined_six_keeps_old_win,
  length_in_three_bits,
  oldest_win_answers,
  one_win_a_line,
  placing_replaces,
  remove_forgets_anti_diagonal,
  rows_wrap_around,
  run_at_the_end_missed,
  shared_stone_forgets_both,
  six_counts_as_five,
  six_cut_to_five_missed,
  sixteen_wins_overflow,
  stone_number_in_a_byte,
  topmost_win_answers,
  vertical_from_the_bottom,
  white_before_black,
};

class WrongOmok {
  using Mistake = OmokMistake;

 public:
  explicit WrongOmok(const Omok::Setup& setup, Mistake mistake = Mistake::none)
      : mistake_{mistake}, size_{setup.size}, board_{setup.board} {
    for (int i = 0; i < size_; ++i) {
      for (const Direction direction : directions) {
        // Every line starts at the left border or at the top one, a rising line at the left border or at the bottom
        // one.
        renew(line_through(i, 0, direction), true);
        renew(line_through(direction == rising ? size_ - 1 : 0, i, direction), true);
      }
    }
  }

  Omok::Observation step(const Omok::Action& action) {
    if (const auto* asked = std::get_if<Omok::Place>(&action)) return place(*asked);
    if (const auto* asked = std::get_if<Omok::Remove>(&action)) return remove(*asked);
    return judge();
  }

  Omok::Snapshot snapshot() const { return {.size = size_, .board = board_}; }

 private:
  enum Direction { across, upright, falling, rising };
  static constexpr std::array directions = {across, upright, falling, rising};

  struct Cell {
    int row = 0;
    int column = 0;
    bool operator==(const Cell&) const = default;
  };
  struct Line {
    Direction direction;
    Cell first;
    bool operator==(const Line&) const = default;
  };
  struct Run {
    int colour = 0;  // 0: empty cells
    int length = 0;
    Cell first, last;
    int colour_before = -1;  // −1: the border
  };
  struct Win {
    Line line;
    int colour;
    Cell stone;
    bool operator==(const Win&) const = default;
  };

  bool on_board(Cell cell) const { return board_.contains(cell.row, cell.column); }

  /// The next cell of a line, or the previous one; beyond the ends of the line it is off the board.
  Cell next(Cell cell, Direction direction, int sense = 1) const {
    if (direction != upright) cell.column += sense;
    if (direction == upright || direction == falling) cell.row += sense;
    if (direction == rising) cell.row -= sense;
    if (mistake_ == Mistake::rows_wrap_around && direction == across && cell.column == size_) cell = {cell.row + 1, 0};
    if (mistake_ == Mistake::rows_wrap_around && direction == across && cell.column < 0)
      cell = {cell.row - 1, size_ - 1};
    return cell;
  }

  Line line_through(int row, int column, Direction direction) const {
    Cell first = {row, column};
    for (Cell cell = first; on_board(cell); cell = next(cell, direction, -1)) first = cell;
    return {direction, first};
  }

  Omok::Observation place(const Omok::Place& asked) {
    std::uint8_t& cell = board_.at(asked.row, asked.column);
    if (cell != 0 && mistake_ != Mistake::placing_replaces) return {.says = Omok::Says::illegal};
    cell = static_cast<std::uint8_t>(asked.colour);
    for (const Direction direction : directions) renew(line_through(asked.row, asked.column, direction), true);
    if (mistake_ == Mistake::closed_fours_cancel) cancel_fours_closed_by({asked.row, asked.column});
    return {.says = Omok::Says::done};
  }

  /// Discards the fives that this stone completed at one of their ends, when there are exactly two.
  void cancel_fours_closed_by(Cell stone) {
    const auto closed = [&](const Win& win) {
      Cell last = win.stone;
      for (int i = 1; i < Omok::win_length; ++i) last = next(last, win.line.direction);
      return win.stone == stone || last == stone;
    };
    if (std::ranges::count_if(wins_, closed) == 2) std::erase_if(wins_, closed);
  }

  Omok::Observation remove(const Omok::Remove& asked) {
    std::uint8_t& cell = board_.at(asked.row, asked.column);
    if (cell == 0) return {.says = Omok::Says::illegal};
    cell = 0;
    for (const Direction direction : directions) {
      if (mistake_ == Mistake::remove_forgets_anti_diagonal && direction == rising) continue;
      renew(line_through(asked.row, asked.column, direction), false);
    }
    return {.says = Omok::Says::done};
  }

  /// Discards the wins of a line and searches it again.
  void renew(const Line& line, bool stone_came) {
    const auto on_line = [&](const Win& win) { return win.line == line; };
    std::vector<Win> known;
    std::ranges::copy_if(wins_, std::back_inserter(known), on_line);
    const bool forgets = !(stone_came && mistake_ == Mistake::joined_six_keeps_old_win);
    if (forgets) std::erase_if(wins_, on_line);
    if (mistake_ == Mistake::shared_stone_forgets_both) {
      std::erase_if(wins_, [&](const Win& win) {
        return std::ranges::any_of(known, [&](const Win& old) { return old.stone == win.stone; });
      });
    }
    for (const Win& win : wins_of(line)) {
      const bool was_known = std::ranges::find(known, win) != known.end();
      if (!stone_came && mistake_ == Mistake::six_cut_to_five_missed && !was_known) continue;
      if (!forgets && was_known) continue;
      wins_.push_back(win);
    }
  }

  std::vector<Win> wins_of(const Line& line) const {
    std::vector<Win> found;
    int cells = 0;
    Run run;
    const auto end_run = [&](int colour_behind) {
      if (!is_win(run, colour_behind)) return;
      if (mistake_ == Mistake::one_win_a_line) found.clear();
      found.push_back({line, run.colour, naming_stone(run, line.direction)});
    };
    for (Cell cell = line.first; on_board(cell); cell = next(cell, line.direction), ++cells) {
      const int colour = board_.at(cell.row, cell.column);
      if (cells == 0 || colour != run.colour) {
        end_run(colour);
        run = {colour, 0, cell, cell, cells == 0 ? -1 : run.colour};
      }
      ++run.length;
      run.last = cell;
    }
    if (mistake_ != Mistake::run_at_the_end_missed) end_run(-1);
    const bool slanting = line.direction == falling || line.direction == rising;
    if (mistake_ == Mistake::corner_diagonal_missed && slanting && cells == Omok::win_length) found.clear();
    return found;
  }

  bool is_win(const Run& run, int colour_behind) const {
    if (run.colour == 0) return false;
    const int other = 3 - run.colour;
    if (mistake_ == Mistake::hemmed_five_missed && run.colour_before == other && colour_behind == other) return false;
    if (mistake_ == Mistake::length_in_three_bits) return run.length % 8 == Omok::win_length;
    if (mistake_ == Mistake::six_counts_as_five) return run.length >= Omok::win_length;
    return run.length == Omok::win_length;
  }

  Cell naming_stone(const Run& run, Direction direction) const {
    if (mistake_ == Mistake::anti_diagonal_from_the_top && direction == rising) return run.last;
    if (mistake_ == Mistake::vertical_from_the_bottom && direction == upright) return run.last;
    return run.first;
  }

  Omok::Observation judge() const {
    const std::size_t count = mistake_ == Mistake::sixteen_wins_overflow ? wins_.size() % 16 : wins_.size();
    if (count == 0) return {.says = Omok::Says::judged};
    const Win* answer = &wins_.front();
    for (const Win& win : wins_) {
      if (answers_before(win, *answer)) answer = &win;
    }
    int number = answer->stone.row * size_ + answer->stone.column;
    if (mistake_ == Mistake::stone_number_in_a_byte) number %= 256;
    return {.says = Omok::Says::judged,
            .winner = static_cast<std::int8_t>(answer->colour),
            .row = static_cast<std::int8_t>(number / size_ + 1),
            .column = static_cast<std::int8_t>(number % size_ + 1)};
  }

  bool answers_before(const Win& a, const Win& b) const {
    if (mistake_ == Mistake::oldest_win_answers) return false;
    if (mistake_ == Mistake::white_before_black && a.colour != b.colour) return a.colour > b.colour;
    const std::pair left_a{a.stone.column, a.stone.row};
    const std::pair left_b{b.stone.column, b.stone.row};
    if (mistake_ != Mistake::topmost_win_answers) return left_a < left_b;
    return std::pair{a.stone.row, a.stone.column} < std::pair{b.stone.row, b.stone.column};
  }

  Mistake mistake_;
  int size_;
  Grid board_;
  std::vector<Win> wins_;  // in the order of discovery
};
static_assert(Implementation<WrongOmok, Omok>);

// From shallow to deep.
inline const std::array omok_canaries = {
    register_canary<WrongOmok, Omok>("placing_replaces", OmokMistake::placing_replaces,
                                     "a stone placed on a stone takes its cell"),
    register_canary<WrongOmok, Omok>("run_at_the_end_missed", OmokMistake::run_at_the_end_missed,
                                     "a run that reaches the end of its line is never closed"),
    register_canary<WrongOmok, Omok>("vertical_from_the_bottom", OmokMistake::vertical_from_the_bottom,
                                     "an upright win is named by its lowest stone"),
    register_canary<WrongOmok, Omok>("anti_diagonal_from_the_top", OmokMistake::anti_diagonal_from_the_top,
                                     "a rising win is named by its top right stone"),
    register_canary<WrongOmok, Omok>("six_counts_as_five", OmokMistake::six_counts_as_five,
                                     "six or more stones in a row win too"),
    register_canary<WrongOmok, Omok>("topmost_win_answers", OmokMistake::topmost_win_answers,
                                     "of several wins the topmost answers, then the leftmost"),
    register_canary<WrongOmok, Omok>("white_before_black", OmokMistake::white_before_black,
                                     "when both colours win, white answers"),
    register_canary<WrongOmok, Omok>("oldest_win_answers", OmokMistake::oldest_win_answers,
                                     "of several wins the first one found answers"),
    register_canary<WrongOmok, Omok>("corner_diagonal_missed", OmokMistake::corner_diagonal_missed,
                                     "diagonals of just five cells are left out"),
    register_canary<WrongOmok, Omok>("hemmed_five_missed", OmokMistake::hemmed_five_missed,
                                     "five between two stones of the other colour are no win"),
    register_canary<WrongOmok, Omok>("remove_forgets_anti_diagonal", OmokMistake::remove_forgets_anti_diagonal,
                                     "a removed stone leaves the wins on its rising line as they were"),
    register_canary<WrongOmok, Omok>("joined_six_keeps_old_win", OmokMistake::joined_six_keeps_old_win,
                                     "a stone that makes five into six leaves the old win standing"),
    register_canary<WrongOmok, Omok>("six_cut_to_five_missed", OmokMistake::six_cut_to_five_missed,
                                     "a removed stone breaks wins but never makes one"),
    register_canary<WrongOmok, Omok>("shared_stone_forgets_both", OmokMistake::shared_stone_forgets_both,
                                     "of two wins with one naming stone, breaking one forgets the other too"),
    register_canary<WrongOmok, Omok>("stone_number_in_a_byte", OmokMistake::stone_number_in_a_byte,
                                     "the naming stone's number, row by row, is kept modulo 256"),
    register_canary<WrongOmok, Omok>("rows_wrap_around", OmokMistake::rows_wrap_around,
                                     "a run continues from a row's end to the next row"),
    register_canary<WrongOmok, Omok>("one_win_a_line", OmokMistake::one_win_a_line,
                                     "of two wins on one line only the last is kept"),
    register_canary<WrongOmok, Omok>("closed_fours_cancel", OmokMistake::closed_fours_cancel,
                                     "a stone that ends exactly two fours, making five of each, wins with neither"),
    register_canary<WrongOmok, Omok>("length_in_three_bits", OmokMistake::length_in_three_bits,
                                     "lengths are counted modulo eight: thirteen stones win"),
    register_canary<WrongOmok, Omok>("sixteen_wins_overflow", OmokMistake::sixteen_wins_overflow,
                                     "wins are counted modulo sixteen, and sixteen are none"),
};

}  // namespace lockstep::canaries
