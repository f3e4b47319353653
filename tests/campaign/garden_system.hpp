// The garden of the library's tests as a registered system, so that campaigns run on it without the program.
#pragma once

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <string_view>

#include "lockstep/services/judging.hpp"
#include "lockstep/system/any_system.hpp"
#include "tests/lockstep/garden.hpp"

namespace lockstep {

/// The garden with these implementations: rulebook, the reference; honest, optimized; counts_short, a canary. These run
/// only when named: crashes, exits (with status 0), kills_itself and hangs, on rain of 100·n + 7; is_killed, which dies as
/// if it were killed from outside, in its 40th run in a worker; wears_out, which crashes in its 40th run in a process;
/// damages, whose 13th action, if it is such a rain, damages the memory of the process, so that later
/// runs die on rain of 100·n + 9: its snapshot shows that right after the action; damages_unseen, which never shows it;
/// damages_answers, likewise, but later runs answer wrongly instead;
/// three_causes, which dies on planting in one column, on the third wait, and three actions after such a rain, each action
/// in its own way, while its snapshot is wrong from that rain on; throws, which throws an exception where none is allowed;
/// dies_slowly, which takes 0.3 s to die of such a rain; dozes, which takes 1.5 s for such a rain and counts wrongly;
/// wrong_and_slow, which takes 0.5 s for its first such rain and is wrong; wrong_and_slow_once, likewise, in a worker only;
/// two_mistakes, which counts too much for each tulip, and for each flower below the top row in a column on the right;
/// dreams, which answers wrongly in every second run;
/// wrong_in_workers, which waits wrongly in a worker, and takes 0.2 s for its first run in any other process;
/// wrong_at_first, which answers wrongly in its first two runs in a process; closes_files, which closes all descriptors of
/// its process and counts short; hoards, which keeps 256 KiB of memory in each run; forks, which forks its process in each
/// run and returns in both;
/// slow, which takes some time for each action but never long; starts_processes, which leaves a child process running.
const AnySystem& garden();

/// The time of the last crash of crashes, or wrong answer of wrong_and_slow, in any process. In shared memory.
std::atomic<std::chrono::steady_clock::time_point>& last_crash();

/// starts_processes starts `sleep` with this argument. It names this process, since a copy of these tests may run too.
inline const std::string left_behind = "612." + std::to_string(getpid());

}  // namespace lockstep
