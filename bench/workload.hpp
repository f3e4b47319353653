// Named inputs of the benchmarks: seeds are fixed, so the same name is the same work in every version.
#pragma once

#include <string_view>
#include <vector>

#include "lockstep/draw.hpp"
#include "lockstep/typed.hpp"

namespace lockstep {

template <class G>
struct Workload {
  std::string_view name;  // lower case letters, digits and '_': part of benchmark names, which people filter by
  /// Played one after the other; several, so that a branch predictor cannot learn a single one.
  std::vector<Scenario<G>> scenarios;
};

/// A game defines its workloads in bench/workloads/GAME.hpp, as a specialization. Without one it is measured on
/// scenarios as campaigns draw them.
template <class G>
std::vector<Workload<G>> workloads() {
  std::vector<Workload<G>> out;
  Random random{1};
  for (const Style style : styles) {
    auto& drawn = out.emplace_back(Workload<G>{.name = to_string(style), .scenarios = {}});
    for (int i = 0; i < 256; ++i) drawn.scenarios.push_back(draw_scenario<G>(random, style));
  }
  return out;
}

}  // namespace lockstep
