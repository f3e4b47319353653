// The state file from which a run of several campaigns resumes after a kill.
//
// The file is in the folder of the findings. The caller replaces it at every checkpoint by a rename, so a kill leaves the
// old or the new file. It holds the options and the results so far. A resumed run continues the stream of scenarios where
// it was interrupted; the pool of scenarios starts again from the corpus.
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
  CampaignOptions options;              // `seconds`: for all systems together; `fuzz_targets` are not saved
  std::vector<CampaignResult> results;  // the last one may be unfinished
  bool interrupted = false;             // by the user; not saved

  /// The time that all campaigns have used so far.
  double used() const;
};

std::filesystem::path resume_file(const std::filesystem::path& out);

/// One line.
std::string resume_text(const FuzzRun& run);

/// Returns the system with that name; throws BadInput if there is none.
using SystemNamed = std::function<const AnySystem&(const std::string& name)>;

/// Of a file that is there and cannot be read: the reason, and that it may be whole.
std::string unreadable_text(const std::filesystem::path& file, const std::string& reason);

/// Reads the state file; BadInput if it is missing or cannot be read, DamagedFile if it is damaged. Keeps all findings: the
/// file contains their texts.
FuzzRun read_fuzz_run(const std::filesystem::path& file, const SystemNamed& system_named);
/// Likewise, the state file of a folder, for `fuzz --resume`: drops findings whose files no longer exist, because the
/// user may have removed them in order to search again. Those that could not be written are kept.
FuzzRun read_resume(const std::filesystem::path& out, const SystemNamed& system_named);

}  // namespace lockstep
