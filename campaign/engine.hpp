// Engines: a built-in worker or a libFuzzer target, each in a child process.
//
// An engine is polled, never waited for. Its numbers are read from shared memory (lockstep/stats.hpp), its findings
// are collected; whoever runs the campaign writes them.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "campaign/options.hpp"
#include "lockstep/any_system.hpp"
#include "lockstep/finding.hpp"
#include "lockstep/services/searching.hpp"

namespace lockstep {

/// What every engine of a campaign is told.
struct EngineOptions {
  const AnySystem* system = nullptr;
  std::vector<std::string> implementations;
  std::uint64_t seed = 1;
  std::filesystem::path corpus = "corpus";
  std::filesystem::path exchange = {};  // the folder in which engines leave scenarios for each other; empty: none
  bool keep_going = false;
  std::chrono::milliseconds timeout{20'000};  // one action that takes longer counts as a hang
};

class Engine {
 public:
  virtual ~Engine() = default;
  /// The engine's name for each generator that stats() tells apart, in that order.
  virtual std::vector<std::string> names() const = 0;
  /// Notices ends, crashes and hangs; true while the process runs.
  virtual bool poll() = 0;
  /// Asks it to end soon; poll() goes on until it has.
  virtual void stop() = 0;
  virtual const CampaignStats& stats() const = 0;
  /// Processor time that its processes had used at the last poll.
  virtual double processor_seconds() const = 0;
  /// Findings since the last call.
  virtual std::vector<FindingText> take_findings() = 0;
  /// What went wrong with the engine itself; empty when nothing did.
  virtual std::string fault() const { return {}; }
  /// Why it took no part, where nothing is wrong; empty when it did.
  virtual std::string absence() const { return {}; }
};

/// Judges what the portfolio of lockstep/portfolio.hpp draws. When the worker crashes or hangs, the scenario in flight
/// is judged again and shrunk in guarded children, and becomes a finding.
std::unique_ptr<Engine> start_worker(const EngineOptions& options, StreamPart part);

/// Runs the target until it is stopped, or, with `runs` above 0, for so many executions, from the corpus packed into
/// bytes, at a priority lower by `niceness`. Processes of one target draw apart by their number.
std::unique_ptr<Engine> start_fuzz_target(const EngineOptions& options, const TargetProcess& process,
                                          std::uint64_t runs, int niceness);

/// The processor time of the child processes that an engine has, one after another.
class ProcessorTime {
 public:
  /// Reads the clock of the process that runs now.
  void look(int process);
  /// That process has ended.
  void end();
  double seconds() const { return ended_ + running_; }

 private:
  double ended_ = 0;
  double running_ = 0;
};

}  // namespace lockstep
