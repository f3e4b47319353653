// Running something that may crash or hang: in a child process, with a deadline.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

namespace lockstep {

struct ChildResult {
  enum class End { returned, died, timed_out, not_started };
  End end = End::not_started;
  std::string output;  // what the function returned
  std::string reason;  // for people: "died of signal 11 (Segmentation fault)"
  std::string kind;    // for signatures: "signal 11", "exit 1", "timeout"
};

/// Forks, runs the function in the child and brings its answer back. The child's stdout and stderr go
/// to /dev/null when `quiet`, because a dying implementation may write anything. The clock of the timeout starts
/// anew whenever `progress` answers another number: what is slow has not hung.
ChildResult run_in_child(const std::function<std::string()>& function, std::chrono::milliseconds timeout, bool quiet,
                         const std::function<std::uint64_t()>& progress = {});

/// Writes all of it, however often that is interrupted; false when it can't be written.
bool write_all(int fd, std::string_view bytes);

/// "died of signal 11 (Segmentation fault)" or "exited with status 3", from a wait status.
std::string death_text(int wait_status);

}  // namespace lockstep
