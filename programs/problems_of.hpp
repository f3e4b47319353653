// The problem's format of a system as an AnyProblem. Included where a system that has one is registered.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "lockstep/system/scenario_of.hpp"
#include "programs/any_problem.hpp"
#include "programs/problem_format.hpp"

namespace lockstep {

template <System S>
class ProblemOf : public AnyProblem {
 public:
  using Format = S::ProblemFormat;

  const Vocabulary& vocabulary() const override { return lockstep::vocabulary<S>(); }
  Parsed<std::vector<Case>> read(std::string_view input) const override {
    auto cases = Format::read(input);
    if (!cases) return std::unexpected(cases.error());
    std::vector<Case> out;
    for (ProblemCase<S>& one : *cases) out.push_back({any_of<S>(std::move(one.scenario)), std::move(one.places)});
    return out;
  }
  Parsed<std::string> print(const Case& one, const AnyTrace& answers) const override {
    return Format::print({typed<S>(one.scenario), one.places}, typed<S>(answers).observations);
  }
  bool many_cases() const override {
    return requires { Format::cases_max; };
  }
};

/// A format that says which scenarios are cases of the problem.
template <System S>
class ProblemWithDomainOf : public ProblemOf<S> {
 public:
  using Format = S::ProblemFormat;
  static_assert(
      requires {
        &Format::outside;
        &Format::bring_inside;
        &Format::write;
      }, "a problem format has all of outside, bring_inside and write, or none of them");

  bool has_domain() const override { return true; }
  std::string write(std::span<const AnyScenario> scenarios) const override {
    std::vector<Scenario<S>> all;
    for (const AnyScenario& each : scenarios) all.push_back(typed<S>(each));
    return Format::write(all);
  }
  std::optional<std::string> outside(const AnyScenario& scenario, const AnyTrace* answers) const override {
    return Format::outside(typed<S>(scenario), answers_in(answers));
  }
  void bring_inside(AnyScenario& scenario, const AnyTrace* answers) const override {
    Format::bring_inside(typed<S>(scenario), answers_in(answers));
  }

 private:
  static std::span<const typename S::Observation> answers_in(const AnyTrace* trace) {
    if (trace == nullptr) return {};
    return typed<S>(*trace).observations;
  }
};

template <System S>
const AnyProblem* problem_of() {
  using Format = S::ProblemFormat;
  constexpr bool with_domain =
      requires { &Format::outside; } || requires { &Format::bring_inside; } || requires { &Format::write; };
  static const std::conditional_t<with_domain, ProblemWithDomainOf<S>, ProblemOf<S>> problem;
  return &problem;
}

}  // namespace lockstep
