// Checkers of online judges: programs that say whether an output is right where more than one is.
#pragma once

#include <optional>
#include <string>

#include "lockstep/process/scratch.hpp"
#include "programs/outside_program.hpp"

namespace lockstep {

/// A checker and its files. Not for two threads at once. It has ten seconds for an output. The protocol is detected: it
/// must accept an expected answer as an output, and reject an empty one:
///
///   Kattis   COMMAND INPUT ANSWER FEEDBACK/ < OUTPUT   exits with 42 if the output is right, 43 if it is wrong
///   testlib  COMMAND INPUT OUTPUT ANSWER               exits with 0 if it is right, 1 if it is wrong, 2 if it is malformed
///
/// Kattis: https://www.kattis.com/problem-package-format/spec/legacy.html#output-validators. testlib: TResult and
/// resultExitCode in testlib.h.
class Checker {
 public:
  /// What a checker says about an output that it does not accept.
  struct Refusal {
    bool malformed = false;
    std::string reason;  // for people
  };

  /// Throws BadInput if there is no such program.
  explicit Checker(const std::string& command);

  /// Nullopt if the output is right. Throws BadInput if the checker fails, or has neither protocol.
  std::optional<Refusal> refusal(const std::string& input, const std::string& answer, const std::string& output);

 private:
  enum class Protocol { kattis, testlib };

  /// Runs it on the files `input` and `answer` of the folder. Returns its exit code; nullopt if it did not exit in time.
  std::optional<int> run(Protocol protocol, const std::string& output);
  Protocol protocol_for(const std::string& answer);
  std::string message() const;

  std::string command_;
  ScratchFolder folder_;
  OutsideProgram kattis_;
  OutsideProgram testlib_;
  std::optional<Protocol> protocol_;
  ProgramRun last_;
};

}  // namespace lockstep
