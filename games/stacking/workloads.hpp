// The workloads of stacking.
//
// Endless games consist of pieces that all face along rows and so never leave their row. With at most three pieces in
// a row there is never a stack of four, but pieces constantly meet, carry each other, turn round and land upside down.
// (In half of the boards they move along columns.)
#pragma once

#include <vector>

#include "games/stacking/game.hpp"
#include "lockstep/system/workload.hpp"

namespace lockstep {

struct Stacking::Workloads {
  static std::vector<Workload<Stacking>> all();
};

}  // namespace lockstep
