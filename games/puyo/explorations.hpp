// The exhaustive explorations of Puyo Puyo.
#pragma once

#include <vector>

#include "games/puyo/game.hpp"
#include "lockstep/exploration.hpp"

namespace lockstep {

struct Puyo::Explorations {
  static std::vector<Exploration<Puyo>> all();
};

}  // namespace lockstep
