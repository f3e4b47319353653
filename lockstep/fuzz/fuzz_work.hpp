// Bounds the cost of one execution, so that an engine's -timeout never fires on a lawful input.
//
// A naive implementation visits every cell at every step, so the cost of a scenario is counted in cells × positions.
// The bound allows 2,600 actions on a 20 × 20 board and 26 on a 200 × 200 board. Measured at the bound, under
// AddressSanitizer and UndefinedBehaviorSanitizer: 3 s of processor time on a dense 200 × 200 board of the slowest
// system measured, a third of it for making the board lawful; 0.4 s on an empty 20 × 20 board. Longer scenarios are left
// to the built-in engines, which have no timeout per scenario.
#pragma once

#include <algorithm>
#include <cstdint>

#include "lockstep/describe/measure.hpp"
#include "lockstep/describe/scenario.hpp"

namespace lockstep {

inline constexpr std::uint64_t work_max = std::uint64_t{1} << 20;

/// The maximal number of actions in a scenario with the setup of this one.
inline std::size_t actions_max(const AnyScenario& scenario) {
  // A board of a few cells costs about as much as one of 64, because each step has a fixed cost.
  return static_cast<std::size_t>(work_max / std::max<std::uint64_t>(area_of(scenario), 64));
}

}  // namespace lockstep
