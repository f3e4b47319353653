// Trials: many short campaigns, each in a child process, to measure how often and how soon engines find canaries.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "campaign/options.hpp"
#include "campaign/result.hpp"
#include "lockstep/describe/measure.hpp"

namespace lockstep {

struct Trial {
  const AnySystem* system = nullptr;
  CampaignOptions options;  // findings go to a temporary folder, not to `out`
};

/// The first finding of a trial that shows the implementation which its options name (hunt.hpp).
struct TrialFinding {
  Detection detection;
  std::string engine;
  bool minimal = false;
  Size size;  // of the shrunk scenario
};

struct TrialResult {
  std::size_t trial = 0;                   // index of the trial
  std::optional<TrialFinding> found = {};  // empty: the trial found nothing
  std::vector<std::string> faults = {};    // internal errors of engines; that the machine was too busy; other findings
};

/// Starts the trials in this order and runs `jobs` at the same time. `done` is called once for each, in the order in which
/// they end. An interruption stops those that run; they are done too. Returns internal errors, after which trials may be
/// missing.
std::vector<std::string> run_trials(const std::vector<Trial>& trials, unsigned jobs,
                                    const std::function<void(const TrialResult&)>& done,
                                    const std::function<bool()>& interrupted);

}  // namespace lockstep
