// A run that was killed goes on: what `lockstep fuzz` writes while it runs, and reads with --resume.
//
// The file lies beside the findings. It is replaced once a second and after each finding, by a rename, so
// that a kill leaves the old one or the new one, and removed when the run has ended by itself. It holds
// what was asked for and what came of it so far; the built-in engine's stream goes on where it was, the
// pool and the engines' shares are learnt anew.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "campaign/campaign.hpp"

namespace lockstep {

struct FuzzRun {
  std::vector<std::string> systems;
  SearchOptions options;              // its seconds: in all, for all systems
  std::vector<SystemResult> results;  // the last one may be unfinished

  /// Time used by all systems so far.
  double used() const;
};

std::filesystem::path resume_file(const std::filesystem::path& out);

std::string resume_text(const FuzzRun& run);

/// Reads what resume_text wrote; BadInput with the file's name for anything else. Findings whose files are
/// gone are left out.
FuzzRun read_resume(const std::filesystem::path& out);

}  // namespace lockstep
