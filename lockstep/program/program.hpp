// The program as a library (CMake target lockstep::program): every verb, for all registered systems. To build your own
// program, register a system (lockstep/system/registered.hpp) and its implementations (lockstep/system/registry.hpp), and define main:
//
//   int main(int argc, char** argv) { return lockstep::program_main(argc, argv); }
#pragma once

namespace lockstep {

/// Runs the verb that the arguments name, and returns the exit code. Printed commands call the program as the user typed
/// it (argv[0]). A wrapper script can set LOCKSTEP_COMMAND to its own name.
int program_main(int argc, char** argv);

}  // namespace lockstep
