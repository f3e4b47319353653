// The exhaustive explorations of TS Tetris.
#pragma once

#include <vector>

#include "games/ts_tetris/game.hpp"
#include "lockstep/explore/exploration.hpp"

namespace lockstep {

struct TsTetris::Explorations {
  static std::vector<Exploration<TsTetris>> all();
};

}  // namespace lockstep
