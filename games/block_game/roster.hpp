// Registers all block game implementations; include order is registration order.
// (A comment between two includes keeps clang-format from sorting them.)
#pragma once

#include "games/block_game/game.hpp"
// The reference implementation.
#include "reference/block_game.hpp"
// From the oldest to the fastest; the last one is the default. Wide implementations register themselves only on
// machines that can run them.
#include "optimized/block_game/textbook.hpp"
//
#include "optimized/block_game/skyline.hpp"
//
#include "optimized/block_game/bit_rows.hpp"
//
#include "optimized/block_game/wide_rows.hpp"
// Batches.
#include "optimized/block_game/batch.hpp"
// Canaries: wrong on purpose.
#include "games/block_game/canaries.hpp"
