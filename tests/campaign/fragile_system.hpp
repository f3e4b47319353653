// A system whose reference is the one that fails, for tests of what a failure beside a canary means.
#pragma once

#include "lockstep/services/judging.hpp"
#include "lockstep/system/any_system.hpp"

namespace lockstep {

/// Numbers are added by these implementations: brittle, the reference, which exits with status 5 when it adds a 7; steady,
/// optimized; right, a canary without a mistake. These run only when named: small, whose sum stops at 300; saboteur,
/// which answers wrongly when it adds a 9, and damages the process, in which brittle exits with status 6 then.
const AnySystem& fragile();

}  // namespace lockstep
