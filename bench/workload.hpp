// Named inputs of the benchmarks: fixed seeds, so that the same name is the same work in every version.
#pragma once

#include <string_view>
#include <vector>

#include "harness/game.hpp"

namespace lockstep {

template <class G>
struct Workload {
  std::string_view name;  // lower case letters, digits and '_': it becomes part of names that people filter by
  /// Played one after the other; several, so that a branch predictor cannot learn a single one.
  std::vector<Scenario<G>> scenarios;
};

/// Every game gives its own in bench/workloads/GAME.hpp.
template <class G>
std::vector<Workload<G>> workloads();

}  // namespace lockstep
