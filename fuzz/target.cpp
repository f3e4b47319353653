// The fuzz target of a game, compiled once per game as fuzz_GAME (lockstep/fuzz/fuzz_target.hpp).
#include LOCKSTEP_SYSTEM

#include "lockstep/fuzz/fuzz_target.hpp"
#include "lockstep/system/scenario_of.hpp"

namespace {

lockstep::FuzzedSystem target{lockstep::vocabulary<lockstep::ThisSystem>()};

}  // namespace
