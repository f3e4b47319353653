// How to draw scenarios that reach deep states.
#pragma once

#include "games/stacking/game.hpp"
#include "lockstep/random.hpp"

namespace lockstep {

/// Crowded little boards, stacks of two and three, narrow passages, counters close to turn 1,000.
struct Stacking::Suggestions {
  explicit Suggestions(Random& random);
  Setup setup(Random& random);
  Action action(Random& random, const Setup& setup);

 private:
  unsigned weight_move_;
  unsigned weight_turn_;
  unsigned weight_play_;
  unsigned red_;       // of 20 cells, about this many
  unsigned blue_;      // and this many
  unsigned stacked_;   // of 10 pieces, about this many start on another
  unsigned vertical_;  // of 10 pieces, about this many face up or down
  int favourites_;     // moves keep to this many of the first pieces; 0: to none
};

}  // namespace lockstep
