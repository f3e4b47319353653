// Generates scenarios of TS Tetris that reach deep states.
#pragma once

#include <optional>

#include "games/ts_tetris/game.hpp"
#include "lockstep/base/random.hpp"

namespace lockstep {

/// Boards close to runs and cascades, full boards, regions that wind or span the board, flips that make runs of any
/// length; actions that stay in a few columns; columns of 200 cells, boards 200 wide, scores at their limit, and from an
/// empty board runs of more than 12 cells.
struct TsTetris::Suggestions {
  explicit Suggestions(Random& random);
  Setup setup(Random& random);
  Action action(Random& random, const Setup& setup);

 private:
  Setup at_a_limit(Random& random);
  Action dropped_chain();

  unsigned weight_drop_;
  unsigned weight_change_;
  int focus_;                      // columns stay within this distance of the centre; 0: anywhere
  int centre_;                     // 0 … 1000, a share of the width
  std::optional<int> tower_ = {};  // the only column of all drops
  int chained_ = 0;                // how many drops of dropped_chain() come before its changes; 0: there is no chain
  int turn_ = 0;                   // of dropped_chain()
};

}  // namespace lockstep
