// Engines at work beside the program: a built-in worker or a libFuzzer target, each in a child process.
//
// A lane is watched, never waited for: the program polls it, reads its numbers from shared memory
// (lockstep/stats.hpp) and collects findings, which it writes and then reports. Lanes can be
// paused, so that engines share the processors as the program wants it.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/any_system.hpp"
#include "lockstep/finding.hpp"
#include "lockstep/services/searching.hpp"

namespace lockstep {

/// What every engine is told.
struct Campaign {
  const AnySystem* system = nullptr;
  std::vector<std::string> implementations;
  std::uint64_t seed = 1;
  std::filesystem::path out = "findings";
  std::filesystem::path corpus = "corpus";
  std::filesystem::path exchange = {};  // where engines leave scenarios for each other; empty: nowhere
  bool keep_going = false;
  std::chrono::milliseconds timeout{20'000};  // a scenario that takes longer counts as a hang
};

/// A finding and the file that it belongs into.
struct Found {
  FindingText finding;
  std::string file;
};

/// Processor time that a living process has used; 0 when it cannot be asked.
double processor_seconds_of(int process);

class Engine {
 public:
  virtual ~Engine() = default;
  /// The engine behind each way of stats(), in that order.
  virtual std::vector<std::string> engines() const = 0;
  /// Notices ends, deaths and hangs; true while there is something to watch.
  virtual bool poll() = 0;
  /// Asks it to end soon, paused or not; poll() goes on until it has.
  virtual void stop() = 0;
  virtual void pause() = 0;
  virtual void resume() = 0;
  virtual const CampaignStats& stats() const = 0;
  /// Processor time that its process has used.
  virtual double processor_seconds() const = 0;
  /// Findings since the last call.
  virtual std::vector<Found> take_findings() = 0;
  /// What went wrong with the engine itself; empty when nothing did.
  virtual std::string fault() const { return {}; }
  /// Why it took no part, where nothing is wrong; empty when it did.
  virtual std::string absence() const { return {}; }
};

/// Judges what the portfolio of lockstep/portfolio.hpp brings. Of a worker that dies or hangs the scenario
/// in flight is known: it is shrunk in guarded children and becomes a finding.
std::unique_ptr<Engine> start_worker(const Campaign& campaign, StreamPart part);

struct FuzzTarget {
  std::string engine;  // its name in tables
  std::filesystem::path program;
};

/// Runs the target until it is stopped, or, with `runs` above 0, for so many executions, from the corpus packed into
/// bytes. Lanes of one target draw apart by their `number`.
std::unique_ptr<Engine> start_fuzz_target(const Campaign& campaign, const FuzzTarget& target, std::uint64_t number,
                                          std::uint64_t runs);

/// The libFuzzer targets of a system that are built beside this program: build/fuzz-fast, then build/fuzz.
std::vector<FuzzTarget> fuzz_targets(std::string_view system);

}  // namespace lockstep
