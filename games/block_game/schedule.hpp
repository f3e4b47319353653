// The order in which a clear removes the blocks of a board.
#pragma once

#include <array>

#include "games/block_game/blocks.hpp"

namespace lockstep::block_game {

inline constexpr int never = 1'000'000;

/// When each number is removed: by rounds that each remove all removable blocks, and by passes in order of numbers;
/// `never` for a block that stays. This replays the rule of clearing, but a mistake in it cannot hide a bug: no
/// verdict uses it, only generators and coverage do. props/block_game.cpp compares it with clears performed round by
/// round.
struct Schedule {
  std::array<int, BlockGame::blocks_max + 1> level;
  std::array<int, BlockGame::blocks_max + 1> pass;
};

Schedule schedule_of(const Grid& board, const Blocks& blocks);

}  // namespace lockstep::block_game
