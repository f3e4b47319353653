// How to draw scenarios of omok that reach deep states.
#pragma once

#include <vector>

#include "games/omok/game.hpp"
#include "lockstep/random.hpp"

namespace lockstep {

/// Boards of drawn lines, of blots and of noise; play in little plans: a line of about five is laid
/// in some order, judged, made one longer or one shorter, and judged again.
struct Omok::Suggestions {
  explicit Suggestions(Random& random);
  Setup setup(Random& random);
  Action action(Random& random, const Setup& setup);

 private:
  Action noise(Random& random, int size) const;
  void plan(Random& random, int size);

  unsigned noise_;                   // in 16: how often an action ignores the plan
  unsigned place_, remove_, judge_;  // weights of the noise
  unsigned ask_;                     // in 16: how often the judge is asked within a plan
  unsigned edge_;                    // in 8: how often a line clings to the border
  unsigned long_;                    // in 8: how often a line may have any length
  std::vector<Action> pending_;      // the plan, last action first
};

}  // namespace lockstep
