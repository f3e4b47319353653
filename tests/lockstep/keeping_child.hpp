// A child process that keeps something until it is killed.
#pragma once

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lockstep {

/// Forks a child that keeps the result of `function` alive until it is killed; returns its PID.
template <class Function>
pid_t child_that_keeps(Function function) {
  int ready[2];
  if (pipe(ready) != 0) return -1;
  const pid_t child = fork();
  if (child == 0) {
    const auto kept = function();
    static_cast<void>(kept);
    static_cast<void>(write(ready[1], "x", 1));
    while (true) pause();
  }
  char byte = 0;
  const bool told = read(ready[0], &byte, 1) == 1;
  close(ready[0]);
  close(ready[1]);
  return told ? child : -1;
}

inline void end_child(pid_t child) {
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

}  // namespace lockstep
