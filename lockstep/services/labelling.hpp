// The labelling service (labels.hpp): counts a system's labels, and searches for one.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/labels.hpp"
#include "lockstep/scenario.hpp"

namespace lockstep {

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

/// The corpus is passed as texts; texts that cannot be parsed are ignored.
class Labelling {
 public:
  explicit Labelling(const Vocabulary& system) : system_{system} {}

  /// What each generator and the corpus show.
  LabelTable labels(std::uint64_t seed, std::uint64_t runs, const std::vector<std::string>& corpus) const;
  /// A small scenario in which the feature takes the value, or the nearest scenario found.
  LabelFound find_label(std::size_t feature, std::int64_t value, const LabelBudget& budget,
                        const std::vector<std::string>& corpus) const;

 private:
  std::vector<AnyScenario> scenarios_of(const std::vector<std::string>& texts) const;

  const Vocabulary& system_;
};

}  // namespace lockstep
