// Tells a process that an implementation has made by fork() from the one that judges. If both return from the
// implementation, the copy would go on judging, and fork again.
#pragma once

namespace lockstep {

/// True in a process that code of a child process (child.hpp) has forked. Such a process may run a part of an
/// implementation; it ends when it comes back to the judge.
inline bool is_process_copy = false;

}  // namespace lockstep
