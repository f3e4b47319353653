// Ctrl-C sets a flag. A verb polls it, stops early and still prints its results.
#pragma once

#include <signal.h>

namespace lockstep {

inline volatile sig_atomic_t interrupt_flag = 0;

inline bool interrupted() { return interrupt_flag != 0; }

/// Makes SIGINT and SIGTERM set the flag instead of ending the process.
inline void catch_interrupts() {
  struct sigaction action{};
  action.sa_handler = [](int) { interrupt_flag = 1; };
  action.sa_flags = SA_RESTART;  // a report that is being written is written to its end
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

}  // namespace lockstep
