// The program as a library: every verb, on the systems that are registered. A program of one's own is a source that
// registers a system (lockstep/registered.hpp) and its implementations (lockstep/registry.hpp), and ends in
//
//   int main(int argc, char** argv) { return lockstep::program_main(argc, argv); }
#pragma once

namespace lockstep {

/// Runs the verb that the arguments name; the exit code. What it prints calls the program by argv[0] as it was typed,
/// or by LOCKSTEP_COMMAND where a script that runs it has set that.
int program_main(int argc, char** argv);

}  // namespace lockstep
