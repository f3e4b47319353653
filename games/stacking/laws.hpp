// The laws of stacking.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "games/stacking/game.hpp"
#include "lockstep/describe/symmetry.hpp"

namespace lockstep {

struct Stacking::Laws {
  static std::optional<Flaw> flaw(const Setup&);
  static void normalise(Setup&);
  static std::string violation(const Setup&, const Snapshot& before, const Action&, const Observation&,
                               const Snapshot& after);

  /// Equal positions move alike: the turn counter decides only how long `play` continues.
  static Snapshot position(Snapshot s) {
    s.turn = 0;
    return s;
  }

  /// The seven rotations and mirrors of the square.
  static std::vector<Symmetry<Stacking>> symmetries();
};

}  // namespace lockstep
