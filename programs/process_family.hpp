// The descendants of this process, as /proc shows them.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

namespace lockstep {

struct Process {
  pid_t id = 0;
  pid_t parent = 0;
  std::uint64_t threads = 0;
  std::uint64_t memory = 0;                     // resident bytes
  std::chrono::milliseconds processor_time{0};  // its own, and that of children that it waited for
};

/// Proportional set size: a page that n processes share counts 1/n. Takes much longer than the resident bytes.
std::optional<std::uint64_t> proportional_memory(const Process& of);

/// Visits the descendants of this process. If it adopts those that lose their parent (PR_SET_CHILD_SUBREAPER), none can
/// leave. A process is visited as soon as it is seen, before the next one is looked at.
void for_each_descendant(const std::function<void(const Process&)>& visit);

/// The tasks of a user, which is what RLIMIT_NPROC counts.
std::uint64_t tasks_of(uid_t user);

/// Processor time of all descendants that have ended.
std::chrono::milliseconds time_of_ended();

}  // namespace lockstep
