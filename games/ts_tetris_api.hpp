// The four functions that the text of TS Tetris asks for, over any simulator of it:
//
//   TsTetrisApi<optimized::BitPlanesTsTetris> api;
//   api.init(10, 10);
//   api.dropBlocks(1, 4);
//   api.changeBlocks(2, 0);
//   int left[2];
//   int leader = api.getResult(left);
//
// Names and signatures are the text's own. Players are 1 and 2, columns count from 0. The text
// promises lawful calls; a call that breaks the promise is refused: it answers 0 and changes nothing.
// Refused are a call before `init`, a call out of turn, a column outside the board, a drop into a full column.
// `init` refuses a board outside the simulators' limits and leaves no game behind.
#pragma once

#include <optional>

#include "games/ts_tetris.hpp"

namespace lockstep {

template <class S>
  requires Simulator<S, TsTetris>
class TsTetrisApi {
 public:
  /// An empty board of W columns and H rows; player 1 begins.
  void init(int W, int H) {
    simulator_.reset();
    const bool lawful = W >= TsTetris::width_min && W <= TsTetris::side_max && H >= TsTetris::height_min &&
                        H <= TsTetris::side_max;
    if (!lawful) return;
    simulator_.emplace(TsTetris::Setup{.width = W, .height = H, .board = Grid{H, W}});
    width_ = W;
    to_move_ = 1;
  }

  /// Drops the player's three cells into columns col, col + 1, col + 2; the points of the turn.
  int dropBlocks(int player, int col) { return take_turn(player, col, width_ - 3, TsTetris::Drop{col}); }

  /// The opponent's region at the bottom of column col becomes the player's; the points of the turn.
  int changeBlocks(int player, int col) { return take_turn(player, col, width_ - 1, TsTetris::Change{col}); }

  /// The player with more points, 0 for a tie; blockCnt becomes the cells left of players 1 and 2.
  int getResult(int blockCnt[2]) {
    if (!simulator_) return 0;
    const TsTetris::Observation standing = simulator_->step(TsTetris::Result{});
    blockCnt[0] = standing.left[0];
    blockCnt[1] = standing.left[1];
    return standing.winner;
  }

 private:
  int take_turn(int player, int col, int last, const TsTetris::Action& action) {
    if (!simulator_ || player != to_move_ || col < 0 || col > last) return 0;
    const TsTetris::Observation turn = simulator_->step(action);
    if (turn.says != TsTetris::Says::turn) return 0;
    to_move_ = 3 - to_move_;
    return turn.points;
  }

  std::optional<S> simulator_;
  int width_ = 0;
  int to_move_ = 1;
};

}  // namespace lockstep
