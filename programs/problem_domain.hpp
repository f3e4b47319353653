// The domain of the original problem: the scenarios that keep its limits and its guarantees (problem_format.hpp).
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "lockstep/base/error.hpp"
#include "lockstep/system/registry.hpp"
#include "lockstep/system/typed.hpp"
#include "lockstep/text/text.hpp"
#include "programs/problem_format.hpp"

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

  explicit ProblemDomain(Runner implementation)
      : implementation_{std::move(implementation)}, trace_{vocabulary<S>().trace()} {}

  /// Why the scenario is no case of the problem; nullopt if it is one.
  std::optional<std::string> outside(const Scenario<S>& scenario) {
    if (auto why = Format::outside(scenario, {})) return why;
    implementation_.run(untyped<S>(scenario), Cadence{}, trace_);
    return Format::outside(scenario, typed<S>(trace_).observations);
  }

  /// Changes nothing if the scenario is inside. Throws InternalError if bring_inside of the format does not bring it there.
  void bring_inside(Scenario<S>& scenario) {
    int changes = 0;
    while (const auto why = Format::outside(scenario, {})) {
      count(++changes, scenario, *why);
      Format::bring_inside(scenario, {});
    }
    while (const auto why = outside(scenario)) {
      count(++changes, scenario, *why);
      Format::bring_inside(scenario, typed<S>(trace_).observations);
    }
  }

  /// The trace of the last scenario that was run.
  const AnyTrace& trace() const { return trace_; }

  /// Runs a scenario, which must be inside.
  std::string answer_to(const Scenario<S>& scenario) {
    static_cast<void>(outside(scenario));
    return answer(scenario);
  }

  /// The answer to the last scenario that was run, which must be inside.
  std::string answer(const Scenario<S>& scenario) const {
    return Format::print(ProblemCase<S>{scenario}, typed<S>(trace_).observations).value_or("");
  }

 private:
  static constexpr int changes_max = 100'000;

  static void count(int changes, const Scenario<S>& scenario, const std::string& why) {
    if (changes <= changes_max) return;
    throw InternalError{"bring_inside of the problem format of " + std::string{S::name} + " has changed a scenario " +
                        std::to_string(changes_max) + " times, and it is still outside: " + why + "\n" +
                        scenario_text<S>(scenario)};
  }

  Runner implementation_;
  AnyTrace trace_;
};

}  // namespace lockstep
