// Everyone who plays stacking: the reference, the optimized simulators from the oldest to the
// fastest, the canaries.
#pragma once

#include "games/stacking.hpp"

#include "reference/stacking.hpp"

#include "optimized/stacking/textbook.hpp"
//
#include "optimized/stacking/linked_stacks.hpp"
// (This one enlists itself where it can run.)
#include "optimized/stacking/batch.hpp"
//
#include "optimized/stacking/packed_stacks.hpp"

#include "canaries/stacking.hpp"
