#include "campaign/engine.hpp"

#include <time.h>

namespace lockstep {

void ProcessorTime::sample(int process) {
  clockid_t clock{};
  timespec used{};
  if (process <= 0 || clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &used) != 0) return;
  running_ = static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
}

void ProcessorTime::end() {
  ended_ += running_;
  running_ = 0;
}

}  // namespace lockstep
