// The original problem's input and output as templates over a system.
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
Parsed<std::vector<std::string>> texts_of_input(std::string_view input) {
  const auto cases = S::ProblemFormat::read(input);
  if (!cases) return std::unexpected(cases.error());
  std::vector<std::string> out;
  for (const auto& one : *cases) out.push_back(scenario_text<S>(one.scenario));
  return out;
}

template <System S>
Parsed<std::string> answer_to_input(std::string_view input, const std::string& implementation) {
  const auto cases = S::ProblemFormat::read(input);
  if (!cases) return std::unexpected(cases.error());
  const Runner& answering = implementation_named(vocabulary<S>(), implementation);
  std::string out;
  Trace<S> trace;
  for (const auto& one : *cases) {
    run_typed<S>(answering, one.scenario, Cadence{}, trace);
    const auto printed = S::ProblemFormat::print(one, trace.observations);
    if (!printed) return std::unexpected(printed.error());
    out += *printed;
    if (!out.empty() && out.back() != '\n') out += '\n';
  }
  return out;
}

template <System S>
const ProblemInputs* problem_inputs_of() {
  if constexpr (HasProblemDomain<S>) {
    static const ProblemInputsOf<S> inputs;
    return &inputs;
  } else {
    return nullptr;
  }
}

template <System S>
const Problems* problems_of() {
  static const Problems problems{&texts_of_input<S>, &answer_to_input<S>, problem_inputs_of<S>()};
  return &problems;
}

}  // namespace lockstep
