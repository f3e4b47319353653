// Runs an implementation for a stopwatch (stopwatch.hpp): what benchmarks measure, with minimal overhead.
//
// The judge reaches an implementation through its trace (trace.hpp). A trace cannot tell how long steps take: it
// constructs, takes snapshots and stores every answer, which would dominate a step of 50 ns. A lap runs every scenario
// of a workload once, each in an instance of its own that was prepared before the clock started. A lap costs one
// virtual call; none is inside it.
//
// Copyable implementations are constructed once and copied before every lap, which is faster; others are constructed
// for each lap. Only benchmarks use copyability.
#pragma once

#include <concepts>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "lockstep/describe/scenario.hpp"

namespace lockstep {

/// Tells the compiler that the value is read and that any memory may have changed, so that it can neither remove a step
/// with an unused answer nor merge two equal steps. Costs no instruction.
inline void observe_answer(const auto& value) { asm volatile("" : : "m"(value) : "memory"); }

/// One implementation and the scenarios of a workload.
class Laps {
 public:
  virtual ~Laps() = default;
  /// Constructs the implementations anew, as run_steps needs them.
  virtual void make_ready() = 0;
  virtual void run_steps() = 0;
  /// Construction, actions and destruction.
  virtual void run_from_setup() = 0;
};

/// `make(setup)` returns the implementation by value; it need not be movable. The scenarios must outlive the laps.
template <System S, class Make>
class LapsOf final : public Laps {
 public:
  LapsOf(const Make& make, std::span<const AnyScenario> scenarios)
      : make_{make}, scenarios_{scenarios}, starts_(scenarios.size()), ready_(scenarios.size()) {}

  void make_ready() override {
    for (std::size_t i = 0; i < scenarios_.size(); ++i) make_ready(i);
  }
  void run_steps() override {
    for (std::size_t i = 0; i < scenarios_.size(); ++i) run_scenario(ready_[i]->made, typed<S>(scenarios_[i]));
  }
  void run_from_setup() override {
    for (const AnyScenario& scenario : scenarios_) {
      auto implementation = make_(typed<S>(scenario).setup);
      run_scenario(implementation, typed<S>(scenario));
    }
  }

 private:
  using Impl = std::invoke_result_t<const Make&, const typename S::Setup&>;

  /// Constructed in place by the factory.
  struct Made {
    Made(const Make& make, const AnyScenario& scenario) : made(make(typed<S>(scenario).setup)) {}
    Impl made;
  };

  /// An exception is an answer, or ends the scenario if the system has no such answers (trace.hpp).
  static void run_scenario(Impl& implementation, const Scenario<S>& scenario) {
    auto action = scenario.actions.begin();
#ifdef __cpp_exceptions
    while (action != scenario.actions.end()) {
      try {
        steps(implementation, action, scenario.actions.end());
      } catch (...) {
        if constexpr (!answers_exceptions<S>) return;
      }
    }
#else
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

  void make_ready(std::size_t i) {
    if constexpr (std::copyable<Impl>) {
      if (!starts_[i]) starts_[i].emplace(make_, scenarios_[i]);
      if (ready_[i]) {
        ready_[i]->made = starts_[i]->made;
        return;
      }
    }
    ready_[i].emplace(make_, scenarios_[i]);
  }

  Make make_;
  std::span<const AnyScenario> scenarios_;
  std::vector<std::optional<Made>> starts_;  // one for each scenario, never stepped; if they can be copied
  std::vector<std::optional<Made>> ready_;
};

}  // namespace lockstep
