// The labelling service (labels.hpp): counts a system's labels, and searches for one.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/labelling.hpp"
#include "lockstep/labels.hpp"
#include "lockstep/services/implementations.hpp"
#include "lockstep/text.hpp"

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
  virtual ~Labelling() = default;
  /// What each generator and the corpus show.
  virtual LabelTable labels(std::uint64_t seed, std::uint64_t runs, const std::vector<std::string>& corpus) const = 0;
  /// A small scenario in which the feature takes the value, or the nearest scenario found.
  virtual LabelFound find_label(std::size_t feature, std::int64_t value, const LabelBudget& budget,
                                const std::vector<std::string>& corpus) const = 0;
};

template <System S>
class LabellingOf final : public Labelling {
 public:
  LabelTable labels(std::uint64_t seed, std::uint64_t runs, const std::vector<std::string>& corpus) const override {
    return count_labels<S>(fastest_of<S>(), seed, runs, scenarios_of(corpus));
  }

  LabelFound find_label(std::size_t feature, std::int64_t value, const LabelBudget& budget,
                        const std::vector<std::string>& corpus) const override {
    LabelSearch<S> search{fastest_of<S>(), feature, value};
    Scenario<S> found = search.climb(budget.seed, budget.tries_max, scenarios_of(corpus));
    const std::uint64_t distance = search.best_distance();
    if (distance == 0) found = search.shrunk(found, {.time = budget.shrink_time});
    const std::string comment = "shows " + std::string{feature_list<S>[feature].name} + " = " + std::to_string(value);
    return {scenario_text<S>(found, comment), distance, search.tries()};
  }

 private:
  static std::vector<Scenario<S>> scenarios_of(const std::vector<std::string>& texts) {
    std::vector<Scenario<S>> out;
    for (const auto& text : texts) {
      if (auto scenario = parse_scenario<S>(text)) out.push_back(std::move(*scenario));
    }
    return out;
  }
};

}  // namespace lockstep
