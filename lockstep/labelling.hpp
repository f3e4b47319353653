// Counts labels, and searches for labels that generators rarely reach.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/labels.hpp"
#include "lockstep/random.hpp"
#include "lockstep/scenario.hpp"
#include "lockstep/shrink.hpp"

namespace lockstep {

/// The features and limits of a system, without counts.
LabelTable empty_labels(const Vocabulary& vocabulary);

FeatureSet labels_of(const AnyScenario& scenario, const Runner& implementation, AnyTrace& trace);

/// Counts labels in `runs` scenarios of each style of draw.hpp, in as many mutants of the corpus, and in the corpus
/// itself.
LabelTable count_labels(const Vocabulary& vocabulary, const Runner& implementation, std::uint64_t seed,
                        std::uint64_t runs, const std::vector<AnyScenario>& corpus);

/// Searches for scenarios in which a feature takes a given value.
class LabelSearch {
 public:
  LabelSearch(const Vocabulary& vocabulary, Runner implementation, std::size_t feature, std::int64_t value);

  /// The distance between the wanted value and the nearest value shown; UINT64_MAX if the scenario does not show the
  /// feature.
  std::uint64_t distance(const AnyScenario& scenario);

  /// Hill-climbing from `starts` and from drawn scenarios. A mutant that is no farther away replaces its parent; a
  /// climb without progress restarts elsewhere. Returns the nearest scenario found.
  AnyScenario climb(std::uint64_t seed, std::uint64_t tries_max, const std::vector<AnyScenario>& starts);

  std::uint64_t best_distance() const { return best_distance_; }
  std::uint64_t tries() const { return tries_; }

  /// The smallest scenario, by the shrinker, that still shows the value.
  AnyScenario shrunk(const AnyScenario& showing, ShrinkBudget budget);

 private:
  void consider(const AnyScenario& candidate, AnyScenario& best);
  AnyScenario first_of_a_climb(Random& random, const std::vector<AnyScenario>& starts, const AnyScenario& best);

  const Vocabulary& vocabulary_;
  Runner implementation_;
  std::size_t feature_;
  std::int64_t value_;
  std::uint64_t best_distance_ = UINT64_MAX;
  std::uint64_t tries_ = 0;
  AnyTrace trace_;
};

/// The budget of a search for a label.
struct LabelBudget {
  std::uint64_t seed = 1;
  std::uint64_t tries_max = 1'000'000;
  std::chrono::milliseconds shrink_time{10'000};
};
struct LabelFound {
  std::string text;            // the scenario
  std::uint64_t distance = 0;  // from the wanted value; 0: shown
  std::uint64_t tries = 0;
};

// The corpus is passed as texts; texts that cannot be parsed are ignored.

/// What each generator and the corpus show.
LabelTable labels_shown(const Vocabulary& system, std::uint64_t seed, std::uint64_t runs,
                        const std::vector<std::string>& corpus);
/// A small scenario in which the feature takes the value, or the nearest scenario found.
LabelFound find_label(const Vocabulary& system, std::size_t feature, std::int64_t value, const LabelBudget& budget,
                      const std::vector<std::string>& corpus);

}  // namespace lockstep
