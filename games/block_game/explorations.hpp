// The exhaustive explorations of the block game.
#pragma once

#include <vector>

#include "games/block_game/game.hpp"
#include "lockstep/explore/exploration.hpp"

namespace lockstep {

struct BlockGame::Explorations {
  static std::vector<Exploration<BlockGame>> all();
};

}  // namespace lockstep
