// Everyone who plays the block game. The order of these includes is that of the roster; a comment between two keeps it.
#pragma once

#include "games/block_game/game.hpp"
// The rulebook.
#include "reference/block_game.hpp"
// From the oldest to the fastest, which answers when nobody is named. (Who needs AVX-512 is there where it can run.)
#include "optimized/block_game/textbook.hpp"
//
#include "optimized/block_game/skyline.hpp"
//
#include "optimized/block_game/batch.hpp"
//
#include "optimized/block_game/bit_rows.hpp"
//
#include "optimized/block_game/wide_rows.hpp"
// Wrong on purpose.
#include "canaries/block_game.hpp"
