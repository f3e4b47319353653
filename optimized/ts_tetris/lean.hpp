// TS Tetris as plain scalar code: after every action the whole occupied board is recomputed, each time in one pass
// over the rows.
//
// Board: one byte a cell, row 0 at the *bottom*, so that the height of a column is also the row on which the next cell
// lands. One extra column on the left and on the right stays 0, which saves bounds checks when a neighbour is read.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "games/ts_tetris/game.hpp"
#include "lockstep/system/registry.hpp"

namespace lockstep::optimized {

class LeanTsTetris {
 public:
  explicit LeanTsTetris(const TsTetris::Setup& setup)
      : width_{setup.width},
        height_{setup.height},
        stride_{index(setup.width) + 2},
        to_move_{setup.to_move},
        scores_{setup.score_1, setup.score_2},
        cells_(stride_ * index(setup.height)),
        doomed_(stride_ * index(setup.height)),
        heights_(index(setup.width)),
        runs_below_(stride_),
        runs_here_(stride_) {
    for (int column = 0; column < width_; ++column) {
      for (int row = 0; row < height_; ++row) {
        const std::uint8_t player = setup.board.at(height_ - 1 - row, column);
        if (player == 0) break;  // the board is settled
        place(row, column, player);
      }
    }
  }

  TsTetris::Observation step(const TsTetris::Action& action) {
    if (const auto* drop = std::get_if<TsTetris::Drop>(&action)) return play(*drop);
    if (const auto* change = std::get_if<TsTetris::Change>(&action)) return play(*change);
    return standing();
  }

  TsTetris::Snapshot snapshot() const {
    return {width_,
            height_,
            to_move_,
            scores_[0],
            scores_[1],
            Grid::drawn(height_, width_, [&](int row, int column) { return cells_[at(height_ - 1 - row, column)]; })};
  }

 private:
  /// The length of the run that ends in a cell, by direction, from the rows at and below it. The value of an empty
  /// cell is stale: no run continues from it.
  struct Runs {
    std::array<std::uint8_t, 4> length{};
  };

  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  std::size_t at(int row, int column) const { return index(row) * stride_ + index(column) + 1; }

  void place(int row, int column, std::uint8_t player) {
    cells_[at(row, column)] = player;
    ++heights_[index(column)];
    ++left_[player - 1u];
  }

  TsTetris::Observation play(const TsTetris::Drop& drop) {
    const auto column = heights_.begin() + drop.column;
    if (std::max({column[0], column[1], column[2]}) == height_) return {.says = TsTetris::Says::illegal};
    for (int i = 0; i < 3; ++i) place(column[i], drop.column + i, static_cast<std::uint8_t>(to_move_));
    return end_of_turn();
  }

  TsTetris::Observation play(const TsTetris::Change& change) {
    const std::uint8_t mover = static_cast<std::uint8_t>(to_move_);
    const std::uint8_t opponent = static_cast<std::uint8_t>(3 - to_move_);
    // A cell is flipped when it is found, so none is found twice.
    const auto flip = [&](std::size_t cell) {
      if (cells_[cell] != opponent) return;
      cells_[cell] = mover;
      flipped_.push_back(cell);
    };
    flipped_.clear();
    flip(at(0, change.column));
    for (std::size_t next = 0; next < flipped_.size(); ++next) {
      const std::size_t cell = flipped_[next];
      flip(cell - 1);
      flip(cell + 1);
      if (cell >= stride_) flip(cell - stride_);
      if (cell + stride_ < cells_.size()) flip(cell + stride_);
    }
    left_[mover - 1u] += static_cast<int>(flipped_.size());
    left_[opponent - 1u] -= static_cast<int>(flipped_.size());
    return end_of_turn();
  }

  TsTetris::Observation end_of_turn() {
    TsTetris::Observation turn{.says = TsTetris::Says::turn};
    while (doom_runs()) erase_and_fall(turn.vanished);
    const std::size_t mover = index(to_move_ - 1);
    turn.points = turn.vanished[mover];
    scores_[mover] = std::min(scores_[mover] + turn.points, TsTetris::score_max);
    to_move_ = 3 - to_move_;
    return turn;
  }

  /// Marks every cell of every run; returns whether there was one.
  ///
  /// One pass from the bottom row up. For each cell, `length` counts the cells of the same player in the run that ends
  /// in it, coming from these four sides:
  ///
  ///      0 → x
  ///        ↗↑↖
  ///       1 2 3
  bool doom_runs() {
    bool any = false;
    const int top = *std::ranges::max_element(heights_);
    for (int row = 0; row < top; ++row) {
      for (int column = 0; column < width_; ++column) {
        const std::size_t here = at(row, column);
        const std::size_t slot = index(column) + 1;
        const std::uint8_t player = cells_[here];
        if (player == 0) continue;
        Runs& runs = runs_here_[slot];
        const auto grown = [&](std::size_t back, const Runs& before, std::size_t direction) {
          const bool joins = (direction == 0 || row > 0) && cells_[here - back] == player;
          runs.length[direction] = static_cast<std::uint8_t>(joins ? before.length[direction] + 1 : 1);
          if (runs.length[direction] < TsTetris::run_min) return;
          any = true;
          doom_back(here, back, runs.length[direction]);
        };
        grown(1, runs_here_[slot - 1], 0);
        grown(stride_ + 1, runs_below_[slot - 1], 1);
        grown(stride_, runs_below_[slot], 2);
        grown(stride_ - 1, runs_below_[slot + 1], 3);
      }
      std::swap(runs_below_, runs_here_);
    }
    return any;
  }

  /// When a run reaches five, its first five cells are marked; after that, one cell at a time.
  void doom_back(std::size_t end, std::size_t back, int length) {
    const int count = length == TsTetris::run_min ? TsTetris::run_min : 1;
    for (int i = 0; i < count; ++i) doomed_[end - index(i) * back] = 1;
  }

  void erase_and_fall(std::array<std::int32_t, 2>& vanished) {
    for (int column = 0; column < width_; ++column) {
      int kept = 0;
      for (int row = 0; row < heights_[index(column)]; ++row) {
        const std::size_t from = at(row, column);
        const std::uint8_t player = std::exchange(cells_[from], std::uint8_t{0});
        if (std::exchange(doomed_[from], std::uint8_t{0}) != 0) {
          ++vanished[player - 1u];
          --left_[player - 1u];
        } else {
          cells_[at(kept++, column)] = player;
        }
      }
      heights_[index(column)] = kept;
    }
  }

  TsTetris::Observation standing() const {
    TsTetris::Observation out{.says = TsTetris::Says::standing};
    out.winner = static_cast<std::int8_t>(scores_[0] > scores_[1] ? 1 : scores_[0] < scores_[1] ? 2 : 0);
    out.scores = scores_;
    out.left = left_;
    return out;
  }

  int width_;
  int height_;
  std::size_t stride_;
  int to_move_;
  std::array<std::int32_t, 2> scores_;
  std::array<std::int32_t, 2> left_{};
  std::vector<std::uint8_t> cells_;   // height × stride
  std::vector<std::uint8_t> doomed_;  // the same shape; all 0 between turns
  std::vector<int> heights_;          // cells in each column
  std::vector<Runs> runs_below_;      // one per column, with the same margins
  std::vector<Runs> runs_here_;
  std::vector<std::size_t> flipped_;  // a member, so that its memory is reused
};

static_assert(Implementation<LeanTsTetris, TsTetris>);
inline const auto ts_tetris_lean = register_implementation<LeanTsTetris, TsTetris>(
    "lean", Kind::yardstick, "plain scalar code: one pass over the occupied rows after every action");

}  // namespace lockstep::optimized
