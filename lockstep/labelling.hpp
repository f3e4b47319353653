// Counts labels, and searches for labels that generators rarely reach.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/draw.hpp"
#include "lockstep/labels.hpp"
#include "lockstep/mutate.hpp"
#include "lockstep/registry.hpp"
#include "lockstep/shrink.hpp"

namespace lockstep {

/// The features and limits of a system, without counts.
template <System S>
LabelTable empty_labels() {
  LabelTable table;
  table.system = S::name;
  table.features.assign(feature_list<S>.begin(), feature_list<S>.end());
  if constexpr (requires { FeaturesOf<S>::limits; }) {
    table.limits.assign(FeaturesOf<S>::limits.begin(), FeaturesOf<S>::limits.end());
  }
  return table;
}

template <System S>
FeatureSet labels_of(const Scenario<S>& scenario, const AnyImplementation<S>& implementation, Trace<S>& trace) {
  FeatureSet shown;
  implementation.trace(scenario, Cadence{}, trace);
  mark_features<S>(scenario, trace, [&](std::size_t index) { shown.set(index); });
  return shown;
}

/// Counts labels in `runs` scenarios of each style of draw.hpp, in as many mutants of the corpus, and in the corpus
/// itself.
template <System S>
LabelTable count_labels(const AnyImplementation<S>& implementation, std::uint64_t seed, std::uint64_t runs,
                        const std::vector<Scenario<S>>& corpus) {
  LabelTable table = empty_labels<S>();
  table.seed = seed;
  table.runs = runs;
  Trace<S> trace;
  for (const Style style : styles) {
    LabelledGenerator& generator = table.generators.emplace_back(LabelledGenerator{std::string{to_string(style)}});
    for (std::uint64_t i = 0; i < runs; ++i) {
      Random random{seed_of(seed, i)};
      generator.add(labels_of<S>(draw_scenario<S>(random, style), implementation, trace));
    }
  }
  if (corpus.empty()) return table;
  LabelledGenerator mutated{"mutated"};
  for (std::uint64_t i = 0; i < runs; ++i) {
    Random random{seed_of(seed, i)};
    Scenario<S> scenario = random.pick(corpus);
    mutate<S>(random, scenario);
    mutated.add(labels_of<S>(scenario, implementation, trace));
  }
  table.generators.push_back(std::move(mutated));
  LabelledGenerator kept{"corpus"};
  for (const auto& scenario : corpus) kept.add(labels_of<S>(scenario, implementation, trace));
  table.generators.push_back(std::move(kept));
  return table;
}

/// Searches for scenarios in which a feature takes a given value.
template <System S>
class LabelSearch {
 public:
  LabelSearch(const AnyImplementation<S>& implementation, std::size_t feature, std::int64_t value)
      : implementation_{implementation}, feature_{feature}, value_{value} {}

  /// The distance between the wanted value and the nearest value shown; UINT64_MAX if the scenario does not show the
  /// feature.
  std::uint64_t distance(const Scenario<S>& scenario) {
    std::uint64_t least = UINT64_MAX;
    implementation_.trace(scenario, Cadence{}, trace_);
    emit_features<S>(scenario, trace_, [&](std::size_t feature, std::int64_t value) {
      if (feature != feature_) return;
      const std::uint64_t off = value < value_ ? static_cast<std::uint64_t>(value_) - static_cast<std::uint64_t>(value)
                                               : static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(value_);
      least = std::min(least, off);
    });
    return least;
  }

  /// Hill-climbing from `starts` and from drawn scenarios. A mutant that is no farther away replaces its parent; a
  /// climb without progress restarts elsewhere. Returns the nearest scenario found.
  Scenario<S> climb(std::uint64_t seed, std::uint64_t tries_max, const std::vector<Scenario<S>>& starts) {
    constexpr std::uint64_t patience = 2'000;
    constexpr std::size_t actions_max = 1'000;
    Random random{seed};
    Scenario<S> best = starts.empty() ? Scenario<S>{} : starts.front();
    best_distance_ = distance(best);
    tries_ = 1;
    for (const auto& start : starts) consider(start, best);
    while (best_distance_ > 0 && tries_ < tries_max) {
      Scenario<S> here = first_of_a_climb(random, starts, best);
      if (here.actions.size() > actions_max) here.actions.resize(actions_max);
      std::uint64_t here_distance = distance(here);
      for (std::uint64_t idle = 0; idle < patience && tries_ < tries_max; ++idle) {
        Scenario<S> next = here;
        mutate<S>(random, next);
        ++tries_;  // every mutant counts, so that a search that meets only overlong ones ends
        if (next.actions.size() > actions_max) continue;
        const std::uint64_t next_distance = distance(next);
        if (next_distance > here_distance) continue;
        if (next_distance < here_distance) idle = 0;
        here = std::move(next);
        here_distance = next_distance;
        if (here_distance == 0) break;
      }
      consider(here, best);
    }
    return best;
  }

  std::uint64_t best_distance() const { return best_distance_; }
  std::uint64_t tries() const { return tries_; }

  /// The smallest scenario, by the shrinker, that still shows the value.
  Scenario<S> shrunk(const Scenario<S>& showing, ShrinkBudget budget) {
    const auto judge = [this](const Scenario<S>& candidate) {
      if (distance(candidate) > 0) return Verdict{};
      Divergence shown;
      shown.step = candidate.actions.size();  // all actions count: the shrinker must not truncate the scenario untested
      return Verdict{Verdict::State::diverged, std::move(shown), {}};
    };
    return Shrinker<S>{judge, implementation_, budget}.shrink(showing).scenario;
  }

 private:
  void consider(const Scenario<S>& candidate, Scenario<S>& best) {
    ++tries_;
    const std::uint64_t off = distance(candidate);
    if (off >= best_distance_) return;
    best_distance_ = off;
    best = candidate;
  }

  Scenario<S> first_of_a_climb(Random& random, const std::vector<Scenario<S>>& starts, const Scenario<S>& best) {
    const std::uint64_t kind = random.below(3);
    if (kind == 0) return best;
    if (kind == 1 && !starts.empty()) return random.pick(starts);
    const Style style = random.pick(styles);
    return draw_scenario<S>(random, style);
  }

  AnyImplementation<S> implementation_;
  std::size_t feature_;
  std::int64_t value_;
  std::uint64_t best_distance_ = UINT64_MAX;
  std::uint64_t tries_ = 0;
  Trace<S> trace_;
};

}  // namespace lockstep
