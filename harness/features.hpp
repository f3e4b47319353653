// What scenarios exercised, in small buckets: coverage counters for the fuzzer, labels for people.
#pragma once

#include <array>
#include <bit>
#include <bitset>
#include <cstdint>

#include "harness/trace.hpp"

namespace lockstep {

inline constexpr std::size_t features_max = 16;
inline constexpr std::size_t feature_buckets = 16;

/// 0 … 9 alone, then 10–11, 12–15, 16–31, 32–63, 64–255 and above.
constexpr std::size_t feature_bucket(std::int64_t value) {
  if (value < 10) return value < 0 ? 0 : static_cast<std::size_t>(value);
  if (value < 12) return 10;
  if (value < 16) return 11;
  if (value < 32) return 12;
  if (value < 64) return 13;
  return value < 256 ? 14 : 15;
}

/// The bucket as people read it: "7", "16–31".
constexpr std::string_view feature_bucket_text(std::size_t bucket) {
  constexpr std::array<std::string_view, feature_buckets> texts = {
      "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10–11", "12–15", "16–31", "32–63", "64–255", "≥256"};
  return texts[bucket];
}

/// One bit for each feature and bucket: index = feature × feature_buckets + bucket.
using FeatureSet = std::bitset<features_max * feature_buckets>;

/// Calls mark(index) for every feature and bucket that the trace shows; the same one may come often.
template <Game G, class Mark>
void mark_features(const Scenario<G>& scenario, const Trace<G>& trace, Mark&& mark) {
  static_assert(G::features.size() <= features_max);
  const auto emit = [&](std::size_t feature, std::int64_t value) {
    mark(feature * feature_buckets + feature_bucket(value));
  };
  for (std::size_t i = 0; i < scenario.actions.size(); ++i) {
    G::observe(emit, scenario.actions[i], trace.observations[i]);
  }
  for (const auto& snapshot : trace.snapshots) G::survey(emit, snapshot);
}

}  // namespace lockstep
