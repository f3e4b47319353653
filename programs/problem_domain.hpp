// The domain of the original problem: the scenarios that keep its limits and its guarantees (problem_format.hpp).
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "lockstep/base/error.hpp"
#include "lockstep/draw/portfolio.hpp"
#include "lockstep/text/text.hpp"
#include "programs/any_problem.hpp"

namespace lockstep {

/// Runs an implementation, usually the reference, beside its questions, since some guarantees show only in answers.
class ProblemDomain {
 public:
  /// Requires a problem that has a domain, which must outlive this.
  ProblemDomain(const AnyProblem& problem, Runner implementation)
      : problem_{problem}, implementation_{std::move(implementation)}, trace_{problem.vocabulary().trace()} {}

  const AnyProblem& problem() const { return problem_; }

  /// Why the scenario is no case of the problem; nullopt if it is one.
  std::optional<std::string> outside(const AnyScenario& scenario) {
    if (auto why = problem_.outside(scenario, nullptr)) return why;
    implementation_.run(scenario, Cadence{}, trace_);
    return problem_.outside(scenario, &trace_);
  }

  /// Changes nothing if the scenario is inside. Throws InternalError if bring_inside of the format does not bring it there.
  void bring_inside(AnyScenario& scenario) {
    int changes = 0;
    while (const auto why = problem_.outside(scenario, nullptr)) {
      count(++changes, scenario, *why);
      problem_.bring_inside(scenario, nullptr);
    }
    while (const auto why = outside(scenario)) {
      count(++changes, scenario, *why);
      problem_.bring_inside(scenario, &trace_);
    }
  }

  /// The trace of the last scenario that was run.
  const AnyTrace& trace() const { return trace_; }

  /// Runs a scenario, which must be inside.
  std::string answer_to(const AnyScenario& scenario) {
    static_cast<void>(outside(scenario));
    return answer(scenario);
  }

  /// The answer to the last scenario that was run, which must be inside.
  std::string answer(const AnyScenario& scenario) const { return problem_.print({scenario}, trace_).value_or(""); }

 private:
  static constexpr int changes_max = 100'000;

  static void count(int changes, const AnyScenario& scenario, const std::string& why) {
    if (changes <= changes_max) return;
    throw InternalError{"bring_inside of the problem format of " + std::string{scenario.vocabulary().name()} +
                        " has changed a scenario " + std::to_string(changes_max) +
                        " times, and it is still outside: " + why + "\n" + scenario_text(scenario)};
  }

  const AnyProblem& problem_;
  Runner implementation_;
  AnyTrace trace_;
};

/// A portfolio of all generators whose scenarios are brought inside the domain, which must outlive it.
inline Portfolio portfolio_inside(ProblemDomain& domain, std::vector<AnyScenario> corpus = {}) {
  return {domain.problem().vocabulary(),
          {generators.begin(), generators.end()},
          std::move(corpus),
          [&domain](AnyScenario& scenario) { domain.bring_inside(scenario); }};
}

}  // namespace lockstep
