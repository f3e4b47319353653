// Chooses a small set of inputs that shows as much as possible: values of features, canaries, wrong programs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "programs/planted_program.hpp"
#include "programs/stress.hpp"

namespace lockstep {

struct TestSetOptions {
  double seconds = 20;  // for searching
  std::uint64_t seed = 1;
  std::size_t inputs_max = 60;
  std::filesystem::path corpus = {};         // folder; empty: none
  std::vector<std::string> wrong = {};       // command lines of programs that the set should fail
  std::vector<PlantedProgram> planted = {};  // and changes, each with a name of its own among all programs
};

/// An input, and what it was chosen for.
struct TestInput {
  InputCase one;
  std::vector<std::string> failing;  // programs that fail on it: canaries, commands and changes
  std::vector<std::string> shows;    // values of features: "chains = 7"; "heavy" if the reference takes long
};

struct TestSet {
  std::vector<TestInput> inputs;
  std::vector<std::string> passed;    // programs that were right on every input of the search
  std::vector<std::string> left_out;  // what the search saw, and the largest number of inputs did not admit
  std::uint64_t cases = 0;            // of the search
  bool finished = true;               // false: interrupted, and `passed` is not known
};

/// Inputs are added until each wrong program has one on which it fails, and each value has one that shows it; then until
/// each has a second one, and so on while there is room, since a mistake may need two things at once. Programs count
/// before values. `canaries`: names. Throws as stress does (stress.hpp), and BadInput if the program without a change is
/// wrong.
TestSet choose_tests(const ProblemInputs& inputs, const std::vector<std::string>& canaries,
                     const TestSetOptions& options, const std::function<bool()>& interrupted);

}  // namespace lockstep
