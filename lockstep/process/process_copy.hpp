// Tells a process that an implementation has made by fork() from the one that judges. If both return from the
// implementation, the copy would go on judging, and fork again.
#pragma once

namespace lockstep {

/// True in a process that one which called watch_for_copies() has forked. Such a process may run a part of an
/// implementation; it ends when it comes back to the judge.
inline bool is_process_copy = false;

/// Called once it is clear that the process judges: in each child process (child.hpp), and in a fuzz target.
void watch_for_copies();

}  // namespace lockstep
