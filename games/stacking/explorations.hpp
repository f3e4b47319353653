// The exhaustive explorations of stacking.
#pragma once

#include <vector>

#include "games/stacking/game.hpp"
#include "lockstep/explore/exploration.hpp"

namespace lockstep {

struct Stacking::Explorations {
  static std::vector<Exploration<Stacking>> all();
};

}  // namespace lockstep
