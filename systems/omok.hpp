// Everyone who plays omok, in the order of the roster.
#pragma once

#include "games/omok.hpp"
// The reference.
#include "reference/omok.hpp"
// Optimized, from the oldest to the fastest.
#include "optimized/omok/textbook.hpp"
//
#include "optimized/omok/counted.hpp"
//
#include "optimized/omok/shifts.hpp"
// (A blank line or comment keeps the order: it is not that of the alphabet.)
#include "optimized/omok/lines.hpp"
// (These enlist themselves where they can run.)
#include "optimized/omok/batch.hpp"
//
#include "optimized/omok/wide_board.hpp"
// Wrong on purpose.
#include "canaries/omok.hpp"
