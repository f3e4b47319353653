// The JSON of an exploration's result, without its finding. Only sources include this header, as json.hpp says.
#pragma once

#include "lockstep/explore/exploration_run.hpp"
#include "lockstep/services/finding_json.hpp"

namespace lockstep {

LOCKSTEP_JSON(LevelCount, name, positions, steps, illegal)
LOCKSTEP_JSON(Counterexample, text, explanation, size)
LOCKSTEP_JSON(Explored, end, levels, share, reason, folded_by, memory, seconds, unsaved, failed)

}  // namespace lockstep
