// The canary hunt: a campaign that cannot find an implementation that is known to be wrong proves nothing.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "campaign/engine.hpp"
#include "campaign/result.hpp"

namespace lockstep {

std::vector<std::string> canary_names(const AnySystem& system);

/// The canary that the seed selects; empty if the system has none.
std::string chosen_canary(const AnySystem& system, std::uint64_t seed);

/// Whether a finding with this signature shows a mistake of this implementation, which was judged beside the reference: it
/// blames the implementation, or names it as not deterministic. Two kinds of findings cannot name one, and count, too: that
/// a fuzz target stopped, and that some implementation is not deterministic.
bool shows_mistake_of(std::string_view signature, std::string_view implementation);

/// Whether a finding that blames another implementation needs the canary: whether the implementations `without` it agree on
/// the scenario. A canary that damages the memory of the process can let another implementation die that is right.
bool needs_canary(const Finding& finding, const AnySystem& system, const std::vector<std::string>& without,
                  Guard guard);

/// One worker judges the canary against the reference, on the scenarios of the stream. The hunt ends when the canary is
/// found, at the deadline, or when `goes_on` (called with the number of scenarios so far) returns false. A finding that
/// does not show the canary ends it, too, unless the search goes on after a finding (keep_going) or the finding is known.
/// The implementations of `options` are those of the campaign: what fails with the canary and does not fail with them is
/// its mistake, even if another one dies of it. The caller sets `seconds`.
CanaryHunt hunt_canary(EngineOptions options, const std::string& canary, std::chrono::steady_clock::time_point deadline,
                       const std::function<bool(std::uint64_t scenarios)>& goes_on);

}  // namespace lockstep
