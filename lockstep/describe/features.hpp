// Features: small numbers that a scenario exercised, in buckets. They are coverage counters for engines and labels for
// people.
//
//   struct Nim::Features {
//     enum : std::size_t { illegal, heap };                            // a number for each
//     static constexpr std::array<Feature, 2> list = {{{illegal, "illegal"}, {heap, "heap"}}};  // in that order
//     static constexpr std::array<Limit, 1> limits = …;                // optional: limits.hpp
//     // Each optional, but there is one at least. emit(heap, 7) takes one of the constants above, never a bare number.
//     static void observe(auto&& emit, const Action&, const Observation&);   // every action and its answer
//     static void survey(auto&& emit, const Snapshot&);                      // positions on the cadence of trace.hpp
//     static void witness(auto&& emit, const Snapshot& before, const Action&, const Observation&,
//                         const Snapshot& after);    // steps with both positions in the trace: refusals at a limit
//   };
//
// An implementation may report features of its own, such as the height of its tree or the kind of its container, which
// no observation shows. Implementations that report the same thing should give it the same number, from 0 to 15:
//
//   enum : std::size_t { nodes };
//   void Heap::features(auto&& emit) const { emit(nodes, nodes_.size()); }
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "lockstep/base/limits.hpp"
#include "lockstep/describe/trace.hpp"

namespace lockstep {

inline constexpr std::size_t features_max = 32;
inline constexpr std::size_t own_features_max = 16;  // of implementations; they follow the system's
inline constexpr std::size_t feature_buckets = 16;
inline constexpr std::size_t feature_indices = (features_max + own_features_max) * feature_buckets;

/// 0 … 9 have a bucket each, then 10–11, 12–15, 16–31, 32–63, 64–255, and 256 or more. Negative values count as 0.
constexpr std::size_t feature_bucket(std::int64_t value) {
  if (value < 10) return value < 0 ? 0 : static_cast<std::size_t>(value);
  if (value < 12) return 10;
  if (value < 16) return 11;
  if (value < 32) return 12;
  if (value < 64) return 13;
  return value < 256 ? 14 : 15;
}

/// Around a limit: bucket 8 is the limit itself, 1 … 14 hold one value each, 0 and 15 all values below and above.
constexpr std::size_t feature_bucket(std::int64_t value, std::optional<std::int64_t> around) {
  constexpr std::int64_t middle = 8;
  constexpr std::int64_t last = feature_buckets - 1;
  if (!around) return feature_bucket(value);
  const std::int64_t bucket = value - *around + middle;
  return static_cast<std::size_t>(bucket < 0 ? 0 : bucket > last ? last : bucket);
}

/// The bucket's text in reports: "7", "16–31".
constexpr std::string_view feature_bucket_text(std::size_t bucket) {
  constexpr std::array<std::string_view, feature_buckets> texts = {
      "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10–11", "12–15", "16–31", "32–63", "64–255", "≥256"};
  return texts[bucket];
}

/// As above; around a limit of 200: "≤192", "193" … "206", "≥207".
std::string feature_bucket_text(std::size_t bucket, std::optional<std::int64_t> around);

/// One bit for each feature and bucket: index = feature × feature_buckets + bucket.
using FeatureSet = std::bitset<feature_indices>;

/// Whether feature number i is at index i of the list, so that a feature's number indexes it.
constexpr bool in_order(std::span<const Feature> list) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].number != i) return false;
  }
  return true;
}

/// The features of a system; empty if it has none.
template <class S>
inline constexpr auto feature_list = [] {
  if constexpr (Given<FeaturesOf<S>>) {
    static_assert(FeaturesOf<S>::list.size() <= features_max);
    static_assert(in_order(FeaturesOf<S>::list), "Features::list must have feature number i in place i");
    return FeaturesOf<S>::list;
  } else {
    return std::array<Feature, 0>{};
  }
}();

/// The index of the bucket that holds a feature's value.
constexpr std::size_t feature_index(std::span<const Feature> list, std::size_t feature, std::int64_t value) {
  const auto around = feature < list.size() ? list[feature].around : std::nullopt;
  return feature * feature_buckets + feature_bucket(value, around);
}

/// Calls witness(before, number of the action, after) for every step with both positions in the trace. Makes no
/// call for a trace on another cadence than the default (the judge's second pass).
template <System S, class Witness>
void each_witnessed_step(const Scenario<S>& scenario, const Trace<S>& trace, Witness&& witness) {
  const std::size_t total = scenario.actions.size();
  if (snapshots_before(total + 1, Cadence{}, total) != trace.snapshots.size()) return;
  for (std::size_t done = 1, after = 1; done <= total; ++done) {
    if (!takes_snapshot(Cadence{}, done, total)) continue;
    if (takes_snapshot(Cadence{}, done - 1, total))
      witness(trace.snapshots[after - 1], done - 1, trace.snapshots[after]);
    ++after;
  }
}

/// Calls emit(number of the feature, value) for every value in the trace. A value may be emitted more than once.
template <System S, class Emit>
void emit_features(const Scenario<S>& scenario, const Trace<S>& trace, Emit&& emit) {
  using Features = FeaturesOf<S>;
  if constexpr (Given<Features>) {
    const auto named = [&emit]<class Number>(Number feature, std::int64_t value) {
      static_assert(std::is_enum_v<Number>, "emit a feature by its constant, never by a bare number");
      emit(static_cast<std::size_t>(feature), value);
    };
    constexpr bool observes =
        requires(const typename S::Action& a, const typename S::Observation& o) { Features::observe(named, a, o); };
    constexpr bool surveys = requires(const SnapshotOf<S>& s) { Features::survey(named, s); };
    constexpr bool witnesses = requires(const SnapshotOf<S>& s, const typename S::Action& a,
                                        const typename S::Observation& o) { Features::witness(named, s, a, o, s); };
    static_assert(observes || surveys || witnesses, "Features needs observe, survey or witness");
    if constexpr (observes) {
      for (std::size_t i = 0; i < scenario.actions.size(); ++i) {
        Features::observe(named, scenario.actions[i], trace.observations[i]);
      }
    }
    if constexpr (surveys) {
      for (std::size_t i = 0; i < trace.snapshots.size(); ++i) {
        // An unchanged position shows nothing new, and surveying a whole position is expensive.
        if (i == 0 || trace.snapshots[i] != trace.snapshots[i - 1]) Features::survey(named, trace.snapshots[i]);
      }
    }
    if constexpr (witnesses) {
      each_witnessed_step<S>(scenario, trace, [&](const auto& before, std::size_t action, const auto& after) {
        Features::witness(named, before, scenario.actions[action], trace.observations[action], after);
      });
    }
  }
}

}  // namespace lockstep
