// Registers all stacking implementations; include order is registration order.
// (A comment between two includes keeps clang-format from sorting them.)
#pragma once

#include "games/stacking/game.hpp"
// The reference implementation.
#include "reference/stacking.hpp"
// From the oldest to the fastest; the last one is the default. Wide implementations register themselves only on
// machines that can run them.
#include "optimized/stacking/textbook.hpp"
//
#include "optimized/stacking/linked_stacks.hpp"
//
#include "optimized/stacking/packed_stacks.hpp"
// Batches.
#include "optimized/stacking/batch.hpp"
// Canaries: wrong on purpose.
#include "games/stacking/canaries.hpp"
