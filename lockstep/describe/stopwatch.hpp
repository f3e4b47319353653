// Measures time for benchmarks.
#pragma once

#include <chrono>

#include "lockstep/describe/laps.hpp"

namespace lockstep {

/// What is timed.
enum class Clocked {
  steps,       // the actions alone
  from_setup,  // from a setup in memory to the last answer: construction, actions and destruction
};

/// Measures the CPU time of this thread, so that load on the machine does not count, minus the cost of reading the
/// clock.
class Stopwatch {
 public:
  Stopwatch();
  std::chrono::nanoseconds elapsed() const;

 private:
  std::chrono::nanoseconds start_;
};

/// Runs all scenarios once and returns the time of the measured part.
std::chrono::nanoseconds lap(Laps& laps, Clocked clocked);

}  // namespace lockstep
