#include "campaign/engine.hpp"

#include <time.h>

namespace lockstep {

void Engine::sample_processor_time() {
  clockid_t clock{};
  timespec used{};
  if (clock_getcpuclockid(child_->id(), &clock) != 0 || clock_gettime(clock, &used) != 0) return;
  running_seconds_ = static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
}

void Engine::end_process() {
  ended_seconds_ += std::exchange(running_seconds_, 0);
  child_.reset();
}

}  // namespace lockstep
