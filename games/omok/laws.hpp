// The laws of omok. Every board of the right shape is lawful, so nothing is refused or repaired.
#pragma once

#include <string>
#include <vector>

#include "games/omok/game.hpp"
#include "lockstep/describe/symmetry.hpp"

namespace lockstep {

struct Omok::Laws {
  static std::string violation(const Setup&, const Snapshot& before, const Action&, const Observation&,
                               const Snapshot& after);

  /// The seven rotations and mirrors of the square, and the swap of black and white.
  static std::vector<Symmetry<Omok>> symmetries();
};

}  // namespace lockstep
