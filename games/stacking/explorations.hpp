// What is covered exhaustively.
#pragma once

#include <vector>

#include "games/stacking/game.hpp"
#include "lockstep/exploration.hpp"

namespace lockstep {

struct Stacking::Explorations {
  static std::vector<Exploration<Stacking>> all();
};

}  // namespace lockstep
