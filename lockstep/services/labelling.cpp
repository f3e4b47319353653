#include "lockstep/services/labelling.hpp"

#include <utility>

#include "lockstep/labelling.hpp"
#include "lockstep/services/implementations.hpp"
#include "lockstep/text.hpp"

namespace lockstep {

LabelTable Labelling::labels(std::uint64_t seed, std::uint64_t runs, const std::vector<std::string>& corpus) const {
  return count_labels(system_, fastest_of(system_), seed, runs, scenarios_of(corpus));
}

LabelFound Labelling::find_label(std::size_t feature, std::int64_t value, const LabelBudget& budget,
                                 const std::vector<std::string>& corpus) const {
  LabelSearch search{system_, fastest_of(system_), feature, value};
  AnyScenario found = search.climb(budget.seed, budget.tries_max, scenarios_of(corpus));
  const std::uint64_t distance = search.best_distance();
  if (distance == 0) found = search.shrunk(found, {.time = budget.shrink_time});
  const std::string comment = "shows " + std::string{system_.features()[feature].name} + " = " + std::to_string(value);
  return {scenario_text(found, comment), distance, search.tries()};
}

std::vector<AnyScenario> Labelling::scenarios_of(const std::vector<std::string>& texts) const {
  std::vector<AnyScenario> out;
  for (const auto& text : texts) {
    if (auto scenario = parse_scenario(system_, text)) out.push_back(std::move(*scenario));
  }
  return out;
}

}  // namespace lockstep
