// A user's program whose outputs are judged.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "programs/checker.hpp"
#include "programs/outside_program.hpp"
#include "programs/problems.hpp"

namespace lockstep {

/// How outputs are judged: by a checker, or word by word.
struct OutputRules {
  std::optional<std::string> checker = {};  // command of a checker (checker.hpp)
  std::optional<std::string> other =
      {};  // command of a program that gives the expected outputs, instead of the reference
};

/// One run, and whether it is right.
struct JudgedRun {
  ProgramRun run;
  std::string expected;                  // output
  std::optional<ProgramRun> other = {};  // the run of the program that gave it, if it is not the reference's
  std::string verdict = {};              // empty if it is right; "wrong answer", "runtime error", "time limit", …
  std::string reason = {};               // for people
  InputFailure what = {};

  bool right() const { return verdict.empty(); }
  bool stopped() const;  // by the user: nothing is known
  /// Failures of limits vary between runs, and with the number of cases in an input.
  bool exceeds_limit() const;
};

/// The program, with counts of its runs. What OutsideProgram says of threads and processes holds here, too.
class TestedProgram {
 public:
  /// Throws BadInput if there is no such program. The message says what the command was likely meant to be: a script
  /// without its interpreter, a source, a folder, a path that lacks quotes.
  explicit TestedProgram(const std::string& command, const ProgramLimits& limits = {},
                         Safety safety = Safety::automatic, const OutputRules& rules = {});

  /// Runs the program once, on an input whose cases have these answers. If the other program does not answer, this is the
  /// failure. `stop`: see OutsideProgram::run. Throws BadInput if a program cannot be started or the checker fails, and
  /// InternalError if a keeper ends.
  JudgedRun run(const std::string& input, const std::vector<std::string>& answers,
                const std::function<bool()>& stop = {});

  /// Whether two runs with one input had the same result: the same words, or with a checker the same verdict.
  bool same_result(const JudgedRun& one, const JudgedRun& two) const;

  /// The tier in use, for people.
  const std::string& safety() const { return program_.safety(); }
  std::uint64_t processes() const { return processes_; }
  /// The most processor time of a run.
  std::chrono::milliseconds slowest() const { return slowest_; }

 private:
  std::string command_;
  OutsideProgram program_;
  std::optional<OutsideProgram> other_;
  std::unique_ptr<Checker> checker_;
  std::uint64_t processes_ = 0;
  std::chrono::milliseconds slowest_{0};
};

/// Confirms the case's answer, which drawing took from the fastest implementation. Throws InternalError if the reference
/// gives another one.
void check_answer(const ProblemInputs& inputs, const InputCase& one);

}  // namespace lockstep
