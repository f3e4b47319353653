// Leaves kinds of actions out of scenarios: `fuzz --without`, when one kind runs into the same mistake again and again.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "lockstep/fit.hpp"
#include "lockstep/scenario.hpp"

namespace lockstep {

/// Removes the actions of these kinds, and those that refer to their results.
inline void leave_out(AnyScenario& scenario, const std::vector<std::string>& kinds) {
  if (kinds.empty()) return;
  std::vector<bool> left_out(scenario.size());
  for (std::size_t i = 0; i < left_out.size(); ++i) {
    left_out[i] = std::ranges::find(kinds, scenario.action_name(i)) != kinds.end();
  }
  refit_actions(scenario, [&](std::size_t i) -> bool { return left_out[i]; }, [](std::size_t) { return Fit{}; });
}

}  // namespace lockstep
