// Everyone who plays the block game, in the order of the roster.
#pragma once

#include "games/block_game.hpp"
// The reference.
#include "reference/block_game.hpp"
// Optimized, from the oldest to the fastest.
#include "optimized/block_game/textbook.hpp"
//
#include "optimized/block_game/skyline.hpp"
// (This one and the last enlist themselves where they can run.)
#include "optimized/block_game/batch.hpp"
//
#include "optimized/block_game/bit_rows.hpp"
// The fastest answers when nobody is named.
#include "optimized/block_game/wide_rows.hpp"
// Wrong on purpose.
#include "canaries/block_game.hpp"
