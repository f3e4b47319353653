// The exhaustive explorations of omok.
#pragma once

#include <vector>

#include "games/omok/game.hpp"
#include "lockstep/explore/exploration.hpp"

namespace lockstep {

struct Omok::Explorations {
  static std::vector<Exploration<Omok>> all();
};

}  // namespace lockstep
