// The block game's workloads: how many blocks can be removed from a loaded board.
//
//   random_shapes_50    200 blocks of all twelve shapes on 50 × 50: few can go
//   all_removable_50    200 blocks of the five shapes that can go: all of them do
//   random_shapes_10    the published sample's size, packed full
//   place_and_clear_20  100 actions on 20 × 20, four placements to a clear: the incremental side
#pragma once

#include <vector>

#include "games/block_game/game.hpp"
#include "lockstep/system/workload.hpp"

namespace lockstep {

struct BlockGame::Workloads {
  static std::vector<Workload<BlockGame>> all();
};

}  // namespace lockstep
