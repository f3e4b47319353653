// TS Tetris as its source solves it ("TS테트리스", the code example): a drop searches the lines through its three cells;
// every vanish and every change is followed by a scan of the whole board, which follows the run of every cell in four
// directions. A yardstick for measurements.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <queue>
#include <utility>
#include <vector>

#include "games/ts_tetris/game.hpp"
#include "lockstep/system/registry.hpp"

namespace lockstep::optimized {

class TextbookTsTetris {
 public:
  explicit TextbookTsTetris(const TsTetris::Setup& setup)
      : width_{setup.width},
        height_{setup.height},
        to_move_{setup.to_move},
        scores_{setup.score_1, setup.score_2},
        board_(index(height_), std::vector<int>(index(width_))),
        marked_(index(height_), std::vector<char>(index(width_))),
        tops_(index(width_), height_) {
    for (int row = height_ - 1; row >= 0; --row) {
      for (int column = 0; column < width_; ++column) {
        const int player = setup.board.at(row, column);
        if (player == 0) continue;
        at(row, column) = player;
        top(column) = row;
        ++left(player);
      }
    }
  }

  TsTetris::Observation step(const TsTetris::Action& action) {
    if (const auto* drop = std::get_if<TsTetris::Drop>(&action)) return play(*drop);
    if (const auto* change = std::get_if<TsTetris::Change>(&action)) return play(*change);
    return standing();
  }

  TsTetris::Snapshot snapshot() const {
    return {width_,     height_,    to_move_,
            scores_[0], scores_[1], Grid::drawn(height_, width_, [&](int row, int column) { return at(row, column); })};
  }

 private:
  using Cell = std::pair<int, int>;  // row, column; row 0 at the top
  static constexpr std::array<Cell, 4> directions = {{{-1, 0}, {-1, 1}, {0, 1}, {1, 1}}};

  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  int& at(int row, int column) { return board_[index(row)][index(column)]; }
  int at(int row, int column) const { return board_[index(row)][index(column)]; }
  int& top(int column) { return tops_[index(column)]; }
  int& left(int player) { return left_[index(player - 1)]; }

  TsTetris::Observation play(const TsTetris::Drop& drop) {
    for (int column = drop.column; column < drop.column + 3; ++column) {
      if (top(column) == 0) return {.says = TsTetris::Says::illegal};
    }
    for (int column = drop.column; column < drop.column + 3; ++column) {
      at(--top(column), column) = to_move_;
      ++left(to_move_);
    }
    TsTetris::Observation turn{.says = TsTetris::Says::turn};
    if (mark_round(drop.column)) {
      erase(turn);
      erase_all(turn);
    }
    return end_of_turn(turn);
  }

  TsTetris::Observation play(const TsTetris::Change& change) {
    std::queue<Cell> waiting;
    const auto push = [&](int row, int column) {
      if (row < 0 || row >= height_ || column < 0 || column >= width_ || at(row, column) != 3 - to_move_) return;
      waiting.emplace(row, column);
      at(row, column) = to_move_;
      --left(3 - to_move_);
      ++left(to_move_);
    };
    push(height_ - 1, change.column);
    while (!waiting.empty()) {
      const auto [row, column] = waiting.front();
      waiting.pop();
      push(row - 1, column);
      push(row, column + 1);
      push(row + 1, column);
      push(row, column - 1);
    }
    TsTetris::Observation turn{.says = TsTetris::Says::turn};
    erase_all(turn);
    return end_of_turn(turn);
  }

  TsTetris::Observation end_of_turn(TsTetris::Observation turn) {
    const std::size_t mover = index(to_move_ - 1);
    turn.points = turn.vanished[mover];
    scores_[mover] = std::min(scores_[mover] + turn.points, TsTetris::score_max);
    to_move_ = 3 - to_move_;
    return turn;
  }

  TsTetris::Observation standing() const {
    TsTetris::Observation out{.says = TsTetris::Says::standing};
    out.winner = static_cast<std::int8_t>(scores_[0] > scores_[1] ? 1 : scores_[0] < scores_[1] ? 2 : 0);
    out.scores = scores_;
    out.left = left_;
    return out;
  }

  /// The number of cells of the player in a line from this one on, itself included.
  int search(int row, int column, int down, int right, int player) const {
    int count = 0;
    while (row >= 0 && row < height_ && column >= 0 && column < width_ && at(row, column) == player) {
      ++count;
      row += down;
      column += right;
    }
    return count;
  }

  void mark(int row, int column, int down, int right, int count) {
    for (int i = 0; i < count; ++i) marked_[index(row + i * down)][index(column + i * right)] = 1;
  }

  /// Marks the runs through the three cells just dropped; returns whether there is one.
  bool mark_round(int first) {
    bool any = false;
    for (int column = first; column < first + 3; ++column) {
      const int row = top(column);
      for (const auto& [down, right] : directions) {
        const int ahead = search(row, column, down, right, to_move_);
        const int behind = search(row, column, -down, -right, to_move_);
        if (ahead + behind <= TsTetris::run_min) continue;  // the cell itself is in both
        mark(row, column, down, right, ahead);
        mark(row, column, -down, -right, behind);
        any = true;
      }
    }
    return any;
  }

  bool mark_all() {
    bool any = false;
    for (int column = 0; column < width_; ++column) {
      for (int row = height_ - 1; row >= top(column); --row) {
        for (const auto& [down, right] : directions) {
          const int length = search(row, column, down, right, at(row, column));
          if (length < TsTetris::run_min) continue;
          mark(row, column, down, right, length);
          any = true;
        }
      }
    }
    return any;
  }

  void erase_all(TsTetris::Observation& turn) {
    while (mark_all()) erase(turn);
  }

  /// Removes the marked cells from the board; the others fall.
  void erase(TsTetris::Observation& turn) {
    for (int column = 0; column < width_; ++column) {
      int floor = height_ - 1;  // the lowest place not yet taken
      for (int row = height_ - 1; row >= top(column); --row) {
        const int player = std::exchange(at(row, column), 0);
        if (std::exchange(marked_[index(row)][index(column)], char{0}) != 0) {
          ++turn.vanished[index(player - 1)];
          --left(player);
        } else {
          at(floor--, column) = player;
        }
      }
      top(column) = floor + 1;
    }
  }

  int width_;
  int height_;
  int to_move_;
  std::array<std::int32_t, 2> scores_;
  std::array<std::int32_t, 2> left_{};
  std::vector<std::vector<int>> board_;
  std::vector<std::vector<char>> marked_;  // the same shape; all 0 between turns
  std::vector<int> tops_;                  // of a column: the row of its highest cell, or the height
};

static_assert(Implementation<TextbookTsTetris, TsTetris>);
inline const auto ts_tetris_textbook = register_implementation<TextbookTsTetris, TsTetris>(
    "textbook", Kind::yardstick, "as the source solves it: a scan of the whole board after every erase");

}  // namespace lockstep::optimized
