// Leaves kinds of actions out of scenarios: `fuzz --without`, when one kind runs into the same mistake again and again.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "lockstep/fit.hpp"

namespace lockstep {

/// Removes the actions of these kinds, and those that refer to their results.
template <System S>
void leave_out(Scenario<S>& scenario, const std::vector<std::string>& kinds) {
  if (kinds.empty()) return;
  const auto left_out = [&](std::size_t i) {
    return std::ranges::find(kinds, action_name(scenario.actions[i])) != kinds.end();
  };
  refit_actions<S>(scenario, left_out, [](std::size_t) { return Fit{}; });
}

}  // namespace lockstep
