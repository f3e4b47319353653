// A user's program whose outputs are judged.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "campaign/checker.hpp"
#include "lockstep/outside_program.hpp"
#include "lockstep/services/problem_inputs.hpp"

namespace lockstep {

/// A limit is exceeded less or more on another day, and by many cases together.
inline bool exceeds_limit(const ProgramRun& run) {
  return run.end != ProgramRun::End::answered && run.end != ProgramRun::End::runtime_error;
}
inline bool same_result(const ProgramRun& one, const ProgramRun& other) {
  return one.end == other.end && one.kind == other.kind && one.output == other.output;
}

/// One run that is not right.
struct ProgramFailure {
  InputFailure what;
  std::string verdict;   // "wrong answer", "bad output format", "runtime error", "time limit", …
  std::string reason;    // for people
  std::string expected;  // output
  ProgramRun run;
};

/// How outputs are judged.
struct OutputRules {
  std::string checker = {};  // command of a checker (checker.hpp); empty: an output has the words of the expected one
  std::string other = {};    // command of a program whose outputs are the expected ones; empty: the reference's are
};

/// The program, with counts of its runs. What OutsideProgram says of threads and processes holds here, too.
class TestedProgram {
 public:
  /// Throws BadInput if there is no such program.
  explicit TestedProgram(const std::string& command, const ProgramLimits& limits = {},
                         Safety safety = Safety::automatic, const OutputRules& rules = {});

  /// Runs the program once, on an input whose cases have these answers; nullopt if it is right. If the other program does
  /// not answer, this is the failure, with the other's run. Throws BadInput if a program cannot be started or the checker
  /// fails, and InternalError if a keeper ends.
  std::optional<ProgramFailure> run(const std::string& input, const std::vector<std::string>& answers);
  /// Runs the program once, without judging its output.
  ProgramRun run(const std::string& input);

  /// The tier in use, for people.
  const std::string& safety() const { return program_.safety(); }
  std::uint64_t processes() const { return processes_; }
  /// Processor time of the last run.
  std::chrono::milliseconds last_time() const { return last_time_; }
  /// The most processor time of a run.
  std::chrono::milliseconds slowest() const { return slowest_; }

 private:
  OutsideProgram program_;
  std::optional<OutsideProgram> other_;
  std::unique_ptr<Checker> checker_;
  std::uint64_t processes_ = 0;
  std::chrono::milliseconds last_time_{0};
  std::chrono::milliseconds slowest_{0};
};

/// Throws InternalError if the reference answers the case otherwise. Drawing runs the fastest implementation, whose answer
/// must not decide alone.
void check_answer(const ProblemInputs& inputs, const InputCase& one);

}  // namespace lockstep
