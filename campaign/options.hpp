// The options of a campaign.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "lockstep/base/guard.hpp"
#include "lockstep/base/shard.hpp"
#include "lockstep/draw/portfolio.hpp"

namespace lockstep {

/// A program with the target of lockstep/fuzz/fuzz_target.hpp, for libFuzzer.
struct FuzzTarget {
  std::string engine;  // "libfuzzer" or "libfuzzer-fast"
  std::filesystem::path program;
};

/// The seconds of a run that only the number of its scenarios limits. `fuzz --seconds` takes less.
inline constexpr double no_time_limit = 1e9;

struct CampaignOptions {
  double seconds = 60;     // for one system
  std::uint64_t runs = 0;  // above 0: at most this many scenarios, and executions of each process of a target, within
                           // `seconds`
  std::uint64_t seed = 1;
  unsigned jobs = 1;                          // number of built-in workers
  std::vector<std::string> with = {};         // implementations to compare with the reference; empty: all but canaries
  std::vector<std::string> engines = {};      // of engine_names(); empty: all that are built, but fast_engine
  std::vector<std::string> without = {};      // kinds of actions that are left out
  std::uint64_t actions_max = 0;              // of a scenario that built-in workers draw; 0: it grows (portfolio.hpp)
  std::filesystem::path ignore = {};          // known mistakes (known_mistakes.hpp); empty: none
  std::vector<FuzzTarget> fuzz_targets = {};  // the targets that are built; the caller locates them
  std::filesystem::path out = "findings";     // folder for findings
  std::filesystem::path corpus = {};          // seed corpus (lockstep/draw/corpus.hpp); empty: none
  std::chrono::milliseconds timeout = Guard{}.timeout;  // an action that takes longer is a hang
  bool keep_going = false;                              // continue after the first finding
  bool hunt_canary = true;
  Shard shard = {};                     // which part of the streams is searched
  std::filesystem::path exchange = {};  // shards exchange scenarios in its folder SYSTEM; empty: the processes of this
                                        // campaign alone
};

/// The engine whose targets have no sanitizers: it searches only where `engines` names it.
inline constexpr const char* fast_engine = "libfuzzer-fast";

/// All names that `engines` may contain.
std::vector<std::string> engine_names();

/// The generators of the built-in worker among these engines; all if `engines` is empty.
std::vector<Generator> wanted_generators(const std::vector<std::string>& engines);

/// The numbers in the stream of scenarios that a worker draws: first, first + stride, … Each number is that of exactly one
/// worker, also where shards have different numbers of jobs.
struct DrawnNumbers {
  std::uint64_t first = 0;
  std::uint64_t stride = 1;
};
DrawnNumbers numbers_of(Shard shard, unsigned jobs, std::size_t worker);

/// A process of a target: its target, and its number among the processes of that target in all shards.
struct TargetProcess {
  FuzzTarget target;
  std::uint64_t number = 0;
};

/// The processes of targets in a campaign. With workers, each target gets jobs / 2 processes, rounded down; a target that
/// `engines` names gets at least one. Without workers, each target gets one process per job. BadInput if `engines` names a
/// target that is not among `fuzz_targets`.
std::vector<TargetProcess> wanted_targets(const CampaignOptions& options);

}  // namespace lockstep
