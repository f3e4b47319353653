// A right program with changes planted into it. A change that passes a set of tests shows what these tests miss.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lockstep {

struct PlantedProgram {
  struct Change {
    int number = 0;    // the environment variable LOCKSTEP_MUTANT selects it
    std::string name;  // of its own: "line 17: `i < n` -> `i <= n`"
  };
  std::string command;
  std::vector<Change> changes;
};

/// Plants changes into a program of one C++ file, and compiles it into an empty folder. tools/planter/plant.py does this, with
/// python3 and clang++; it is looked for beside the running program, in ../share/lockstep/planter, and where packages
/// are installed. BadInput, with a sentence for people, if something is missing or the file does not compile.
PlantedProgram plant_changes(const std::filesystem::path& solution, const std::filesystem::path& folder);

}  // namespace lockstep
