// Chooses a small set of inputs that shows as much as possible: values of features, canaries, wrong programs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "campaign/stress.hpp"

namespace lockstep {

/// A right program with changes planted into it (lab/mutants/plant.py), of which the environment variable LOCKSTEP_MUTANT
/// selects one by its number.
struct PlantedProgram {
  struct Change {
    int number = 0;
    std::string name;  // "line 17: `i < n` -> `i <= n`"
  };
  std::string command;
  std::vector<Change> changes;
};

struct TestSetOptions {
  double seconds = 20;  // for searching
  std::uint64_t seed = 1;
  std::size_t inputs_max = 60;
  std::filesystem::path corpus = {};    // folder; empty: none
  std::vector<std::string> wrong = {};  // command lines of programs that the set should fail
  PlantedProgram planted = {};          // and changes; without a command: none
  ProgramLimits limits = {};
  Safety safety = Safety::automatic;
};

/// An input, and what it was chosen for.
struct TestInput {
  InputCase one;
  std::vector<std::string> fails;  // canaries, commands and changes
  std::vector<std::string> shows;  // values of features: "chains = 7"
};

struct TestSet {
  std::vector<TestInput> inputs;
  std::vector<std::string> passed;    // canaries, commands and changes that no input of the search failed
  std::vector<std::string> left_out;  // what the search saw, and the largest number of inputs did not admit
  std::uint64_t cases = 0;            // of the search
};

/// The first inputs fail and show everything once. The room that is left goes to inputs that do so again in other ways,
/// since a mistake may need two things at once. Failures count before features, so that a set
/// that is too small has them. `canaries`: names. Throws as stress does (stress.hpp), and BadInput if the program without a
/// change is wrong.
TestSet choose_tests(const ProblemInputs& inputs, const std::vector<std::string>& canaries,
                     const TestSetOptions& options, const std::function<bool()>& interrupted);

}  // namespace lockstep
