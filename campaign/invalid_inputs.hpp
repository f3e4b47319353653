// Deliberately invalid inputs, by which a setter's own validator can be tested. Prints nothing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/services/problem_inputs.hpp"

namespace lockstep {

struct InvalidInput {
  std::string what;  // is wrong, for people: "the last line is missing"
  std::string input;
  std::string why;  // what the reader says of it: "12:1: expected …"
};

/// A valid input that is damaged in one place, and then drawn ones, with lines exchanged or outside the domain: one for
/// each thing that the reader says of them. The reader refuses all.
std::vector<InvalidInput> invalid_inputs(const ProblemInputs& inputs, std::uint64_t seed);

}  // namespace lockstep
