// The fuzz target of a system, a program fuzz_SYSTEM: takes an engine's bytes, returns a verdict.
//
//   lockstep::FuzzedSystem target{lockstep::vocabulary<Lru>()};   // scenario_of.hpp; in one source of the program
//
// The source links with the engine (-fsanitize=fuzzer, for example); fuzz_target.cpp, in the library, has the functions
// that engines call. A file that ends in lockstep::system<…>()….main(argc, argv) needs no such line: compiled with
// -DLOCKSTEP_FUZZ_TARGET, it is the target (lockstep.hpp).
//
//   bytes → scenario → judge (the reference and every optimized implementation) → features as extra counters
//
// Yardsticks are judged on one input in 64, batches on one in 32. The bytes of the input decide, so a failure repeats.
//
// On a divergence, the target shrinks it, writes it as text to the findings folder, prints it with the command that
// replays it, and aborts, so that the engine keeps its own artifact too. An error that a sanitizer detects inside an
// implementation is written the same way, but not shrunk. Other findings of engines (a timeout, a signal) are bytes:
// `lockstep show --bytes SYSTEM FILE` prints their text. An exception of the system's own parts (suggestions, features,
// laws) is no finding: it blames no implementation. The target names it as a fault, and aborts.
//
// Environment:
//   LOCKSTEP_WITH=NAME[,NAME]   judge these against the reference; canaries and plugins (PATH.so[:NAME]) too
//   LOCKSTEP_WITHOUT=KIND[,KIND] leave these kinds of actions out of every input
//   LOCKSTEP_IGNORED=FILE       signatures of known mistakes, one a line: inputs that differ so are passed over
//   LOCKSTEP_FINDINGS=FOLDER    where findings are written; default: "findings"
//   LOCKSTEP_FINDINGS_JSON=FILE write findings here instead, or a fault, as a line of JSON (lockstep/services/finding.hpp): for
//                               campaigns. FILE.unshrunk is the text of a scenario that differs, from before it is shrunk
//   LOCKSTEP_STATS=FILE         count scenarios, steps and features in this file while running (stats.hpp)
//   LOCKSTEP_COMMAND=PROGRAM    how printed commands call the program; default: "lockstep"
#pragma once

namespace lockstep {

class Vocabulary;

/// Behind the name of LOCKSTEP_FINDINGS_JSON: the scenario that differs, while it is shrunk.
inline constexpr const char* unshrunk_suffix = ".unshrunk";

/// Makes the system that of the fuzz target of this process. The implementations may be registered later, but before the
/// engine starts.
struct FuzzedSystem {
  explicit FuzzedSystem(const Vocabulary& system);
};

}  // namespace lockstep
