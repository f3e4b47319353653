// The original problem's input and output (problem_format.hpp), of one system.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lockstep/error.hpp"
#include "lockstep/services/problem_inputs.hpp"

namespace lockstep {

struct Problems {
  /// The cases of the input as scenario texts.
  Parsed<std::vector<std::string>> (*cases_of)(std::string_view input);
  /// The implementation's answer to the input.
  Parsed<std::string> (*answer)(std::string_view input, const std::string& implementation);
  /// Null if the format does not say which scenarios are cases of the problem.
  const ProblemInputs* inputs;
};

}  // namespace lockstep
