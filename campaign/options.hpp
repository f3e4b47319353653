// What a campaign is asked to do.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "lockstep/portfolio.hpp"

namespace lockstep {

/// A libFuzzer target: a program built from fuzz/target.cpp.
struct FuzzTarget {
  std::string engine;  // "libfuzzer" or "libfuzzer-asan"
  std::filesystem::path program;
};

struct CampaignOptions {
  double seconds = 60;     // for one system
  std::uint64_t runs = 0;  // above 0: so many scenarios, and so many executions of each libFuzzer target, if the time
                           // is enough for them
  std::uint64_t seed = 1;
  unsigned jobs = 1;                          // built-in workers side by side
  std::vector<std::string> with = {};         // implementations beside the reference; none: all but canaries
  std::vector<std::string> engines = {};      // of engine_names(); none: all there are
  std::vector<FuzzTarget> fuzz_targets = {};  // those that are built; the caller knows where programs are
  std::filesystem::path out = "findings";     // the folder for findings
  std::filesystem::path corpus = "corpus";    // scenarios to start from: SYSTEM/*.txt
  std::chrono::milliseconds timeout{20'000};  // one action that takes longer counts as a hang
  bool keep_going = false;                    // after the first finding
  bool hunt_canary = true;
};

/// Every name that `engines` may hold.
const std::vector<std::string>& engine_names();

/// The generators of the built-in worker that these engines name.
std::vector<Generator> wanted_generators(const std::vector<std::string>& engines);

/// One libFuzzer process: its target, and its number among those of the same target.
struct TargetProcess {
  FuzzTarget target;
  std::uint64_t number = 0;
};

/// The libFuzzer processes of a campaign. Beside workers each target has half as many processes as there are jobs: none
/// of one job, unless the target's engine is named, then one. Without workers each target has one for each job.
/// BadInput when an engine is named whose target is not among `fuzz_targets`.
std::vector<TargetProcess> wanted_targets(const CampaignOptions& options);

}  // namespace lockstep
