// Everyone who plays omok. The order of these includes is that of the roster; a comment between two keeps it.
#pragma once

#include "games/omok/game.hpp"
// The rulebook.
#include "reference/omok.hpp"
// From the oldest to the fastest, which answers when nobody is named. (Who needs AVX-512 is there where it can run.)
#include "optimized/omok/textbook.hpp"
//
#include "optimized/omok/counted.hpp"
//
#include "optimized/omok/shifts.hpp"
//
#include "optimized/omok/lines.hpp"
//
#include "optimized/omok/batch.hpp"
//
#include "optimized/omok/wide_board.hpp"
// Wrong on purpose.
#include "canaries/omok.hpp"
