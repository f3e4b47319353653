// The result of a campaign.
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "campaign/timeline.hpp"
#include "lockstep/describe/features.hpp"
#include "lockstep/services/finding.hpp"
#include "lockstep/system/any_system.hpp"

namespace lockstep {

/// A finding and the name of its file. The name is empty if the file could not be written: then a fault (CampaignResult)
/// contains the finding's text.
struct Found {
  Finding finding;
  std::string file;
};

/// The hunt for one canary, before the search.
struct CanaryHunt {
  std::string name;  // empty: the system has no canary, or the hunt was disabled
  bool found = false;
  std::string engine = {};  // the generator that found it
  double seconds = 0;
  double processor_seconds = 0;
  std::uint64_t scenarios = 0;
  std::vector<std::string> faults = {};  // why a canary that was not found may have been missed
  std::vector<Finding> others = {};      // findings that do not show the canary; empty once they are the campaign's
};

/// Processor time used, and processor time available.
struct ProcessorShare {
  double used = 0;
  double available = 0;  // the time that passed, times the processes that could run side by side

  /// Less than half of the available time was used: other work took it, or a signal stopped the processes. Results say
  /// little then.
  bool starved() const { return available > 1 && used < available / 2; }
  std::string starved_text() const {  // for people
    return "the machine was busy or stopped: this search got " + std::to_string(std::lround(100 * used / available)) +
           "% of the processor time that there was, so it reached less than it does elsewhere in its time";
  }
};

/// The first divergence, before its scenario was shrunk.
struct Detection {
  double seconds = 0;
  double processor_seconds = 0;  // of all engines' processes up to then
  std::uint64_t scenarios = 0;
};

struct CampaignResult {
  const AnySystem* system = nullptr;
  std::vector<std::string> implementations;
  std::map<std::string, EngineTally> engines;
  double seconds = 0;
  FeatureSet features;
  std::uint64_t longest = 0;               // the most actions of a scenario
  std::set<std::string> kinds_drawn = {};  // kinds of actions that scenarios of the built-in workers had
  Timeline timeline = {};                  // empty for the merged results of shards
  CanaryHunt canary;
  std::vector<Found> findings;
  std::vector<std::string> faults;  // internal errors of engines
  std::uint64_t ignored = 0;        // failures of known mistakes
  /// For each signature of a known mistake (--ignore): whether a scenario failed with it.
  std::map<std::string, bool> ignored_signatures;
  std::set<std::string> mended;  // known mistakes whose scenario no longer fails
  std::set<std::string> notes;   // of engines: why one did not run, and what else changes no verdict
  std::optional<Detection> detected;
  /// Of the canary hunt and the search, where time limits them. A resumed campaign counts anew.
  ProcessorShare processor = {};
  std::vector<std::uint64_t> next;  // per worker: the next scenario of its part of the stream
  bool finished = false;            // false: interrupted

  EngineTally total() const {
    EngineTally sum;
    for (const auto& [name, tally] : engines) sum += tally;
    return sum;
  }
};

}  // namespace lockstep
