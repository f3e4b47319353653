// Generates scenarios of omok that reach deep states.
#pragma once

#include <vector>

#include "games/omok/game.hpp"
#include "lockstep/base/random.hpp"

namespace lockstep {

/// Boards of drawn lines, of blots and of noise; actions in short plans: a line of about five is placed in some order,
/// judged, made one longer or one shorter, and judged again.
struct Omok::Suggestions {
  explicit Suggestions(Random& random);
  Setup setup(Random& random);
  Action action(Random& random, const Setup& setup);

 private:
  Action noise(Random& random, int size) const;
  void plan(Random& random, int size);

  unsigned noise_;                   // in 16: how often an action ignores the plan
  unsigned place_, remove_, judge_;  // weights of the noise
  unsigned ask_;                     // in 16: how often a plan judges
  unsigned edge_;                    // in 8: how often a line touches the border
  unsigned long_;                    // in 8: how often a line may have any length
  std::vector<Action> pending_;      // the plan, last action first
};

}  // namespace lockstep
