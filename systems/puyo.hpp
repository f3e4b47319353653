// Everyone who plays puyo: the order of these includes is the order of the roster.
#pragma once

#include "games/puyo.hpp"
// The rulebook.
#include "reference/puyo.hpp"
// From the oldest to the fastest.
#include "optimized/puyo/textbook.hpp"
//
#include "optimized/puyo/lean.hpp"
// (This one enlists itself where it can run.)
#include "optimized/puyo/batch.hpp"
//
#include "optimized/puyo/lanes.hpp"
// Wrong on purpose.
#include "canaries/puyo.hpp"
