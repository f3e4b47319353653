// What came of a campaign.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lockstep/any_system.hpp"
#include "lockstep/finding.hpp"

namespace lockstep {

/// A finding and the file that holds it.
struct Found {
  FindingText finding;
  std::string file;
};

/// What one engine did.
struct EngineTally {
  std::uint64_t scenarios = 0;
  std::uint64_t steps = 0;
  double seconds = 0;
  std::uint64_t features = 0;  // pairs of feature and bucket that it reached first
  std::uint64_t findings = 0;
  std::uint64_t canaries = 0;

  EngineTally& operator+=(const EngineTally& other);
};

/// The search for one canary before the campaign proper.
struct CanaryHunt {
  std::string name;  // empty: the system has none, or no hunt was wanted
  bool found = false;
  std::string engine = {};  // the generator that found it
  double seconds = 0;
  std::uint64_t scenarios = 0;
};

/// When implementations first differed, before the scenario was shrunk.
struct Detection {
  double seconds = 0;
  double processor_seconds = 0;  // of all engines' processes until then
  std::uint64_t scenarios = 0;
};

struct CampaignResult {
  const AnySystem* system = nullptr;
  std::vector<std::string> implementations;
  std::map<std::string, EngineTally> engines;
  double seconds = 0;
  FeatureSet features;
  CanaryHunt canary;
  std::vector<Found> findings;
  std::vector<std::string> faults;  // of engines themselves
  std::set<std::string> absences;   // engines that took no part, and why
  std::optional<Detection> detected;
  std::vector<std::uint64_t> next;  // per worker: where its part of the stream goes on
  bool finished = false;            // false: interrupted

  EngineTally total() const;
};

}  // namespace lockstep
