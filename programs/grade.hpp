// Grades many programs that solve the same published problem: compiles each one as its file name asks, and stresses it
// (stress.hpp). Prints nothing.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "programs/stress.hpp"

namespace lockstep {

/// What became of one program.
struct Grade {
  enum class Outcome { right, failed, not_judged };

  std::filesystem::path program = {};
  Outcome outcome = Outcome::not_judged;
  std::string verdict = "not run";  // "right", one of a StressFinding, "compile error", "no verdict"
  std::string reason = {};          // empty if it is right
  StressResult result = {};         // of a program that was run; its finding's `line` is not kept
};

/// All that is directly in the folder, sorted; without hidden files, whose names begin with a dot. Throws BadInput if the
/// folder cannot be read.
std::vector<std::filesystem::path> entries_of(const std::filesystem::path& folder);

/// Stresses the programs, `jobs` at the same time, each with these options except for `command`. A program is a source in a
/// known language (.cpp .cc .c .py .js .java .rs) or an executable file; anything else is not run, with a reason. A source
/// is compiled into a temporary folder; a compiler has 30 s of processor time. Each program is tested in a process of its own, so
/// that nothing of it, not even a crash of the reference on one of its inputs, disturbs the next. (Only the search for
/// the heaviest cases, which all programs share, runs the reference in this process.) An interruption stops
/// those that run. Nothing is left running. The result is in the order of `programs`. `done` is called once for each
/// program, in the order in which they end; after an interruption, also for those that were not run. It may set the files
/// of findings.
std::vector<Grade> grade(const ProblemInputs& inputs, const std::vector<std::filesystem::path>& programs,
                         const StressOptions& options, unsigned jobs, const std::function<void(Grade&)>& done,
                         const std::function<bool()>& interrupted);

}  // namespace lockstep
