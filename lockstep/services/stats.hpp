// A campaign's counters, in memory that its parent process can read.
//
// Built-in workers share an anonymous page with the program; a libFuzzer target shares a file that the environment
// variable LOCKSTEP_STATS names. Every field is a number that is meaningful alone, so a reader needs no lock, and the
// counts survive the death of the process that wrote them.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/base/hash.hpp"
#include "lockstep/describe/features.hpp"
#include "lockstep/judge/judge.hpp"
#include "lockstep/process/shared_memory.hpp"

namespace lockstep {

/// The maximum number of generators per process.
inline constexpr std::size_t generators_max = 8;

/// The processor time that this process has used.
inline double processor_seconds_used() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct CampaignStats {
  std::atomic<std::uint64_t> scenarios{0};
  std::atomic<std::uint64_t> steps{0};
  std::atomic<std::uint64_t> longest{0};                        // the most actions of a scenario
  std::array<std::atomic<std::uint8_t>, 256> kinds{};           // 1: a scenario had an action of this kind
  std::atomic<std::uint64_t> ignored{0};                        // scenarios that failed of a known mistake
  std::array<std::atomic<std::uint8_t>, 4096> ignored_marks{};  // by hash of the signature: 1 if one was ignored
  /// One more than the stream index of the scenario in flight; 0 before the first.
  std::atomic<std::uint64_t> current{0};
  std::atomic<std::uint64_t> generator_in_flight{0};  // index of its generator
  std::atomic<std::uint64_t> given{0};                // scenarios of the corpus that workers have begun to judge
  /// At the first divergence: the time (steady clock, ns), the processor time this process had used, and the number of
  /// scenarios it had judged. 0 before.
  std::atomic<std::uint64_t> diverged_at_ns{0};
  std::atomic<std::uint64_t> diverged_processor_ns{0};
  std::atomic<std::uint64_t> diverged_after{0};
  /// Set by the worker while it shrinks: then it takes longer to stop.
  std::atomic<std::uint32_t> shrinking{0};
  /// Set by the parent: stop after the in-flight scenario.
  std::atomic<std::uint32_t> stop{0};
  /// Set by the parent: a failure is kept as small as it is now.
  std::atomic<std::uint32_t> stop_shrinking{0};
  /// Set by the worker when its part is done, and by a fuzz target unless it judges. A process that ends without it was ended
  /// by an implementation.
  std::atomic<std::uint32_t> done{0};
  /// Set by the worker: the process leaks memory. It ends then, because it would leak after each later batch, too.
  std::atomic<std::uint32_t> leaks{0};
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
  /// Counts a scenario that failed of a known mistake with that signature.
  void count_ignored(std::string_view signature) {
    ignored.fetch_add(1, std::memory_order_relaxed);
    ignored_marks[fnv1a(signature) % ignored_marks.size()].store(1, std::memory_order_relaxed);
  }
  /// Whether one was counted. Wrongly true if another signature that was counted has the same mark, one in 4,096.
  bool has_ignored(std::string_view signature) const {
    return ignored_marks[fnv1a(signature) % ignored_marks.size()].load(std::memory_order_relaxed) != 0;
  }
  /// Call this at each divergence, before shrinking; for a process that has crashed or hung, its parent does.
  void note_divergence(std::chrono::steady_clock::time_point at = std::chrono::steady_clock::now(),
                       double processor_seconds = processor_seconds_used()) {
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

using SharedStats = SharedMemory<CampaignStats>;

/// The last scenarios of a worker as bytes (codec.hpp), so that a crash can be attributed: a mutated scenario cannot be
/// drawn again from its seed, and an earlier scenario may have corrupted the memory on which a later one dies. They are
/// written one behind the other, and from the beginning again after `lap` bytes:
///
///   | in flight's lap: 7 8 9 |   | 4 5 6, still whole |        4 is the oldest that recent() returns
class RecentScenarios {
 public:
  static constexpr std::size_t count_max = 1024;

  /// For a new process: what the one before it judged has no part in its failures.
  void clear() { stored_.store(0); }

  /// A scenario that is longer than 32 MiB is stored as none.
  void store(std::span<const std::uint8_t> scenario) {
    const std::uint64_t number = stored_.load();
    const std::uint64_t end = number == 0 ? 0 : place(number - 1).end();
    Place& here = place(number);
    here.begin = end < lap && end + scenario.size() <= sizeof bytes_ ? end : 0;
    here.size = scenario.size() <= sizeof bytes_ ? scenario.size() : 0;
    here.stored = scenario.size() <= sizeof bytes_;
    if (here.stored) std::ranges::copy(scenario, bytes_ + here.begin);  // not memcpy: an empty scenario has no data
    stored_.store(number + 1);
  }

  /// The last `count` scenarios, or as many as are still whole; the oldest first, the one in flight last.
  std::vector<std::span<const std::uint8_t>> recent(std::size_t count = count_max) const {
    std::vector<std::span<const std::uint8_t>> out;
    const std::uint64_t total = stored_.load();
    bool in_earlier_lap = false;
    // One place less than there are: a process that was killed may have begun to overwrite it.
    for (std::uint64_t back = 1; back <= std::min<std::uint64_t>({count, total, count_max - 1}); ++back) {
      const Place& here = place(total - back);
      const bool ends_a_lap = back > 1 && place(total - back + 1).begin != here.end();
      const bool two_laps_ago = in_earlier_lap && ends_a_lap;
      in_earlier_lap = in_earlier_lap || ends_a_lap;
      const bool overwritten = two_laps_ago || (in_earlier_lap && here.begin < place(total - 1).end());
      if (!here.stored || overwritten) break;
      out.push_back({bytes_ + here.begin, here.size});
    }
    std::ranges::reverse(out);
    return out;
  }

 private:
  static constexpr std::uint64_t lap = std::uint64_t{1} << 20;  // so that only few pages are written
  struct Place {
    std::uint64_t begin;
    std::uint64_t size;
    bool stored;
    std::uint64_t end() const { return begin + size; }
  };
  Place& place(std::uint64_t number) { return places_[number % count_max]; }
  const Place& place(std::uint64_t number) const { return places_[number % count_max]; }

  std::atomic<std::uint64_t> stored_{0};
  Place places_[count_max];
  std::uint8_t bytes_[std::size_t{1} << 25];  // pages that are never written cost nothing
};

using SharedScenarios = SharedMemory<RecentScenarios>;

/// Allocates zeroed memory that the children of this process share. Throws InternalError if there is no memory.
SharedStats share_stats();
SharedScenarios share_scenarios();

/// Maps a file, created with zeros if it is missing. Null on failure.
SharedStats share_stats(const std::string& path);

}  // namespace lockstep
