// Engines at work beside the program: a built-in worker or a libFuzzer target, each in a child process.
//
// A lane is watched, never waited for: the program polls it, reads its numbers from shared memory
// (harness/stats.hpp) and collects findings, which are on disk before they are reported.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tools/any_game.hpp"

namespace lockstep {

/// What every engine is told.
struct Campaign {
  const AnyGame* game = nullptr;
  std::vector<std::string> simulators;
  std::uint64_t seed = 1;
  std::filesystem::path out = "findings";
  std::filesystem::path corpus = "corpus";
  bool keep_going = false;
  std::chrono::milliseconds timeout{20'000};  // a scenario that takes longer counts as a hang
};

/// A finding on disk.
struct Found {
  FindingText finding;
  std::string file;
};

class Lane {
 public:
  virtual ~Lane() = default;
  virtual std::string_view engine() const = 0;
  /// Notices ends, deaths and hangs; true while there is something to watch.
  virtual bool poll() = 0;
  /// Asks it to end soon; poll() goes on until it has.
  virtual void stop() = 0;
  virtual const CampaignStats& stats() const = 0;
  /// Findings since the last call.
  virtual std::vector<Found> take_findings() = 0;
  /// What went wrong with the engine itself; empty when nothing did.
  virtual std::string fault() const { return {}; }
};

/// Draws scenarios in the three styles of harness/draw.hpp and judges them. A worker that dies or hangs
/// names the scenario by its index: it is drawn again, shrunk in guarded children and becomes a finding.
/// With `keep`, findings are written to campaign.out; the hunt for a canary keeps none.
std::unique_ptr<Lane> start_worker(const Campaign& campaign, StreamPart part, bool keep);

/// Runs the target for some seconds (at least 1) or a number of executions, from the corpus packed
/// into bytes. `engine` is its name in tables.
struct FuzzTarget {
  std::string engine;
  std::filesystem::path program;
};
std::unique_ptr<Lane> start_fuzz_target(const Campaign& campaign, const FuzzTarget& target, int seconds,
                                        std::uint64_t runs);

/// The libFuzzer targets of a game that are built beside this program: build/fuzz-fast, then build/fuzz.
std::vector<FuzzTarget> fuzz_targets(std::string_view game);

}  // namespace lockstep
