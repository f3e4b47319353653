// Everyone who plays ts_tetris: the reference, the optimized simulators from the oldest to the
// fastest, the canaries.
#pragma once

#include "games/ts_tetris.hpp"

#include "reference/ts_tetris.hpp"

#include "optimized/ts_tetris/textbook.hpp"
//
#include "optimized/ts_tetris/lean.hpp"
#include "optimized/ts_tetris/bit_planes.hpp"
#include "optimized/ts_tetris/wide_planes.hpp"

#include "canaries/ts_tetris.hpp"
