// What a worker of a campaign does: it draws scenarios, judges them, and shrinks what fails.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "lockstep/finding.hpp"
#include "lockstep/portfolio.hpp"
#include "lockstep/stats.hpp"

namespace lockstep {

/// Scenarios first, first + stride, … of the stream of `seed`.
struct StreamPart {
  std::uint64_t seed = 1;
  std::uint64_t first = 0;
  std::uint64_t stride = 1;
  std::uint64_t end = UINT64_MAX;  // one past the last index
  std::vector<Generator> generators;
  std::filesystem::path corpus = {};    // the folder whose SYSTEM/*.txt the pool starts with; empty: none
  std::filesystem::path exchange = {};  // where engines leave scenarios for each other; empty: nowhere
  std::chrono::steady_clock::time_point deadline;
  std::chrono::milliseconds shrink_time{10'000};
  bool keep_going = false;  // go on after the first finding
};

class Searching {
 public:
  virtual ~Searching() = default;
  /// Runs in a worker process until the deadline, the end of its part, or stats.stop.
  virtual void work(const StreamPart&, const std::vector<std::string>& names, CampaignStats&, InFlightScenario&,
                    const std::function<void(const FindingText&)>& report) const = 0;
};

}  // namespace lockstep
