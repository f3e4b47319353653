// Registers all TS Tetris implementations; include order is registration order.
// (A comment between two includes keeps clang-format from sorting them.)
#pragma once

#include "games/ts_tetris/game.hpp"
// The reference implementation.
#include "reference/ts_tetris.hpp"
// From the oldest to the fastest; the last one is the default. Wide implementations register themselves only on
// machines that can run them.
#include "optimized/ts_tetris/textbook.hpp"
//
#include "optimized/ts_tetris/lean.hpp"
//
#include "optimized/ts_tetris/bit_planes.hpp"
//
#include "optimized/ts_tetris/wide_planes.hpp"
// Canaries: wrong on purpose.
#include "games/ts_tetris/canaries.hpp"
