// The JSON of parts of a result (docs/fuzz-json.md). Only sources include this header, as json.hpp says.
#pragma once

#include "campaign/result.hpp"
#include "lockstep/json.hpp"

namespace lockstep {

LOCKSTEP_JSON(EngineCurve, scenarios, steps, features_first, findings)
LOCKSTEP_JSON(Timeline, interval, seconds, features, engines)
LOCKSTEP_JSON(CanaryHunt, name, found, engine, seconds, scenarios)

}  // namespace lockstep
