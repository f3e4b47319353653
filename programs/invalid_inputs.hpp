// Deliberately invalid inputs, by which a setter's own validator can be tested. Prints nothing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "programs/problems.hpp"

namespace lockstep {

struct InvalidInput {
  std::string what;  // is wrong: "the last line is missing", for people
  std::string input;
  std::string error;  // of the reader: "input:12:1: expected …"
};

/// A valid input that is damaged in one place; numbers just beyond each limit that the reader names; and drawn inputs, with
/// lines exchanged or outside the domain, one for each kind of error. The reader refuses all.
std::vector<InvalidInput> invalid_inputs(const ProblemInputs& inputs, std::uint64_t seed);

}  // namespace lockstep
