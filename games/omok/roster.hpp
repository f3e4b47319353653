// Registers all omok implementations; include order is registration order.
// (A comment between two includes keeps clang-format from sorting them.)
#pragma once

#include "games/omok/game.hpp"
// The reference implementation.
#include "reference/omok.hpp"
// From the oldest to the fastest; the last one is the default. Wide implementations register themselves only on
// machines that can run them.
#include "optimized/omok/textbook.hpp"
//
#include "optimized/omok/counted.hpp"
//
#include "optimized/omok/shifts.hpp"
//
#include "optimized/omok/bands.hpp"
//
#include "optimized/omok/lines.hpp"
//
#include "optimized/omok/wide_board.hpp"
// Batches.
#include "optimized/omok/batch.hpp"
// Canaries: wrong on purpose.
#include "games/omok/canaries.hpp"
