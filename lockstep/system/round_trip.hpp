// Whether a scenario survives the way through its text and through its bytes.
#pragma once

#include <string>

#include "lockstep/describe/scenario.hpp"

namespace lockstep {

/// Text to scenario to text, and scenario to bytes to scenario, must change nothing. What changes, for people; "": nothing.
std::string fault_of_round_trips(const AnyScenario& scenario);

}  // namespace lockstep
