// Everyone who plays omok: the reference, the optimized simulators from the oldest to the fastest,
// the canaries.
#pragma once

#include "games/omok.hpp"

#include "reference/omok.hpp"

#include "optimized/omok/shifts.hpp"

#include "optimized/omok/lines.hpp"

namespace lockstep {
using SystemGame = Omok;
}
