// Generates scenarios of stacking that reach deep states.
#pragma once

#include "games/stacking/game.hpp"
#include "lockstep/base/random.hpp"

namespace lockstep {

/// Small crowded boards, stacks of two and three, narrow passages, counters close to turn 1,000.
struct Stacking::Suggestions {
  explicit Suggestions(Random& random);
  Setup setup(Random& random);
  Action action(Random& random, const Setup& setup);

 private:
  unsigned weight_move_;
  unsigned weight_turn_;
  unsigned weight_play_;
  unsigned red_;       // about this many of 20 cells are red
  unsigned blue_;      // about this many of 20 cells are blue
  unsigned stacked_;   // about this many of 10 pieces start on another one
  unsigned vertical_;  // about this many of 10 pieces face up or down
  int favourites_;     // moves use only this many of the first pieces; 0: all
};

}  // namespace lockstep
