// What a campaign has done so far, in memory that its parent process can watch.
//
// Built-in workers share an anonymous page with the program; a libFuzzer target shares a file that the
// environment names (LOCKSTEP_STATS). The layout is plain numbers that only grow, so a reader never
// needs a lock, and what was done survives the death of the process that did it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "harness/features.hpp"
#include "harness/judge.hpp"

namespace lockstep {

struct CampaignStats {
  std::atomic<std::uint64_t> scenarios{0};
  std::atomic<std::uint64_t> steps{0};
  /// One more than the stream index of the scenario under way; 0 before the first. It is stored before the
  /// judge runs, so that after a crash the parent can draw the same scenario again.
  std::atomic<std::uint64_t> current{0};
  /// Set by the parent: end after the scenario under way.
  std::atomic<std::uint32_t> stop{0};
  JudgeProgress progress;
  /// A byte per feature and bucket (features.hpp), nonzero once it was reached.
  std::atomic<std::uint8_t> features[features_max * feature_buckets] = {};

  void mark(std::size_t feature) { features[feature].store(1, std::memory_order_relaxed); }
  FeatureSet reached() const {
    FeatureSet out;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = features[i].load(std::memory_order_relaxed) != 0;
    return out;
  }
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

/// Releases the mapping.
struct UnmapStats {
  void operator()(CampaignStats* stats) const;
};
using SharedStats = std::unique_ptr<CampaignStats, UnmapStats>;

/// A fresh one that child processes of this process share.
SharedStats share_stats();

/// One that lives in a file, created with zeros when it is not there. Null when that fails.
SharedStats share_stats(const std::string& path);

}  // namespace lockstep
