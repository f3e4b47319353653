#include "lockstep/describe/stopwatch.hpp"

#include <algorithm>
#include <ctime>

namespace lockstep {
namespace {

std::chrono::nanoseconds now() {
  std::timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds{time.tv_sec} + std::chrono::nanoseconds{time.tv_nsec};
}

/// The least time between two consecutive clock readings: usually half a microsecond, a system call.
std::chrono::nanoseconds asking() {
  static const std::chrono::nanoseconds least = [] {
    auto best = std::chrono::nanoseconds::max();
    for (int i = 0; i < 1000; ++i) {
      const auto first = now();
      best = std::min(best, now() - first);
    }
    return best;
  }();
  return least;
}

}  // namespace

Stopwatch::Stopwatch() : start_{now()} {}

std::chrono::nanoseconds Stopwatch::elapsed() const {
  const auto gross = now() - start_;
  return std::max(gross - asking(), std::chrono::nanoseconds{0});
}

std::chrono::nanoseconds lap(Laps& laps, Clocked clocked) {
  if (clocked == Clocked::steps) laps.make_ready();
  const Stopwatch stopwatch;
  if (clocked == Clocked::steps) laps.run_steps();
  else laps.run_from_setup();
  return stopwatch.elapsed();
}

}  // namespace lockstep
