#include "lockstep/labelling.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "lockstep/draw.hpp"
#include "lockstep/mutate.hpp"
#include "lockstep/portfolio.hpp"
#include "lockstep/services/implementations.hpp"
#include "lockstep/text.hpp"

namespace lockstep {

LabelTable empty_labels(const Vocabulary& vocabulary) {
  LabelTable table;
  table.system = vocabulary.name();
  const auto features = vocabulary.features();
  const auto limits = vocabulary.limits();
  table.features.assign(features.begin(), features.end());
  table.limits.assign(limits.begin(), limits.end());
  return table;
}

FeatureSet labels_of(const AnyScenario& scenario, const Runner& implementation, AnyTrace& trace) {
  FeatureSet shown;
  implementation.run(scenario, Cadence{}, trace);
  mark_features(scenario, trace, [&](std::size_t index) { shown.set(index); });
  return shown;
}

LabelTable count_labels(const Vocabulary& vocabulary, const Runner& implementation, std::uint64_t seed,
                        std::uint64_t runs, const std::vector<AnyScenario>& corpus) {
  LabelTable table = empty_labels(vocabulary);
  table.seed = seed;
  table.runs = runs;
  AnyScenario scenario = vocabulary.scenario();
  AnyTrace trace = vocabulary.trace();
  for (const Style style : styles) {
    LabelledGenerator& generator = table.generators.emplace_back(LabelledGenerator{std::string{to_string(style)}});
    for (std::uint64_t i = 0; i < runs; ++i) {
      Random random{seed_of(seed, i)};
      draw_scenario(random, style, scenario);
      generator.add(labels_of(scenario, implementation, trace));
    }
  }
  if (corpus.empty()) return table;
  LabelledGenerator mutated{"mutated"};
  for (std::uint64_t i = 0; i < runs; ++i) {
    Random random{seed_of(seed, i)};
    scenario = random.pick(corpus);
    mutate(random, scenario);
    mutated.add(labels_of(scenario, implementation, trace));
  }
  table.generators.push_back(std::move(mutated));
  LabelledGenerator kept{"corpus"};
  for (const auto& each : corpus) kept.add(labels_of(each, implementation, trace));
  table.generators.push_back(std::move(kept));
  return table;
}

LabelSearch::LabelSearch(const Vocabulary& vocabulary, Runner implementation, std::size_t feature, std::int64_t value)
    : vocabulary_{vocabulary},
      implementation_{std::move(implementation)},
      feature_{feature},
      value_{value},
      trace_{vocabulary.trace()} {}

std::uint64_t LabelSearch::distance(const AnyScenario& scenario) {
  std::uint64_t least = UINT64_MAX;
  implementation_.run(scenario, Cadence{}, trace_);
  vocabulary_.emit_features(scenario, trace_, [&](std::size_t feature, std::int64_t value) {
    if (feature != feature_) return;
    const std::uint64_t off = value < value_ ? static_cast<std::uint64_t>(value_) - static_cast<std::uint64_t>(value)
                                             : static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(value_);
    least = std::min(least, off);
  });
  return least;
}

AnyScenario LabelSearch::climb(std::uint64_t seed, std::uint64_t tries_max, const std::vector<AnyScenario>& starts) {
  constexpr std::uint64_t patience = 2'000;
  constexpr std::size_t actions_max = 1'000;
  Random random{seed};
  AnyScenario best = starts.empty() ? vocabulary_.scenario() : starts.front();
  best_distance_ = distance(best);
  tries_ = 1;
  for (const auto& start : starts) consider(start, best);
  while (best_distance_ > 0 && tries_ < tries_max) {
    AnyScenario here = first_of_a_climb(random, starts, best);
    here.truncate(actions_max);
    std::uint64_t here_distance = distance(here);
    for (std::uint64_t idle = 0; idle < patience && tries_ < tries_max; ++idle) {
      AnyScenario next = here;
      mutate(random, next);
      ++tries_;  // every mutant counts, so that a search that meets only overlong ones ends
      if (next.size() > actions_max) continue;
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

AnyScenario LabelSearch::shrunk(const AnyScenario& showing, ShrinkBudget budget) {
  const auto judge = [this](const AnyScenario& candidate) {
    if (distance(candidate) > 0) return Verdict{};
    Divergence shown;
    shown.step = candidate.size();  // all actions count: the shrinker must not truncate the scenario untested
    return Verdict{Verdict::State::diverged, std::move(shown), {}};
  };
  return Shrinker{judge, implementation_, std::move(budget)}.shrink(showing).scenario;
}

void LabelSearch::consider(const AnyScenario& candidate, AnyScenario& best) {
  ++tries_;
  const std::uint64_t off = distance(candidate);
  if (off >= best_distance_) return;
  best_distance_ = off;
  best = candidate;
}

AnyScenario LabelSearch::first_of_a_climb(Random& random, const std::vector<AnyScenario>& starts,
                                          const AnyScenario& best) {
  const std::uint64_t kind = random.below(3);
  if (kind == 0) return best;
  if (kind == 1 && !starts.empty()) return random.pick(starts);
  const Style style = random.pick(styles);
  AnyScenario drawn = vocabulary_.scenario();
  draw_scenario(random, style, drawn);
  return drawn;
}

namespace {

std::vector<AnyScenario> parsed(const Vocabulary& system, const std::vector<std::string>& texts) {
  std::vector<AnyScenario> out;
  for (const auto& text : texts) {
    if (auto scenario = parse_scenario(system, text)) out.push_back(std::move(*scenario));
  }
  return out;
}

}  // namespace

LabelTable labels_shown(const Vocabulary& system, std::uint64_t seed, std::uint64_t runs,
                        const std::vector<std::string>& corpus) {
  return count_labels(system, fastest_of(system), seed, runs, parsed(system, corpus));
}

LabelFound find_label(const Vocabulary& system, std::size_t feature, std::int64_t value, const LabelBudget& budget,
                      const std::vector<std::string>& corpus) {
  LabelSearch search{system, fastest_of(system), feature, value};
  AnyScenario found = search.climb(budget.seed, budget.tries_max, parsed(system, corpus));
  const std::uint64_t distance = search.best_distance();
  if (distance == 0) found = search.shrunk(found, {.time = budget.shrink_time});
  const std::string comment = "shows " + std::string{system.features()[feature].name} + " = " + std::to_string(value);
  return {scenario_text(found, comment), distance, search.tries()};
}

}  // namespace lockstep
