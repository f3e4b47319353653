// The JSON of a timeline (docs/fuzz-json.md). Only sources include this header, as json.hpp says.
#pragma once

#include "campaign/timeline.hpp"
#include "lockstep/json.hpp"

namespace lockstep {

LOCKSTEP_JSON(EngineCurve, scenarios, steps, features_first, findings)
LOCKSTEP_JSON(Timeline, interval, seconds, features, engines)

}  // namespace lockstep
