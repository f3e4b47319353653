// The explorations of Puyo Puyo: exhaustive ones, and bulks of random fields.
#pragma once

#include <vector>

#include "games/puyo/game.hpp"
#include "lockstep/explore/exploration.hpp"

namespace lockstep {

struct Puyo::Explorations {
  static std::vector<Exploration<Puyo>> all();
};

}  // namespace lockstep
