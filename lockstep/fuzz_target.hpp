// The fuzz target of a system, a program fuzz_SYSTEM: takes an engine's bytes, returns a verdict.
//
//   lockstep::FuzzedSystem target{lockstep::vocabulary<Lru>()};   // scenario_of.hpp; in one source of the program
//
// The source links with the engine (-fsanitize=fuzzer, for example); fuzz_entry.cpp, in the library, has the functions
// that engines call. A file that ends in lockstep::system<…>()….main(argc, argv) needs no such line: compiled with
// -DLOCKSTEP_FUZZ_TARGET, it is the target (lockstep.hpp).
//
//   bytes → scenario → judge (the reference and every optimized implementation) → features as extra counters
//
// Yardsticks are judged on one input in 64, batches on one in 8. The bytes of the input decide, so a failure repeats.
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
//   LOCKSTEP_FINDINGS_JSON=FILE write findings here instead, or a fault, as a line of JSON (lockstep/finding.hpp): for
//                               campaigns. FILE.unshrunk is the text of a scenario that differs, from before it is shrunk
//   LOCKSTEP_STATS=FILE         count scenarios, steps and features in this file while running (stats.hpp)
//   LOCKSTEP_COMMAND=PROGRAM    how printed commands call the program; default: "lockstep"
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/bytes_mutator.hpp"
#include "lockstep/features.hpp"
#include "lockstep/scenario.hpp"

namespace lockstep {

/// libFuzzer reads new values here after each execution, and clears it before; fuzz_entry.cpp does so for AFL++.
extern std::uint8_t fuzz_counters[feature_indices];

/// Prints why the target NAME cannot run, and ends the process.
[[noreturn]] void refuse_to_fuzz(std::string_view name, const std::string& why);

/// The variable's value; `otherwise` if it is not set or empty.
std::string environment(const char* name, const char* otherwise);

/// Behind the name of LOCKSTEP_FINDINGS_JSON: the scenario that differs, while it is shrunk.
inline constexpr const char* unshrunk_suffix = ".unshrunk";

/// Runs and reports scenarios.
class FuzzRunner;

/// Registers the fuzz target of a system as that of the process; it must outlive main. The implementations may be registered
/// later, but before the engine starts.
class FuzzedSystem {
 public:
  explicit FuzzedSystem(const Vocabulary& system);
  FuzzedSystem(const FuzzedSystem&) = delete;
  FuzzedSystem& operator=(const FuzzedSystem&) = delete;
  ~FuzzedSystem();

  /// Reads the environment. Ends the process if the environment is wrong.
  void start();
  /// The return value of LLVMFuzzerTestOneInput.
  int execute(std::span<const std::uint8_t> bytes);
  // As bytes_mutator.hpp has them.
  std::size_t mutate(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed);
  std::size_t cross_over(std::span<const std::uint8_t> one, std::span<const std::uint8_t> other,
                         std::span<std::uint8_t> out, unsigned seed);
  /// Writes the in-flight scenario if an implementation is running. Called by a sanitizer that is about to end the
  /// process.
  void report_crash(std::string_view error, std::string_view sanitizer);

 private:
  const Vocabulary& system_;
  std::unique_ptr<FuzzRunner> runner_;  // created by start(), from the environment
  BytesMutator mutator_;
};

/// The target of the process; null: there is none.
extern FuzzedSystem* fuzzed_system;

}  // namespace lockstep
