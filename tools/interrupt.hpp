// Ctrl-C asks a verb to end soon and keep what it has.
#pragma once

#include <signal.h>

namespace lockstep {

inline volatile sig_atomic_t interrupt_flag = 0;

inline bool interrupted() { return interrupt_flag != 0; }

/// From now on SIGINT and SIGTERM only set the flag.
inline void catch_interrupts() {
  struct sigaction action{};
  action.sa_handler = [](int) { interrupt_flag = 1; };
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

}  // namespace lockstep
