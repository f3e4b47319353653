// An implementation on the clock: what benchmarks time, with nothing around it.
//
// The second way in which an implementation is reached, beside the judge's trace (trace.hpp), for the one
// question that a trace cannot answer: how long do the steps take? A trace constructs, takes snapshots
// and keeps every answer, which would drown a step of 50 ns. A lap plays every scenario of a workload
// once, each in an implementation of its own that was made ready before the clock started. There is one
// virtual call a lap and none inside it.
//
// Implementations that can be copied are constructed once and copied before every lap, since that is
// faster; others are constructed anew each time. Nothing but benchmarks cares whether they can.
#pragma once

#include <algorithm>
#include <chrono>
#include <concepts>
#include <ctime>
#include <deque>
#include <memory>
#include <span>

#include "lockstep/system.hpp"

namespace lockstep {

/// What the clock covers.
enum class Clocked {
  steps,       // the actions alone
  from_setup,  // from a setup in memory to the last answer: construction, actions, and the end of the implementation
};

/// Measures a stretch in the CPU time of this thread, so that a busy machine does not count, less
/// what it costs to ask for that.
class Stopwatch {
 public:
  Stopwatch() : start_{now()} {}

  std::chrono::nanoseconds elapsed() const {
    const auto gross = now() - start_;
    return std::max(gross - asking(), std::chrono::nanoseconds{0});
  }

 private:
  static std::chrono::nanoseconds now() {
    std::timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds{time.tv_sec} + std::chrono::nanoseconds{time.tv_nsec};
  }

  /// The least time that two questions in a row are apart: half a microsecond is usual, a system call.
  static std::chrono::nanoseconds asking() {
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

  std::chrono::nanoseconds start_;
};

/// Makes the compiler believe that somebody reads the value and may have changed any memory, so that
/// it can neither drop a step whose answer nobody wants nor take two equal questions for one. It
/// costs no instruction.
template <class T>
inline void observe_answer(const T& value) {
  asm volatile("" : : "m"(value) : "memory");
}

/// One implementation before the scenarios of a workload.
template <class S>
class Laps {
 public:
  virtual ~Laps() = default;
  /// Plays all scenarios once and answers how long the clocked part took.
  virtual std::chrono::nanoseconds run(Clocked clocked) = 0;
};

template <class Impl, System S>
class LapsOf final : public Laps<S> {
 public:
  explicit LapsOf(std::span<const Scenario<S>> scenarios) : scenarios_{scenarios} {}

  std::chrono::nanoseconds run(Clocked clocked) override {
    if (clocked == Clocked::from_setup) return from_setup();
    make_ready();
    const Stopwatch stopwatch;
    auto implementation = ready_.begin();
    for (const auto& scenario : scenarios_) play(*implementation++, scenario);
    return stopwatch.elapsed();
  }

 private:
  std::chrono::nanoseconds from_setup() const {
    const Stopwatch stopwatch;
    for (const auto& scenario : scenarios_) {
      Impl implementation{scenario.setup};
      play(implementation, scenario);
    }
    return stopwatch.elapsed();
  }

  static void play(Impl& implementation, const Scenario<S>& scenario) {
    for (const auto& action : scenario.actions) observe_answer(implementation.step(action));
  }

  void make_ready() {
    if constexpr (std::copyable<Impl>) {
      if (starts_.empty()) construct(starts_);
      ready_ = starts_;
    } else {
      ready_.clear();
      construct(ready_);
    }
  }

  void construct(std::deque<Impl>& out) const {
    for (const auto& scenario : scenarios_) out.emplace_back(scenario.setup);
  }

  std::span<const Scenario<S>> scenarios_;
  std::deque<Impl> starts_;  // one for each scenario, never stepped; deques never move what they hold
  std::deque<Impl> ready_;
};

/// The scenarios must outlive the laps.
template <class Impl, System S>
std::unique_ptr<Laps<S>> make_laps(std::span<const Scenario<S>> scenarios) {
  return std::make_unique<LapsOf<Impl, S>>(scenarios);
}

}  // namespace lockstep
