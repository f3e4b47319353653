// TS Tetris canaries: wrong simulators, with one realistic mistake each. A campaign that does not find them is broken.
// Their answers are wrong, but every one of them terminates and stays in bounds.
//
// All are one plain simulator that is given a mistake to make. Columns are stacks, bottom cell first, so gravity is the
// removal of cells from a stack; rows count from the bottom.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "games/ts_tetris/game.hpp"
#include "lockstep/system/registry.hpp"

namespace lockstep::canaries {

enum class TsTetrisMistake {
  none,                        // agrees with the rules; not registered, a test compares it with the reference
  opponents_cells_score,       // all vanished cells score for the mover
  shared_cell_scores_twice,    // a cell scores once for every direction in which it vanished
  own_cell_spends_no_turn,     // `change` on the mover's own cell does not pass the turn
  full_check_on_first_column,  // a drop onto a full second or third column is accepted, its cell lost
  flip_forgets_the_counts,     // `change` does not update the counts of `result`
  diagonal_stops_before_edge,  // rising diagonals that end in the rightmost column are missed
  one_run_at_a_time,           // the first run vanishes and its column falls before the next one is searched
  gravity_between_directions,  // the runs of one direction vanish before the next direction is searched
  cascade_of_mover_only,       // once something has fallen, only the mover's runs are searched
  cascade_in_fallen_columns,   // … only runs that lie wholly in columns where something fell
  cascade_capped_at_four,      // nothing vanishes in the fifth round of a turn
  flood_never_turns_down,      // the flood fill goes up and sideways, never down again
  flood_wraps_at_wall,         // the neighbour to the right of the last column is the first one, a row higher
  run_capped_at_12,            // "there can't be 13 in a row": the thirteenth cell stays
  cascade_capped_at_nine,      // nothing vanishes in the tenth round of a turn
  cascade_blind_at_walls,      // once something has fallen, runs that end at a wall are missed
  joined_run_missed,           // … nor runs of cells that fell from different heights
  flip_halts_at_third_wall,    // a region between both walls and the top keeps its cells of the top row
  column_of_199_is_full,       // a column of 200 rows takes 199 cells
  last_column_unchanged,       // `change` of the last column spends the turn only
  score_stops_one_short,       // a score stops one below its limit
  run_over_row_32_missed,      // vertical runs that straddle two words of 32 rows are missed
};

class WrongTsTetris {
 public:
  explicit WrongTsTetris(const TsTetris::Setup& setup, TsTetrisMistake mistake = TsTetrisMistake::none)
      : mistake_{mistake},
        height_{setup.height},
        to_move_{setup.to_move},
        scores_{setup.score_1, setup.score_2},
        stacks_(static_cast<std::size_t>(setup.width)) {
    for (int column = 0; column < width(); ++column) {
      for (int row = 0; row < height_ && setup.board.at(height_ - 1 - row, column) != 0; ++row) {
        push(column, setup.board.at(height_ - 1 - row, column));
      }
    }
  }

  TsTetris::Observation step(const TsTetris::Action& action) {
    if (const auto* drop = std::get_if<TsTetris::Drop>(&action)) return play(*drop);
    if (const auto* change = std::get_if<TsTetris::Change>(&action)) return play(*change);
    return {.says = TsTetris::Says::standing,
            .winner = static_cast<std::int8_t>(scores_[0] == scores_[1]  ? 0
                                               : scores_[0] > scores_[1] ? 1
                                                                         : 2),
            .scores = scores_,
            .left = left_};
  }

  TsTetris::Snapshot snapshot() const {
    TsTetris::Snapshot out{width(), height_, to_move_, scores_[0], scores_[1], Grid{height_, width()}};
    for (int column = 0; column < width(); ++column) {
      for (int row = 0; row < tall(column); ++row) out.board.at(height_ - 1 - row, column) = cell(column, row);
    }
    return out;
  }

 private:
  using Stack = std::vector<std::uint8_t>;
  using Mistake = TsTetrisMistake;
  struct Step {
    int right;
    int up;
  };
  static constexpr std::array<Step, 4> directions = {{{1, 0}, {0, 1}, {1, 1}, {1, -1}}};

  // The board ---------------------------------------------------------------------------------

  int width() const { return static_cast<int>(stacks_.size()); }
  int tall(int column) const { return static_cast<int>(stack(column).size()); }
  Stack& stack(int column) { return stacks_[static_cast<std::size_t>(column)]; }
  const Stack& stack(int column) const { return stacks_[static_cast<std::size_t>(column)]; }

  /// 0 for an empty cell and outside the board.
  std::uint8_t cell(int column, int row) const {
    if (column < 0 || column >= width() || row < 0 || row >= tall(column)) return 0;
    return stack(column)[static_cast<std::size_t>(row)];
  }

  void push(int column, std::uint8_t player) {
    stack(column).push_back(player);
    ++left_[player - 1u];
  }

  // Turns -------------------------------------------------------------------------------------

  TsTetris::Observation play(const TsTetris::Drop& drop) {
    for (int column = drop.column; column < drop.column + 3; ++column) {
      if (mistake_ == Mistake::full_check_on_first_column && column > drop.column) break;
      const int room = mistake_ == Mistake::column_of_199_is_full ? std::min(height_, TsTetris::side_max - 1) : height_;
      if (tall(column) >= room) return {.says = TsTetris::Says::illegal};
    }
    for (int column = drop.column; column < drop.column + 3; ++column) {
      if (tall(column) < height_) push(column, static_cast<std::uint8_t>(to_move_));
    }
    return end_of_turn();
  }

  TsTetris::Observation play(const TsTetris::Change& change) {
    if (mistake_ == Mistake::own_cell_spends_no_turn && cell(change.column, 0) == to_move_) {
      return {.says = TsTetris::Says::turn};
    }
    if (mistake_ != Mistake::last_column_unchanged || change.column < width() - 1) flip(change.column, 0);
    return end_of_turn();
  }

  void flip(int column, int row) {
    std::vector<std::pair<int, int>> open = {{column, row}};
    bool left_wall = false;
    bool right_wall = false;
    std::vector<int> at_the_top;
    while (!open.empty()) {
      const auto [c, r] = open.back();
      open.pop_back();
      if (cell(c, r) != 3 - to_move_) continue;
      stack(c)[static_cast<std::size_t>(r)] = static_cast<std::uint8_t>(to_move_);
      left_wall |= c == 0;
      right_wall |= c + 1 == width();
      if (r + 1 == height_) at_the_top.push_back(c);
      if (mistake_ != Mistake::flip_forgets_the_counts) {
        ++left_[static_cast<std::size_t>(to_move_ - 1)];
        --left_[static_cast<std::size_t>(2 - to_move_)];
      }
      open.emplace_back(c - 1, r);
      open.emplace_back(c, r + 1);
      if (mistake_ != Mistake::flood_never_turns_down) open.emplace_back(c, r - 1);
      if (mistake_ == Mistake::flood_wraps_at_wall && c + 1 == width()) {
        open.emplace_back(0, r + 1);
      } else {
        open.emplace_back(c + 1, r);
      }
    }
    if (mistake_ != Mistake::flip_halts_at_third_wall || !left_wall || !right_wall) return;
    for (const int c : at_the_top) {
      stack(c).back() = static_cast<std::uint8_t>(3 - to_move_);
      --left_[static_cast<std::size_t>(to_move_ - 1)];
      ++left_[static_cast<std::size_t>(2 - to_move_)];
    }
  }

  TsTetris::Observation end_of_turn() {
    TsTetris::Observation turn{.says = TsTetris::Says::turn};
    fallen_.assign(stacks_.size(), true);
    drops_.assign(stacks_.size(), {});
    for (int round = 1; vanish(round, turn); ++round) {
    }
    if (mistake_ == Mistake::opponents_cells_score) turn.points = turn.vanished[0] + turn.vanished[1];
    std::int32_t& score = scores_[static_cast<std::size_t>(to_move_ - 1)];
    const int most = TsTetris::score_max - (mistake_ == Mistake::score_stops_one_short ? 1 : 0);
    score = std::min(score + turn.points, std::max(score, most));
    to_move_ = 3 - to_move_;
    return turn;
  }

  /// One round: mark, vanish, fall. Returns whether something vanished.
  bool vanish(int round, TsTetris::Observation& turn) {
    if (mistake_ == Mistake::cascade_capped_at_four && round > 4) return false;
    if (mistake_ == Mistake::cascade_capped_at_nine && round > 9) return false;
    bool any = false;
    clear_marks();
    for (const Step& step : directions) {
      mark_runs(step, round);
      if (mistake_ == Mistake::gravity_between_directions) {
        any |= take_marked(turn);
        clear_marks();
      }
    }
    return take_marked(turn) || any;
  }

  // Runs --------------------------------------------------------------------------------------

  void clear_marks() {
    marks_.resize(stacks_.size());
    for (std::size_t i = 0; i < stacks_.size(); ++i) marks_[i].assign(stacks_[i].size(), 0);
    marked_ = false;
  }

  void mark_runs(const Step& step, int round) {
    for (int column = 0; column < width(); ++column) {
      for (int row = 0; row < tall(column); ++row) {
        const std::uint8_t player = cell(column, row);
        if (seen(column - step.right, row - step.up, player, round) || !seen(column, row, player, round)) continue;
        int length = 1;
        while (seen(column + length * step.right, row + length * step.up, player, round)) ++length;
        if (length < TsTetris::run_min || overlooked(column, row, step, length)) continue;
        if (round > 1 && overlooked_later(column, row, step, length)) continue;
        mark(column, row, step, length);
      }
    }
  }

  /// Whether the cell is the player's and is searched in this round.
  bool seen(int column, int row, std::uint8_t player, int round) const {
    if (cell(column, row) != player) return false;
    if (mistake_ == Mistake::cascade_of_mover_only && round > 1) return player == to_move_;
    if (mistake_ == Mistake::cascade_in_fallen_columns) return fallen_[static_cast<std::size_t>(column)];
    return true;
  }

  bool overlooked(int column, int row, const Step& step, int length) const {
    switch (mistake_) {
      case Mistake::diagonal_stops_before_edge: return step.right == 1 && step.up == 1 && column + length == width();
      case Mistake::run_over_row_32_missed: return step.right == 0 && row < 32 && row + length > 32;
      case Mistake::one_run_at_a_time: return marked_;
      default: return false;
    }
  }

  /// As above, from the second round on.
  bool overlooked_later(int column, int row, const Step& step, int length) const {
    const int last = column + (length - 1) * step.right;
    if (mistake_ == Mistake::cascade_blind_at_walls) return step.right == 1 && (column == 0 || last + 1 == width());
    if (mistake_ != Mistake::joined_run_missed) return false;
    for (int i = 1; i < length; ++i) {
      if (drop_of(column + i * step.right, row + i * step.up) != drop_of(column, row)) return true;
    }
    return false;
  }

  /// How far the cell fell in the previous round.
  int drop_of(int column, int row) const {
    const std::vector<int>& drops = drops_[static_cast<std::size_t>(column)];
    return static_cast<std::size_t>(row) < drops.size() ? drops[static_cast<std::size_t>(row)] : 0;
  }

  void mark(int column, int row, const Step& step, int length) {
    marked_ = true;
    if (mistake_ == Mistake::run_capped_at_12) length = std::min(length, 12);
    for (int i = 0; i < length; ++i) {
      ++marks_[static_cast<std::size_t>(column + i * step.right)][static_cast<std::size_t>(row + i * step.up)];
    }
  }

  bool take_marked(TsTetris::Observation& turn) {
    if (!marked_) return false;
    for (int column = 0; column < width(); ++column) take_marked(column, turn);
    return true;
  }

  void take_marked(int column, TsTetris::Observation& turn) {
    const Stack& marks = marks_[static_cast<std::size_t>(column)];
    Stack kept;
    bool fell = false;
    bool gap = false;
    std::vector<int>& drops = drops_[static_cast<std::size_t>(column)];
    drops.clear();
    for (std::size_t row = 0; row < marks.size(); ++row) {
      const std::uint8_t player = stack(column)[row];
      if (marks[row] == 0) {
        drops.push_back(static_cast<int>(row - kept.size()));
        kept.push_back(player);
        fell |= gap;
        continue;
      }
      gap = true;
      ++turn.vanished[player - 1u];
      --left_[player - 1u];
      if (player == to_move_) turn.points += mistake_ == Mistake::shared_cell_scores_twice ? marks[row] : 1;
    }
    fallen_[static_cast<std::size_t>(column)] = fell;
    stack(column) = std::move(kept);
  }

  Mistake mistake_;
  int height_;
  int to_move_;
  std::array<std::int32_t, 2> scores_;
  std::array<std::int32_t, 2> left_{};
  std::vector<Stack> stacks_;
  std::vector<Stack> marks_;             // the number of runs that contain each cell
  std::vector<bool> fallen_;             // the columns in which something fell in the previous round
  std::vector<std::vector<int>> drops_;  // how far each cell fell in the previous round
  bool marked_ = false;
};

static_assert(Implementation<WrongTsTetris, TsTetris>);

// From shallow to deep.
inline const std::array ts_tetris_canaries = {
    register_canary<WrongTsTetris, TsTetris>("opponents_cells_score", TsTetrisMistake::opponents_cells_score,
                                             "pays the mover for the opponent's vanished cells too"),
    register_canary<WrongTsTetris, TsTetris>("own_cell_spends_no_turn", TsTetrisMistake::own_cell_spends_no_turn,
                                             "change on an own cell does not pass the turn"),
    register_canary<WrongTsTetris, TsTetris>("full_check_on_first_column", TsTetrisMistake::full_check_on_first_column,
                                             "looks for a full column under the first cell only"),
    register_canary<WrongTsTetris, TsTetris>("flip_forgets_the_counts", TsTetrisMistake::flip_forgets_the_counts,
                                             "change does not update the counts of cells left"),
    register_canary<WrongTsTetris, TsTetris>("shared_cell_scores_twice", TsTetrisMistake::shared_cell_scores_twice,
                                             "pays a cell once for every run that it is in"),
    register_canary<WrongTsTetris, TsTetris>("one_run_at_a_time", TsTetrisMistake::one_run_at_a_time,
                                             "lets the cells fall after every single run"),
    register_canary<WrongTsTetris, TsTetris>("gravity_between_directions", TsTetrisMistake::gravity_between_directions,
                                             "lets the cells fall before all directions have been searched"),
    register_canary<WrongTsTetris, TsTetris>("cascade_of_mover_only", TsTetrisMistake::cascade_of_mover_only,
                                             "looks for the mover's runs only after the first vanish"),
    register_canary<WrongTsTetris, TsTetris>("cascade_in_fallen_columns", TsTetrisMistake::cascade_in_fallen_columns,
                                             "looks for runs in the fallen columns only, not four columns around them"),
    register_canary<WrongTsTetris, TsTetris>("diagonal_stops_before_edge", TsTetrisMistake::diagonal_stops_before_edge,
                                             "misses rising diagonals that end in the last column"),
    register_canary<WrongTsTetris, TsTetris>("flood_wraps_at_wall", TsTetrisMistake::flood_wraps_at_wall,
                                             "follows a region from the last column to the first one, a row higher"),
    register_canary<WrongTsTetris, TsTetris>("flood_never_turns_down", TsTetrisMistake::flood_never_turns_down,
                                             "follows a region up and sideways, never down again"),
    register_canary<WrongTsTetris, TsTetris>("cascade_capped_at_four", TsTetrisMistake::cascade_capped_at_four,
                                             "stops after four rounds of vanishing"),
    register_canary<WrongTsTetris, TsTetris>("run_capped_at_12", TsTetrisMistake::run_capped_at_12,
                                             "takes at most 12 cells of a run"),
    register_canary<WrongTsTetris, TsTetris>("cascade_blind_at_walls", TsTetrisMistake::cascade_blind_at_walls,
                                             "misses runs that end at a wall once something has fallen"),
    register_canary<WrongTsTetris, TsTetris>(
        "joined_run_missed", TsTetrisMistake::joined_run_missed,
        "misses runs that are joined by cells which fell over different numbers of rows"),
    register_canary<WrongTsTetris, TsTetris>("flip_halts_at_third_wall", TsTetrisMistake::flip_halts_at_third_wall,
                                             "a flipped region that touches both walls and the top keeps its top row"),
    register_canary<WrongTsTetris, TsTetris>("cascade_capped_at_nine", TsTetrisMistake::cascade_capped_at_nine,
                                             "stops after nine rounds of vanishing"),
    register_canary<WrongTsTetris, TsTetris>("run_over_row_32_missed", TsTetrisMistake::run_over_row_32_missed,
                                             "misses vertical runs that cross from row 31 to row 32 above the ground"),
    register_canary<WrongTsTetris, TsTetris>("last_column_unchanged", TsTetrisMistake::last_column_unchanged,
                                             "change of the last column changes nothing"),
    register_canary<WrongTsTetris, TsTetris>("column_of_199_is_full", TsTetrisMistake::column_of_199_is_full,
                                             "refuses the 200th cell of a column"),
    register_canary<WrongTsTetris, TsTetris>("score_stops_one_short", TsTetrisMistake::score_stops_one_short,
                                             "stops a score one point below a billion"),
};

}  // namespace lockstep::canaries
