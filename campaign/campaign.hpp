// A campaign: the search for divergences in one system. It first hunts a canary, then runs all engines until the deadline.
//
// The engines are processes (engine.hpp): one built-in worker per job at normal priority, and libFuzzer targets at a lower
// priority. On busy processors all workers together get four times as much time as the targets of one kind. The engines
// exchange scenarios through a folder (lockstep/draw/exchange.hpp).
//
// Nothing here prints. The caller reports progress and findings through callbacks.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "campaign/options.hpp"
#include "campaign/result.hpp"

namespace lockstep {

/// The progress of a running campaign.
struct CampaignProgress {
  const AnySystem* system = nullptr;
  std::string canary = {};  // the canary that is being hunted; empty: the search itself
  EngineTally total = {};   // during a hunt: that of the hunt
  std::size_t findings = 0;
  double seconds = 0;
  std::map<std::string, int> running = {};  // processes by engine; a worker is "built-in"
};

/// By default, nothing is reported and nothing interrupts the campaign.
struct CampaignCallbacks {
  std::function<void(const CampaignProgress&)> progress = [](const CampaignProgress&) {};
  /// Called after the finding was written to its file, or could not be (Found), and again if it was shrunk further or was
  /// written later.
  std::function<void(const CampaignResult&, const Found&)> found = [](const CampaignResult&, const Found&) {};
  /// Called once a second and after each finding. A campaign can be resumed from this result.
  std::function<void(const CampaignResult&)> checkpoint = [](const CampaignResult&) {};
  std::function<bool()> interrupted = [] { return false; };
};

/// Runs a campaign. `before`: the result of an interrupted campaign with the same options, which is resumed; null: a new
/// campaign. Throws BadInput if the options do not fit the system, and InternalError or std::filesystem::filesystem_error if
/// a process or a folder cannot be made.
CampaignResult run_campaign(const CampaignOptions& options, const AnySystem& system, const CampaignCallbacks& callbacks,
                            const CampaignResult* before = nullptr);

}  // namespace lockstep
