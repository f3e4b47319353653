// The service for the original problem's input and output as a template over a system.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lockstep/problem_format.hpp"
#include "lockstep/services/implementations.hpp"
#include "lockstep/services/problem_inputs_of.hpp"
#include "lockstep/services/problems.hpp"
#include "lockstep/typed.hpp"

namespace lockstep {

template <System S>
class ProblemsOf final : public Problems {
 public:
  using Format = S::ProblemFormat;

  Parsed<std::vector<std::string>> cases_of(std::string_view input) const override {
    const auto cases = Format::read(input);
    if (!cases) return std::unexpected(cases.error());
    std::vector<std::string> out;
    for (const auto& one : *cases) out.push_back(scenario_text<S>(one.scenario));
    return out;
  }

  Parsed<std::string> answer(std::string_view input, const std::string& implementation) const override {
    const auto cases = Format::read(input);
    if (!cases) return std::unexpected(cases.error());
    const Runner& answering = implementation_named(vocabulary<S>(), implementation);
    std::string out;
    Trace<S> trace;
    for (const auto& one : *cases) {
      run_typed<S>(answering, one.scenario, Cadence{}, trace);
      const auto printed = Format::print(one, trace.observations);
      if (!printed) return std::unexpected(printed.error());
      out += *printed;
      if (!out.empty() && out.back() != '\n') out += '\n';
    }
    return out;
  }

  const ProblemInputs* inputs() const override {
    if constexpr (HasProblemDomain<S>) {
      static const ProblemInputsOf<S> inputs;
      return &inputs;
    } else {
      return nullptr;
    }
  }
};

template <System S>
const Problems* problems_of() {
  static const ProblemsOf<S> problems;
  return &problems;
}

}  // namespace lockstep
