// The garden of the library's tests as a whole system, so that campaigns run on it without the program.
#pragma once

#include <string_view>

#include "lockstep/any_system.hpp"
#include "lockstep/services/encoding.hpp"
#include "lockstep/services/judging.hpp"
#include "tests/lockstep/garden.hpp"

namespace lockstep {

/// The garden with these implementations: rulebook, the reference; honest, optimized; counts_short, a canary; and those
/// that take part only when they are named: crashes and hangs, when it rains by 7 more than a hundred; slow, which takes
/// some time for each action but never long; starts_processes, which leaves one behind.
const AnySystem& garden();

/// The process that starts_processes starts: `sleep` with this argument.
inline constexpr std::string_view left_behind = "612.25";

}  // namespace lockstep
