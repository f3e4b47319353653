// The hunt for a canary: a campaign that does not find what is known to be wrong proves nothing.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "campaign/engine.hpp"
#include "campaign/result.hpp"

namespace lockstep {

/// The canary that the seed chooses; empty when the system has none.
std::string chosen_canary(const AnySystem& system, std::uint64_t seed);

/// Lets one worker judge that canary against the reference, on the stream's own scenarios, until it is found, the
/// deadline, or `goes_on` (called with the scenarios judged so far) answers false. The caller fills in `seconds`.
CanaryHunt hunt_canary(EngineOptions options, const std::string& canary, std::chrono::steady_clock::time_point deadline,
                       const std::function<bool(std::uint64_t scenarios)>& goes_on);

}  // namespace lockstep
