// Searching, for a campaign's workers: draws scenarios, judges them, and shrinks failures.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "lockstep/describe/scenario.hpp"
#include "lockstep/draw/portfolio.hpp"
#include "lockstep/judge/signature.hpp"
#include "lockstep/services/finding.hpp"
#include "lockstep/services/stats.hpp"

namespace lockstep {

/// A worker's part of the stream of `seed`: scenarios first, first + stride, …
struct StreamPart {
  std::uint64_t seed = 1;
  std::uint64_t first = 0;
  std::uint64_t stride = 1;
  std::uint64_t end = UINT64_MAX;  // one past the last index
  std::vector<Generator> generators = {};
  std::filesystem::path corpus = {};    // folder; SYSTEM/*.txt is the pool's seed corpus; empty: none
  std::uint64_t given = 0;              // as many scenarios of the corpus are left out: another process has judged them
  std::filesystem::path exchange = {};  // folder through which engines exchange scenarios; empty: none
  std::chrono::steady_clock::time_point deadline = {};
  std::chrono::milliseconds shrink_time{10'000};
  bool keep_going = false;  // continue after the first finding
  std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
  Signatures known = {};                  // neither shrunk nor reported
  Signatures ignored = {};                // known mistakes among `known`: their failures are counted
  std::vector<std::string> without = {};  // kinds of actions that are left out
  std::uint64_t actions_max = 0;          // of a drawn scenario; 0: it grows (portfolio.hpp)
  struct Compared {
    std::vector<std::int64_t> (*numbers)() = nullptr;  // that implementations compare, for mutation to try
    void (*record)(bool on) = nullptr;                 // called around the judging of a drawn scenario
  } compared = {};

  /// How long a failure that is found now may be shrunk. A search that continues spends little time on its first failures,
  /// a twentieth of the time so far on each: the campaign shrinks them further at its end.
  std::chrono::milliseconds shrink_time_now() const {
    if (!keep_going) return shrink_time;
    const auto so_far = std::chrono::steady_clock::now() - started;
    constexpr std::chrono::milliseconds least{100};
    return std::min(shrink_time, std::max(least, std::chrono::duration_cast<std::chrono::milliseconds>(so_far / 20)));
  }
};

/// What a scenario reaches: what engines learn from it.
struct Reached {
  Verdict::State state = Verdict::State::agreed;
  /// In rising order: indices of features (features.hpp), own ones too; from feature_indices on, edges of instrumented
  /// code with their classes (Coverage::taken). Empty unless all agreed.
  std::vector<std::size_t> coverage = {};
};

/// Judges one scenario in this process, which it may end.
Reached reach(const AnyScenario& scenario, const std::vector<std::string>& names, CampaignStats& stats);

/// The search of a worker process, until the deadline, the end of its part, or stats.stop.
void search_stream(const Vocabulary& system, const StreamPart& part, const std::vector<std::string>& names,
                   CampaignStats& stats, RecentScenarios& recent, const std::function<void(const Finding&)>& report);

}  // namespace lockstep
