// The domain of the original problem: the scenarios that keep its limits and its guarantees (problem_format.hpp).
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "lockstep/problem_format.hpp"
#include "lockstep/registry.hpp"

namespace lockstep {

/// Whether the system's format says what is inside.
template <class S>
concept HasProblemDomain = requires(const Scenario<S>& scenario, const Trace<S>& trace) {
  S::ProblemFormat::outside(scenario, trace.observations);
};

/// Runs the reference beside every question, since some guarantees show only in its answers.
template <System S>
  requires HasProblemDomain<S>
class ProblemDomain {
 public:
  using Format = S::ProblemFormat;

  explicit ProblemDomain(AnyImplementation<S> reference) : reference_{std::move(reference)} {}

  /// Why the scenario is no case of the problem; nullopt if it is one.
  std::optional<std::string> outside(const Scenario<S>& scenario) {
    reference_.trace(scenario, Cadence{}, trace_);
    return Format::outside(scenario, trace_.observations);
  }

  /// Changes nothing if the scenario is inside.
  void bring_inside(Scenario<S>& scenario) {
    while (outside(scenario)) Format::bring_inside(scenario, trace_.observations);
  }

  /// The reference's trace of the last scenario.
  const Trace<S>& trace() const { return trace_; }

  /// The reference's answer to the last scenario, which must be inside.
  std::string answer(const Scenario<S>& scenario) const {
    return Format::print(ProblemCase<S>{scenario}, trace_.observations).value_or("");
  }

 private:
  AnyImplementation<S> reference_;
  Trace<S> trace_;
};

}  // namespace lockstep
