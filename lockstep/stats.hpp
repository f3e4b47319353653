// A campaign's counters, in memory that its parent process can read.
//
// Built-in workers share an anonymous page with the program; a libFuzzer target shares a file that the environment
// variable LOCKSTEP_STATS names. Every field is a number that is meaningful alone, so a reader needs no lock, and the
// counts survive the death of the process that wrote them.
#pragma once

#include <time.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "lockstep/features.hpp"
#include "lockstep/judge.hpp"

namespace lockstep {

/// The maximum number of generators per process.
inline constexpr std::size_t generators_max = 8;

struct CampaignStats {
  std::atomic<std::uint64_t> scenarios{0};
  std::atomic<std::uint64_t> steps{0};
  /// One more than the stream index of the scenario in flight; 0 before the first.
  std::atomic<std::uint64_t> current{0};
  std::atomic<std::uint64_t> generator_in_flight{0};  // index of its generator
  /// At the first divergence: the time (steady clock, ns), the processor time this process had used, and the number of
  /// scenarios it had judged. 0 before.
  std::atomic<std::uint64_t> diverged_at_ns{0};
  std::atomic<std::uint64_t> diverged_processor_ns{0};
  std::atomic<std::uint64_t> diverged_after{0};
  /// Set by the parent: stop after the in-flight scenario.
  std::atomic<std::uint32_t> stop{0};
  /// Set by the worker when its part is done. A process that ends without it was ended by an implementation.
  std::atomic<std::uint32_t> done{0};
  JudgeProgress progress;
  /// One byte per feature and bucket (features.hpp): 0, or one more than the index of the generator that first reached
  /// it.
  std::atomic<std::uint8_t> features[feature_indices] = {};
  /// The counts per generator.
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
  /// Call this at each divergence, before shrinking.
  void note_divergence() {
    timespec used{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    note_divergence(std::chrono::steady_clock::now(),
                    static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9);
  }
  /// The same for a process that has crashed or hung, called by its parent.
  void note_divergence(std::chrono::steady_clock::time_point at, double processor_seconds) {
    if (diverged_at_ns.load() != 0) return;
    diverged_after.store(scenarios.load());
    diverged_processor_ns.store(static_cast<std::uint64_t>(processor_seconds * 1e9));
    diverged_at_ns.store(static_cast<std::uint64_t>(at.time_since_epoch().count()));
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

/// The in-flight scenario of a worker as bytes (codec.hpp), so that a crash can be attributed: a mutated scenario
/// cannot be drawn again from its seed. A scenario that does not fit is stored as empty.
struct InFlightScenario {
  static constexpr std::uint64_t none = UINT64_MAX;
  std::atomic<std::uint64_t> size{none};
  std::uint8_t bytes[std::size_t{1} << 25];  // pages that are never written cost nothing

  void store(std::span<const std::uint8_t> scenario) {
    size.store(none);
    if (scenario.size() > sizeof bytes) return;
    std::ranges::copy(scenario, bytes);  // not memcpy: an empty scenario has no data
    size.store(scenario.size());
  }
  /// nullopt if the scenario has no room here.
  std::optional<std::span<const std::uint8_t>> load() const {
    const std::uint64_t stored = size.load();
    if (stored == none) return std::nullopt;
    return std::span{bytes, stored};
  }
};

struct UnmapScenario {
  void operator()(InFlightScenario* scenario) const;
};
using SharedScenario = std::unique_ptr<InFlightScenario, UnmapScenario>;

/// Allocates zeroed memory that the children of this process share. Throws std::bad_alloc if there is no memory.
SharedStats share_stats();
SharedScenario share_scenario();

/// Maps a file, created with zeros if it is missing. Null on failure.
SharedStats share_stats(const std::string& path);

}  // namespace lockstep
