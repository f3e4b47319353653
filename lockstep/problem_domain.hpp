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
concept HasProblemDomain = requires { &S::ProblemFormat::outside; } || requires { &S::ProblemFormat::bring_inside; } ||
                           requires { &S::ProblemFormat::write; };

/// Runs an implementation, usually the reference, beside its questions, since some guarantees show only in answers.
template <System S>
  requires HasProblemDomain<S>
class ProblemDomain {
 public:
  using Format = S::ProblemFormat;
  static_assert(
      requires {
        &Format::outside;
        &Format::bring_inside;
        &Format::write;
      }, "a problem format has all of outside, bring_inside and write, or none of them");

  explicit ProblemDomain(AnyImplementation<S> implementation) : implementation_{std::move(implementation)} {}

  /// Why the scenario is no case of the problem; nullopt if it is one.
  std::optional<std::string> outside(const Scenario<S>& scenario) {
    if (auto why = Format::outside(scenario, {})) return why;
    implementation_.trace(scenario, Cadence{}, trace_);
    return Format::outside(scenario, trace_.observations);
  }

  /// Changes nothing if the scenario is inside.
  void bring_inside(Scenario<S>& scenario) {
    while (Format::outside(scenario, {})) Format::bring_inside(scenario, {});
    while (outside(scenario)) Format::bring_inside(scenario, trace_.observations);
  }

  /// The trace of the last scenario that was inside.
  const Trace<S>& trace() const { return trace_; }

  /// The answer to the last scenario, which must be inside.
  std::string answer(const Scenario<S>& scenario) const {
    return Format::print(ProblemCase<S>{scenario}, trace_.observations).value_or("");
  }

 private:
  AnyImplementation<S> implementation_;
  Trace<S> trace_;
};

}  // namespace lockstep
