// The garden of the library's tests as a registered system, so that campaigns run on it without the program.
#pragma once

#include <atomic>
#include <chrono>
#include <string_view>

#include "lockstep/any_system.hpp"
#include "lockstep/services/encoding.hpp"
#include "lockstep/services/judging.hpp"
#include "tests/lockstep/garden.hpp"

namespace lockstep {

/// The garden with these implementations: rulebook, the reference; honest, optimized; counts_short, a canary. These run
/// only when named: crashes, exits (with status 0) and hangs, on rain of 100·n + 7; wears_out, which crashes in its 40th
/// run in a process; slow, which takes some time for each action but never long; starts_processes, which leaves a child
/// process running.
const AnySystem& garden();

/// The time of the last crash of crashes, in any process. In shared memory.
std::atomic<std::chrono::steady_clock::time_point>& last_crash();

/// starts_processes starts `sleep` with this argument.
inline constexpr std::string_view left_behind = "612.25";

}  // namespace lockstep
