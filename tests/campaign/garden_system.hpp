// The garden of the library's tests as a registered system, so that campaigns run on it without the program.
#pragma once

#include <string_view>

#include "lockstep/any_system.hpp"
#include "lockstep/services/encoding.hpp"
#include "lockstep/services/judging.hpp"
#include "tests/lockstep/garden.hpp"

namespace lockstep {

/// The garden with these implementations: rulebook, the reference; honest, optimized; counts_short, a canary. These run
/// only when named: crashes, exits (with status 0) and hangs, on rain of 100·n + 7; slow, which takes some time for each action but never long;
/// starts_processes, which leaves a child process running.
const AnySystem& garden();

/// starts_processes starts `sleep` with this argument.
inline constexpr std::string_view left_behind = "612.25";

}  // namespace lockstep
