// Tests a user's program, which solves the original problem, against the reference: draws inputs of the problem's
// domain, runs the program, and shrinks an input on which it fails. Prints nothing.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "programs/problems.hpp"
#include "programs/tested_program.hpp"

namespace lockstep {

/// How many cases a process gets.
enum class Batch {
  published,  // several if the published input holds several, else one
  one,        // one
  loop,       // several: the program reads cases until the end of its input
};

struct StressOptions {
  std::string command;
  OutputRules rules = {};
  double seconds = 20;
  std::uint64_t seed = 1;
  unsigned jobs = 1;
  Batch batch = Batch::published;
  ProgramLimits limits = {};
  Safety safety = Safety::automatic;
  std::filesystem::path corpus = {};  // folder; empty: none
  std::chrono::milliseconds shrink_time{10'000};
  std::optional<std::vector<InputCase>> heaviest = {};  // see stress; without a value, those of heaviest_cases
  bool keep_going =
      false;  // after a finding, search for failures of other kinds until the time is up, without shrinking's
};

/// An input on which the program fails, as small as the time allowed.
struct StressFinding {
  std::string verdict;  // "wrong answer", "bad output format", "runtime error", "time limit", …
  std::string kind;     // the verdict, and of a runtime error which one: "runtime error, signal 11"
  std::string reason;   // "line 1 of the output: expected '3', got '2'", "died of signal 11 (…)"
  std::vector<InputCase> cases;
  std::size_t case_number = 0;           // the case that is answered wrongly, from 0
  std::optional<std::size_t> line = {};  // of the answer to that case, from 0; empty if the program did not answer
  std::string input;                     // of all cases
  std::string expected;                  // the answers to them
  std::string got;                       // the program's output, of which the ends of long lines may be missing
  std::string other = {};                // non-deterministic: its output in another run
  std::string errors;                    // the last part of what it wrote to standard error
  bool minimal = false;
  std::filesystem::path file = {};  // of its input, if the caller has written it
};

/// After fewer cases without a failure, "right" says little: a mistake that shows in one case of a hundred is missed by
/// more than one search of twenty (0.99 to the power of 300 is 0.049).
inline constexpr std::uint64_t few_cases = 300;

struct StressResult {
  std::vector<StressFinding> findings;  // one, or of different kinds: wrong answer, signal 11, time limit, …
  std::uint64_t cases = 0;
  std::uint64_t processes = 0;
  std::vector<StressFinding> unrepeated;                   // failures that did not appear again: no verdict
  double seconds = 0;                                      // until the last run
  std::string safety;                                      // for people
  std::optional<std::chrono::milliseconds> heaviest = {};  // most processor time of a heaviest case; empty: not run

  bool few() const { return cases < few_cases; }
};

struct StressCallbacks {
  std::function<void(const StressResult& so_far)> progress = [](const StressResult&) {};
  std::function<bool()> interrupted;     // a run under way is stopped; what is not confirmed is no finding
  std::function<void()> failed = [] {};  // a failure is repeated and shrunk now, which takes a while
  /// Called at once, so that an exception that stress throws later loses no finding. May set its file.
  std::function<void(StressFinding&)> found = [](StressFinding&) {};
};

/// The cases on which the reference is slowest, of those that a search of a tenth of the time meets, at most 2 s.
std::vector<InputCase> heaviest_cases(const ProblemInputs& inputs, const StressOptions& options);

/// Stops at the first failure that appears again when the program runs alone, unless keep_going. Repeating and shrinking a
/// run that exceeds a limit take no longer than `seconds`, but for the run that is under way then. A program that has not
/// failed when the time is up is also run on the heaviest cases, each in a process of its own, unless it is compared with
/// another program. Throws BadInput if the program cannot be run or the checker fails. Throws InternalError if the
/// process that starts the program ends, or if this build's answers contradict each other.
StressResult stress(const ProblemInputs& inputs, const StressOptions& options, const StressCallbacks& callbacks);

/// Tests the program with the cases of one input, and shrinks nothing. Throws as stress does.
StressResult stress_once(const ProblemInputs& inputs, const StressOptions& options, const std::vector<InputCase>& cases,
                         const std::function<bool()>& interrupted);

}  // namespace lockstep
