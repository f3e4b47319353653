// A campaign: the search of one system. First a canary is hunted, then all engines search until the time is up.
//
// The engines are processes (engine.hpp): as many built-in workers as there are jobs, at normal priority, and libFuzzer
// targets beside them at a lower one, so that on busy processors all workers together have four times as much time as
// the targets of one kind. Engines leave scenarios for each other in a folder (exchange.hpp).
//
// Nothing here prints. A program looks on through callbacks, and words what they tell.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "campaign/options.hpp"
#include "campaign/result.hpp"

namespace lockstep {

/// What a campaign is doing right now.
struct CampaignProgress {
  const AnySystem* system = nullptr;
  std::string canary = {};  // the canary that is being hunted; empty: the campaign proper
  EngineTally total = {};   // while a canary is hunted, of the hunt
  std::size_t findings = 0;
  double seconds = 0;
  std::map<std::string, int> running = {};  // processes by engine; a worker is "built-in"
};

/// Every member is set.
struct CampaignCallbacks {
  std::function<void(const CampaignProgress&)> progress;
  /// The finding is on disk already.
  std::function<void(const CampaignResult&, const Found&)> found;
  /// Called once a second and after each finding: a campaign can be resumed from this result.
  std::function<void(const CampaignResult&)> checkpoint;
  std::function<bool()> interrupted;
};

/// Runs a campaign. `before` is what an earlier one with the same options had reached when it ended early. BadInput when
/// the options do not fit the system.
CampaignResult run_campaign(const CampaignOptions& options, const AnySystem& system, const CampaignCallbacks& callbacks,
                            const CampaignResult* before = nullptr);

}  // namespace lockstep
