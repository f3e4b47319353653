// A user's program that is compared with expected answers.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/outside_program.hpp"
#include "lockstep/services/problem_inputs.hpp"

namespace lockstep {

/// One run that is not right.
struct ProgramFailure {
  InputFailure what;
  std::string verdict;  // "wrong answer", "bad output format", "runtime error", "time limit", …
  std::string reason;   // for people
  ProgramRun run;

  /// A limit is exceeded less or more on another day, and by many cases together.
  bool exceeds_limit() const {
    return run.end != ProgramRun::End::answered && run.end != ProgramRun::End::runtime_error;
  }
  bool same_as(const ProgramFailure& other) const {
    return what.kind == other.what.kind && run.output == other.run.output;
  }
};

/// The program, with counts of its runs. What OutsideProgram says of threads and processes holds here, too.
class TestedProgram {
 public:
  /// Throws BadInput if there is no such program.
  explicit TestedProgram(const std::string& command, const ProgramLimits& limits = {},
                         Safety safety = Safety::automatic);

  /// Runs the program once, on an input whose cases have these answers; nullopt if it is right. Throws BadInput if it
  /// cannot be started, and InternalError if its keeper ends.
  std::optional<ProgramFailure> run(const std::string& input, const std::vector<std::string>& answers);

  /// The tier in use, for people.
  const std::string& safety() const { return program_.safety(); }
  std::uint64_t processes() const { return processes_; }
  /// Processor time of the last run.
  std::chrono::milliseconds last_time() const { return last_time_; }
  /// The most processor time of a run.
  std::chrono::milliseconds slowest() const { return slowest_; }

 private:
  OutsideProgram program_;
  std::uint64_t processes_ = 0;
  std::chrono::milliseconds last_time_{0};
  std::chrono::milliseconds slowest_{0};
};

/// Throws InternalError if the reference answers the case otherwise. Drawing runs the fastest implementation, whose answer
/// must not decide alone.
void check_answer(const ProblemInputs& inputs, const InputCase& one);

}  // namespace lockstep
