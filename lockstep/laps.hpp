// Times an implementation: what benchmarks measure, with minimal overhead.
//
// The judge reaches an implementation through its trace (trace.hpp). A trace cannot tell how long steps take: it
// constructs, takes snapshots and stores every answer, which would dominate a step of 50 ns. A lap runs every scenario
// of a workload once, each in an instance of its own that was prepared before the clock started. A lap costs one
// virtual call; none is inside it.
//
// Copyable implementations are constructed once and copied before every lap, which is faster; others are constructed
// for each lap. Only benchmarks use copyability.
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

/// What is timed.
enum class Clocked {
  steps,       // the actions alone
  from_setup,  // from a setup in memory to the last answer: construction, actions and destruction
};

/// Measures the CPU time of this thread, so that load on the machine does not count, minus the cost of reading the
/// clock.
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

  /// The least time between two consecutive clock readings: usually half a microsecond, a system call.
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

/// Tells the compiler that the value is read and that any memory may have changed, so that it can neither remove a step
/// with an unused answer nor merge two equal steps. Costs no instruction.
template <class T>
inline void observe_answer(const T& value) {
  asm volatile("" : : "m"(value) : "memory");
}

/// One implementation and the scenarios of a workload.
template <class S>
class Laps {
 public:
  virtual ~Laps() = default;
  /// Runs all scenarios once and returns the time of the measured part.
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
  std::deque<Impl> starts_;  // one per scenario, never stepped; a deque never moves its elements
  std::deque<Impl> ready_;
};

/// The scenarios must outlive the laps.
template <class Impl, System S>
std::unique_ptr<Laps<S>> make_laps(std::span<const Scenario<S>> scenarios) {
  return std::make_unique<LapsOf<Impl, S>>(scenarios);
}

}  // namespace lockstep
