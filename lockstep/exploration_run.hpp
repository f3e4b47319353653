// An exploration from start to result: in a child process, with checkpoints.
//
// An implementation that dies or hangs is a finding like any other: each job writes to shared memory what it is about to
// judge, and that scenario is judged again, and shrunk, in children of its own.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/any_system.hpp"
#include "lockstep/finding.hpp"
#include "lockstep/measure.hpp"
#include "lockstep/services/exploring.hpp"

namespace lockstep {

std::string_view to_string(ExploreEnd end);

LevelCount total_of(const std::vector<LevelCount>& levels);

struct ExplorationRun {
  const AnySystem* system = nullptr;
  ExploreStart from;
  std::vector<std::string> implementations;
  ExploreOptions options;  // all but the beacons, which are made here
  std::chrono::milliseconds timeout{20'000};
  std::chrono::milliseconds shrink_time{30'000};
  std::string checkpoint = {};  // the file that keeps how far it has come; empty: none
  bool resume = false;          // go on from that file
  std::chrono::seconds checkpoint_every{20};
  /// Called in the child process a few times a second.
  std::function<void(const Explorer&, double seconds)> progress = {};
  /// Asked in this process: true ends the exploration soon, and keeps what is done.
  std::function<bool()> interrupted = {};
};

/// What was explored.
struct Explored {
  ExploreEnd end = ExploreEnd::running;  // `running`: it was interrupted
  std::vector<LevelCount> levels;
  double share = 0;    // of the last level that is done
  std::string reason;  // why it could not be judged
  std::vector<std::string> folded_by;
  std::size_t memory = 0;  // bytes for positions
  double seconds = 0;
  struct Failed {
    std::string text;  // the smallest scenario that differs, of those explored
    std::string explanation;
    std::optional<Size> size;  // nothing when an implementation died or hung
  };
  std::optional<Failed> failed;
  std::optional<FindingText> finding = {};  // that scenario, shrunk
};

/// One line of JSON, without the finding. InternalError for what to_json has not written.
std::string to_json(const Explored& explored);
Explored explored_from(std::string_view json);

/// Throws BadInput for a start or a checkpoint that cannot be used, and InternalError when a failure does not show again.
Explored explore(const ExplorationRun& run);

}  // namespace lockstep
