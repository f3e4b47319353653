// How much one execution may cost, so that an engine's -timeout never fires on a lawful input.
//
// A naive implementation looks at every cell at every step, so the cost of a scenario is counted in cells ×
// positions. The bound leaves 2,600 actions to a 20 × 20 board and 26 to one of 200 × 200. Measured at
// the bound, under AddressSanitizer and UndefinedBehaviorSanitizer: 3 s of processor time on a dense
// 200 × 200 board of ts_tetris, the slowest of all, a third of it to make the board lawful; 0.4 s on an
// empty one of 20 × 20. What is longer is for the built-in engines, which have no clock per scenario.
#pragma once

#include <algorithm>

#include "lockstep/measure.hpp"

namespace lockstep {

inline constexpr std::uint64_t work_max = std::uint64_t{1} << 20;

/// The most actions that a scenario with this setup may hold.
template <System S>
std::size_t actions_max(const typename S::Setup& setup) {
  Measure measure;
  read_setup<S>(measure, setup);
  // A board of a few cells costs about as much as one of 64: the steps themselves are not free.
  return static_cast<std::size_t>(work_max / std::max<std::uint64_t>(measure.total.area, 64));
}

}  // namespace lockstep
