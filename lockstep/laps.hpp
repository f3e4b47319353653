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
#include <type_traits>
#include <utility>

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
class Laps {
 public:
  virtual ~Laps() = default;
  /// Runs all scenarios once and returns the time of the measured part.
  virtual std::chrono::nanoseconds run(Clocked clocked) = 0;
};

/// `make(setup)` returns the implementation by value; it need not be movable.
template <System S, class Make>
class LapsOf final : public Laps {
 public:
  LapsOf(Make make, std::span<const Scenario<S>> scenarios) : make_{std::move(make)}, scenarios_{scenarios} {}

  std::chrono::nanoseconds run(Clocked clocked) override {
    if (clocked == Clocked::from_setup) return from_setup();
    make_ready();
    const Stopwatch stopwatch;
    auto implementation = ready_.begin();
    for (const auto& scenario : scenarios_) run_scenario((implementation++)->made, scenario);
    return stopwatch.elapsed();
  }

 private:
  using Impl = std::invoke_result_t<const Make&, const typename S::Setup&>;

  /// Constructed in place by the factory.
  struct Made {
    Made(const Make& make, const typename S::Setup& setup) : made(make(setup)) {}
    Impl made;
  };

  std::chrono::nanoseconds from_setup() const {
    const Stopwatch stopwatch;
    for (const auto& scenario : scenarios_) {
      auto implementation = make_(scenario.setup);
      run_scenario(implementation, scenario);
    }
    return stopwatch.elapsed();
  }

  /// An exception is an answer, or ends the scenario if the system has no such answers (trace.hpp).
  static void run_scenario(Impl& implementation, const Scenario<S>& scenario) {
#ifdef __cpp_exceptions
    for (auto action = scenario.actions.begin(); action != scenario.actions.end();) {
      try {
        steps(implementation, action, scenario.actions.end());
      } catch (...) {
        if constexpr (!answers_exceptions<S>) return;
      }
    }
#else
    auto action = scenario.actions.begin();
    steps(implementation, action, scenario.actions.end());
#endif
  }

  /// If a step throws, `next` is the action after it.
  static void steps(Impl& implementation, auto& next, auto end) {
    while (next != end) {
      const auto& action = *next++;
      observe_answer(implementation.step(action));
    }
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

  void construct(std::deque<Made>& out) const {
    for (const auto& scenario : scenarios_) out.emplace_back(make_, scenario.setup);
  }

  Make make_;
  std::span<const Scenario<S>> scenarios_;
  std::deque<Made> starts_;  // one per scenario, never stepped; a deque never moves its elements
  std::deque<Made> ready_;
};

/// The scenarios must outlive the laps.
template <System S, class Make>
std::unique_ptr<Laps> make_laps_of(const Make& make, std::span<const Scenario<S>> scenarios) {
  return std::make_unique<LapsOf<S, Make>>(make, scenarios);
}

template <class Impl, System S>
std::unique_ptr<Laps> make_laps(std::span<const Scenario<S>> scenarios) {
  return make_laps_of<S>([](const typename S::Setup& setup) { return Impl{setup}; }, scenarios);
}

}  // namespace lockstep
