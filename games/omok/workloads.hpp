// The workloads of omok, all on the 19 × 19 board.
//
// Black and white place stones in turn, most of them next to another stone as people do, so that boards have many
// short runs and sometimes a win; the game continues after a win.
#pragma once

#include <vector>

#include "games/omok/game.hpp"
#include "lockstep/system/workload.hpp"

namespace lockstep {

struct Omok::Workloads {
  static std::vector<Workload<Omok>> all();
};

}  // namespace lockstep
