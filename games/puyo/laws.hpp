// The laws of Puyo Puyo.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "games/puyo/game.hpp"
#include "lockstep/describe/symmetry.hpp"

namespace lockstep {

struct Puyo::Laws {
  static std::optional<Flaw> flaw(const Setup&);
  static void normalise(Setup&);
  static std::string violation(const Setup&, const Snapshot& before, const Action&, const Observation&,
                               const Snapshot& after);

  /// The mirror, and two renamings of colours that generate all of them.
  static std::vector<Symmetry<Puyo>> symmetries();
};

}  // namespace lockstep
