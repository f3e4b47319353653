// The canary hunt: a campaign that cannot find an implementation that is known to be wrong proves nothing.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "campaign/engine.hpp"
#include "campaign/result.hpp"

namespace lockstep {

std::vector<std::string> canary_names(const AnySystem& system);

/// The canary that the seed selects; empty if the system has none.
std::string chosen_canary(const AnySystem& system, std::uint64_t seed);

/// One worker judges the canary against the reference, on the scenarios of the stream. The hunt ends when the canary is
/// found, at the deadline, or when `keep_on` (called with the number of scenarios so far) returns false. The caller sets
/// `seconds`.
CanaryHunt hunt_canary(EngineOptions options, const std::string& canary, std::chrono::steady_clock::time_point deadline,
                       const std::function<bool(std::uint64_t scenarios)>& keep_on);

}  // namespace lockstep
