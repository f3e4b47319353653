// The service for the original problem's input and output (problem_format.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lockstep/error.hpp"
#include "lockstep/problem_format.hpp"
#include "lockstep/services/implementations.hpp"
#include "lockstep/services/problem_inputs_of.hpp"
#include "lockstep/text.hpp"

namespace lockstep {

class Problems {
 public:
  virtual ~Problems() = default;
  /// The cases of the input as scenario texts.
  virtual Parsed<std::vector<std::string>> cases_of(std::string_view input) const = 0;
  /// The implementation's answer to the input.
  virtual Parsed<std::string> answer(std::string_view input, const std::string& implementation) const = 0;
  /// Null if the format does not say which scenarios are cases of the problem.
  virtual const ProblemInputs* inputs() const = 0;
};

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
    const AnyImplementation<S>& answering = implementation_named<S>(implementation);
    std::string out;
    Trace<S> trace;
    for (const auto& one : *cases) {
      answering.trace(one.scenario, Cadence{}, trace);
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

}  // namespace lockstep
