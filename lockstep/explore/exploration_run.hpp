// Runs an exploration in a child process, with checkpoints.
//
// A crash or a hang of an implementation is a finding like any other: each job records its in-flight position in shared
// memory, and that scenario is judged again, and shrunk, in a child process of its own.
#pragma once

#include <chrono>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/explore/exploring.hpp"
#include "lockstep/services/finding.hpp"
#include "lockstep/services/judging.hpp"
#include "lockstep/system/any_system.hpp"

namespace lockstep {

std::string_view to_string(ExploreEnd end);

LevelCount total_of(const std::vector<LevelCount>& levels);

struct ExplorationRun {
  const AnySystem* system = nullptr;
  ExploreStart from;
  std::vector<std::string> implementations;
  ExploreOptions options;  // `beacons` is ignored: they are allocated here
  std::chrono::milliseconds timeout = Guard{}.timeout;
  std::chrono::milliseconds shrink_time{30'000};
  std::string checkpoint = {};  // file for the state of the exploration; empty: none
  bool resume = false;          // continue from that file
  std::chrono::seconds checkpoint_every{20};
  /// Called in the child process a few times a second.
  std::function<void(const Explorer&, double seconds)> progress = {};
  /// Polled in the parent process. True ends the exploration soon and keeps its results.
  std::function<bool()> interrupted = {};
  /// A shard of a walk (`options.shard`): called in the child process at the end of each level. Gives what was found to
  /// the other shards and waits for theirs; asks `stopped` often. An error is why they are no longer waited for.
  std::function<std::expected<MergedLevel, std::string>(const Explorer&, const std::function<bool()>& stopped)>
      exchange = {};
};

/// A text that differs between builds of the program and of the plugins among these implementations ("PATH.so:NAME"):
/// another build may have other implementations.
std::string program_identity(const std::vector<std::string>& implementations);

/// One line of JSON that names what is explored, and by which program: equal for runs that may share their results.
std::string compatibility_text(const ExplorationRun& run);

/// The result of an exploration.
struct Explored {
  ExploreEnd end = ExploreEnd::running;  // `running`: interrupted
  std::vector<LevelCount> levels = {};
  double share = 0;  // of the last level, how much is done: 0 … 1
  /// For cannot_judge; for `running`: why other shards were not waited for, empty if interrupted.
  std::string reason = {};
  std::vector<std::string> folded_by = {};
  std::size_t memory = 0;  // bytes held for positions
  double seconds = 0;
  std::optional<Counterexample> failed = {};
  std::optional<Finding> finding = {};  // the same scenario, shrunk
  std::string unsaved = {};             // why the last checkpoint could not be written
};

/// One line of JSON, without the finding. explored_from throws InternalError for any text that to_json did not write.
std::string to_json(const Explored& explored);
Explored explored_from(std::string_view json);

/// Throws BadInput for a start or checkpoint that cannot be used, and InternalError if a failure is not reproducible.
Explored explore(const ExplorationRun& run);

}  // namespace lockstep
