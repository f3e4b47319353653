// Everyone who plays TS Tetris. The order of these includes is that of the roster; a comment between two keeps it.
#pragma once

#include "games/ts_tetris/game.hpp"
// The rulebook.
#include "reference/ts_tetris.hpp"
// From the oldest to the fastest, which answers when nobody is named. (Who needs AVX-512 is there where it can run.)
#include "optimized/ts_tetris/textbook.hpp"
//
#include "optimized/ts_tetris/lean.hpp"
//
#include "optimized/ts_tetris/bit_planes.hpp"
//
#include "optimized/ts_tetris/wide_planes.hpp"
// Wrong on purpose.
#include "canaries/ts_tetris.hpp"
