// Registers all Puyo Puyo implementations; include order is registration order.
// (A comment between two includes keeps clang-format from sorting them.)
#pragma once

#include "games/puyo/game.hpp"
// The reference implementation.
#include "reference/puyo.hpp"
// From the oldest to the fastest; the last one is the default. Wide implementations register themselves only on
// machines that can run them.
#include "optimized/puyo/textbook.hpp"
//
#include "optimized/puyo/lean.hpp"
//
#include "optimized/puyo/lanes.hpp"
// Batches.
#include "optimized/puyo/batch.hpp"
// Canaries: wrong on purpose.
#include "games/puyo/canaries.hpp"
