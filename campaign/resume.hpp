// Resuming: the file from which a run of campaigns goes on after it was killed.
//
// The file is named beside the findings. A program replaces it at every checkpoint, by a rename, so that a kill leaves
// the old one or the new one. It holds what was asked for and what came of it so far. The stream goes on where it was;
// the pool of scenarios is built anew.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "campaign/campaign.hpp"

namespace lockstep {

/// Campaigns of several systems, one after another.
struct FuzzRun {
  std::vector<std::string> systems;
  CampaignOptions options;              // `seconds` are for all systems; `fuzz_targets` are not kept
  std::vector<CampaignResult> results;  // the last one may be unfinished

  /// Time used by all systems so far.
  double used() const;
};

std::filesystem::path resume_file(const std::filesystem::path& out);

std::string resume_text(const FuzzRun& run);

/// The system with that name, or BadInput.
using SystemNamed = std::function<const AnySystem&(const std::string& name)>;

/// Reads what resume_text wrote; BadInput with the file's name for anything else. Findings whose files are
/// gone are left out.
FuzzRun read_resume(const std::filesystem::path& out, const SystemNamed& system_named);

}  // namespace lockstep
