// What a campaign has done so far, in memory that its parent process can watch.
//
// Built-in workers share an anonymous page with the program; a libFuzzer target shares a file that the
// environment names (LOCKSTEP_STATS). The layout is plain numbers, each of which means something by itself,
// so a reader never needs a lock, and what was done survives the death of the process that did it.
#pragma once

#include <time.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>

#include "lockstep/features.hpp"
#include "lockstep/judge.hpp"

namespace lockstep {

/// How many ways of coming by scenarios one process may tell apart.
inline constexpr std::size_t generators_max = 8;

struct CampaignStats {
  std::atomic<std::uint64_t> scenarios{0};
  std::atomic<std::uint64_t> steps{0};
  /// One more than the stream index of the scenario in flight; 0 before the first.
  std::atomic<std::uint64_t> current{0};
  std::atomic<std::uint64_t> generator_in_flight{0};  // how that scenario was come by
  /// When the first divergence was seen (steady clock, ns), how much processor time this process had used
  /// and how many scenarios it had judged; 0 before that.
  std::atomic<std::uint64_t> diverged_at_ns{0};
  std::atomic<std::uint64_t> diverged_processor_ns{0};
  std::atomic<std::uint64_t> diverged_after{0};
  /// Set by the parent: end after the scenario in flight.
  std::atomic<std::uint32_t> stop{0};
  JudgeProgress progress;
  /// A byte per feature and bucket (features.hpp): one more than the way that reached it first, 0 before that.
  std::atomic<std::uint8_t> features[features_max * feature_buckets] = {};
  /// What each way did of all that.
  struct Tally {
    std::atomic<std::uint64_t> scenarios{0};
    std::atomic<std::uint64_t> steps{0};
    std::atomic<std::uint64_t> time_ns{0};
  };
  std::array<Tally, generators_max> by_generator{};

  void mark(std::size_t feature, std::size_t generator = 0) {
    if (features[feature].load(std::memory_order_relaxed) != 0) return;
    features[feature].store(static_cast<std::uint8_t>(generator + 1), std::memory_order_relaxed);
  }
  void count(std::size_t actions, std::size_t generator = 0, std::chrono::nanoseconds time = {}) {
    scenarios.fetch_add(1, std::memory_order_relaxed);
    steps.fetch_add(actions, std::memory_order_relaxed);
    by_generator[generator].scenarios.fetch_add(1, std::memory_order_relaxed);
    by_generator[generator].steps.fetch_add(actions, std::memory_order_relaxed);
    by_generator[generator].time_ns.fetch_add(static_cast<std::uint64_t>(time.count()), std::memory_order_relaxed);
  }
  /// To be called at each divergence, before it is shrunk.
  void note_divergence() {
    if (diverged_at_ns.load() != 0) return;
    diverged_after.store(scenarios.load());
    timespec used{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    diverged_processor_ns.store(static_cast<std::uint64_t>(used.tv_sec) * 1'000'000'000u +
                                static_cast<std::uint64_t>(used.tv_nsec));
    diverged_at_ns.store(static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count()));
  }
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

/// The scenario that a worker is judging, as bytes (codec.hpp), so that its death has a cause: one that was
/// mutated cannot be drawn again. A scenario that does not fit is kept as none.
struct InFlightScenario {
  std::atomic<std::uint64_t> size{0};
  std::uint8_t bytes[std::size_t{1} << 20];  // pages that nobody wrote cost nothing

  void store(std::span<const std::uint8_t> scenario) {
    size.store(0);
    if (scenario.size() > sizeof bytes) return;
    std::memcpy(bytes, scenario.data(), scenario.size());
    size.store(scenario.size());
  }
  std::span<const std::uint8_t> load() const { return {bytes, size.load()}; }
};

struct UnmapScenario {
  void operator()(InFlightScenario* scenario) const;
};
using SharedScenario = std::unique_ptr<InFlightScenario, UnmapScenario>;

/// Fresh ones that child processes of this process share. Throw std::bad_alloc when there is no memory.
SharedStats share_stats();
SharedScenario share_scenario();

/// One that lives in a file, created with zeros when it is not there. Null when that fails.
SharedStats share_stats(const std::string& path);

}  // namespace lockstep
