// Engines: a built-in worker, or a fuzz target under libFuzzer, each in a child process.
//
// The campaign polls its engines and never waits for a running one. An engine publishes its counts in shared memory
// (lockstep/services/stats.hpp) and hands its findings to the campaign, which writes them to files.
#pragma once

#include <time.h>

#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "campaign/guarded_search.hpp"
#include "campaign/options.hpp"
#include "lockstep/process/child.hpp"
#include "lockstep/services/finding.hpp"
#include "lockstep/services/searching.hpp"
#include "lockstep/system/any_system.hpp"

namespace lockstep {

struct EngineOptions {
  const AnySystem* system = nullptr;
  std::vector<std::string> implementations;
  StreamPart part = {};  // a target takes the seed, the folders, and what is ignored or left out
  std::chrono::milliseconds timeout = Guard{}.timeout;  // an action that takes longer is a hang
  /// Signatures that are not shrunk again, of all engines: findings up to now, and known mistakes. Null: none.
  const Signatures* known = nullptr;
  /// A worker whose memory has grown by more is begun anew. Its own part (a pool of scenarios) stays far below.
  std::uint64_t growth_max = std::uint64_t{1} << 30;
};

class Engine {
 public:
  virtual ~Engine() = default;
  /// The engine names to report, one for each generator that stats() counts separately.
  const std::vector<std::string>& names() const { return names_; }
  /// Detects the end, a crash or a hang of the process. True while it runs, and while other processes judge a finding
  /// again, or look for the cause of a failure and shrink it.
  virtual bool poll() = 0;
  /// Requests a clean stop. poll() returns true until the process has ended.
  virtual void stop() = 0;
  /// Requests that a worker which shrinks a failure keeps it as small as it is now.
  void stop_shrinking() { stats_->stop_shrinking.store(1); }
  const CampaignStats& stats() const { return *stats_; }
  /// For a worker: the number, from 1, of the scenario in flight when everything that it had reported was in
  /// take_findings(). A resumed campaign that continues there repeats that scenario and loses no finding. 0: none yet.
  std::uint64_t place() const { return place_; }
  /// Processor time of the engine's processes, which run one after another, as of the last poll.
  double processor_seconds() const { return ended_seconds_ + running_seconds_; }
  /// Findings since the last call.
  std::vector<Finding> take_findings() { return std::exchange(findings_, {}); }
  /// Internal errors of the engine.
  virtual std::vector<std::string> faults() const { return faults_; }
  /// What people should know although nothing failed, after the engine's name: "was left out: …"; empty: nothing.
  const std::string& note() const { return note_; }

 protected:
  explicit Engine(const EngineOptions& options) : options_{options} {}
  /// Reads the clock of the running process.
  void sample_processor_time() {
    clockid_t clock{};
    timespec used{};
    if (clock_getcpuclockid(child_->id(), &clock) != 0 || clock_gettime(clock, &used) != 0) return;
    running_seconds_ = static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
  }
  /// Ends the process if it still runs.
  void end_process() {
    ended_seconds_ += std::exchange(running_seconds_, 0);
    child_.reset();
  }

  EngineOptions options_;
  std::vector<std::string> names_;
  SharedStats stats_;
  std::uint64_t place_ = 0;
  std::optional<ChildProcess> child_;
  GuardedSearch search_;
  double ended_seconds_ = 0;         // processor time of the processes that have ended
  double running_seconds_ = 0;       // of the one that runs
  std::deque<Finding> unconfirmed_;  // received, and not judged again yet
  std::vector<Finding> findings_;
  std::vector<std::string> faults_;
  std::string note_;
};

/// Starts a worker that judges its part of the scenarios of lockstep/draw/portfolio.hpp. If it crashes or hangs, its last
/// scenarios are judged again and the one that causes it is shrunk in guarded child processes, at most until the deadline;
/// that becomes a finding. After an unstable finding, or any with keep_going, a new process continues after the scenario.
std::unique_ptr<Engine> start_worker(const EngineOptions& options);

/// Starts a target under its engine on the seed corpus, packed into bytes, with its priority lowered by `niceness`. It
/// runs until it is stopped or fails; with `runs` above 0, for that many executions. Each process of a target has its own
/// number and seed.
std::unique_ptr<Engine> start_fuzz_target(const EngineOptions& options, const TargetProcess& process,
                                          std::uint64_t runs, int niceness);

}  // namespace lockstep
