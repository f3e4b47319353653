// The service for the original problem's input and output (problem_format.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lockstep/error.hpp"
#include "lockstep/services/problem_inputs.hpp"

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

}  // namespace lockstep
