// Everyone who plays stacking. The order of these includes is that of the roster; a comment between two keeps it.
#pragma once

#include "games/stacking/game.hpp"
// The rulebook.
#include "reference/stacking.hpp"
// From the oldest to the fastest, which answers when nobody is named. (Who needs AVX-512 is there where it can run.)
#include "optimized/stacking/textbook.hpp"
//
#include "optimized/stacking/linked_stacks.hpp"
//
#include "optimized/stacking/batch.hpp"
//
#include "optimized/stacking/packed_stacks.hpp"
// Wrong on purpose.
#include "canaries/stacking.hpp"
