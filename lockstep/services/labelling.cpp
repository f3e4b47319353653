#include "lockstep/services/labelling.hpp"

#include <algorithm>
#include <utility>

#include "lockstep/draw/draw.hpp"
#include "lockstep/draw/mutate.hpp"
#include "lockstep/draw/portfolio.hpp"
#include "lockstep/shrink/shrink.hpp"
#include "lockstep/text/text.hpp"

namespace lockstep {
namespace {

std::vector<AnyScenario> parsed(const Vocabulary& system, const std::vector<std::string>& texts) {
  std::vector<AnyScenario> out;
  for (const auto& text : texts) {
    if (auto scenario = parse_scenario(system, text)) out.push_back(std::move(*scenario));
  }
  return out;
}

/// How far a scenario is from what is searched for.
using Distance = FunctionRef<std::uint64_t(const AnyScenario&)>;

struct Nearest {
  AnyScenario scenario;
  std::uint64_t distance = 0;
  std::uint64_t tries = 0;
};

AnyScenario first_of_a_climb(Random& random, const std::vector<AnyScenario>& starts, const AnyScenario& best) {
  const std::uint64_t kind = random.below(3);
  if (kind == 0) return best;
  if (kind == 1 && !starts.empty()) return random.pick(starts);
  return drawn_scenario(best.vocabulary(), random, random.pick(styles));
}

/// Hill-climbing from `starts` and from drawn scenarios. A mutant that is no farther away replaces its parent; a climb
/// without progress restarts elsewhere. Returns the nearest scenario found.
Nearest climb(const Vocabulary& system, Distance distance, std::uint64_t seed, std::uint64_t tries_max,
              const std::vector<AnyScenario>& starts) {
  constexpr std::uint64_t patience = 2'000;
  constexpr std::size_t actions_max = 1'000;
  Random random{seed};
  Nearest best{starts.empty() ? system.scenario() : starts.front()};
  best.distance = distance(best.scenario);
  best.tries = 1;
  const auto consider = [&](const AnyScenario& candidate) {
    ++best.tries;
    const std::uint64_t off = distance(candidate);
    if (off >= best.distance) return;
    best.distance = off;
    best.scenario = candidate;
  };
  for (const auto& start : starts) consider(start);
  while (best.distance > 0 && best.tries < tries_max) {
    AnyScenario here = first_of_a_climb(random, starts, best.scenario);
    here.truncate(actions_max);
    std::uint64_t here_distance = distance(here);
    for (std::uint64_t idle = 0; idle < patience && best.tries < tries_max; ++idle) {
      AnyScenario next = here;
      mutate(random, next);
      ++best.tries;  // every mutant counts, so that a search that meets only overlong ones ends
      if (next.size() > actions_max) continue;
      const std::uint64_t next_distance = distance(next);
      if (next_distance > here_distance) continue;
      if (next_distance < here_distance) idle = 0;
      here = std::move(next);
      here_distance = next_distance;
      if (here_distance == 0) break;
    }
    consider(here);
  }
  return best;
}

/// The smallest scenario, by the shrinker, at the distance 0 as well.
AnyScenario shrunk(Distance distance, const Runner& implementation, const AnyScenario& showing) {
  const auto judge = [&](const AnyScenario& candidate) {
    if (distance(candidate) > 0) return Verdict{};
    Divergence shown;
    shown.step = candidate.size();  // all actions count: the shrinker must not truncate the scenario untested
    return Verdict{Verdict::State::diverged, std::move(shown), {}};
  };
  return Shrinker{judge, implementation}.shrink(showing).scenario;
}

}  // namespace

LabelTable count_labels(const Vocabulary& system, const Runner& implementation, std::uint64_t seed, std::uint64_t runs,
                        const std::vector<std::string>& corpus) {
  const auto features = system.features();
  const auto limits = system.limits();
  LabelTable table{.system = std::string{system.name()},
                   .seed = seed,
                   .runs = runs,
                   .features = {features.begin(), features.end()},
                   .limits = {limits.begin(), limits.end()},
                   .generators = {}};
  AnyScenario scenario = system.scenario();
  AnyTrace trace = system.trace();
  const auto add = [&](LabelledGenerator& generator, const AnyScenario& shown) {
    FeatureSet reached;
    implementation.run(shown, Cadence{}, trace);
    mark_features(shown, trace, [&](std::size_t index) { reached.set(index); });
    generator.add(reached);
  };
  for (const Style style : styles) {
    LabelledGenerator& generator = table.generators.emplace_back(LabelledGenerator{std::string{to_string(style)}});
    for (std::uint64_t i = 0; i < runs; ++i) {
      Random random{seed_of(seed, i)};
      draw_scenario(random, style, scenario);
      add(generator, scenario);
    }
  }
  const std::vector<AnyScenario> kept = parsed(system, corpus);
  if (kept.empty()) return table;
  LabelledGenerator& mutated = table.generators.emplace_back(LabelledGenerator{"mutated"});
  for (std::uint64_t i = 0; i < runs; ++i) {
    Random random{seed_of(seed, i)};
    scenario = random.pick(kept);
    mutate(random, scenario);
    add(mutated, scenario);
  }
  LabelledGenerator& of_corpus = table.generators.emplace_back(LabelledGenerator{"corpus"});
  for (const auto& each : kept) add(of_corpus, each);
  return table;
}

LabelFound find_label(const Vocabulary& system, const Runner& implementation, std::size_t feature, std::int64_t value,
                      std::uint64_t seed, std::uint64_t tries_max, const std::vector<std::string>& corpus) {
  AnyTrace trace = system.trace();
  const auto distance = [&](const AnyScenario& scenario) {
    std::uint64_t least = UINT64_MAX;
    implementation.run(scenario, Cadence{}, trace);
    system.emit_features(scenario, trace, [&](std::size_t emitted, std::int64_t shown) {
      if (emitted != feature) return;
      const auto [low, high] = std::minmax({shown, value});
      least = std::min(least, static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low));
    });
    return least;
  };
  Nearest found = climb(system, distance, seed, tries_max, parsed(system, corpus));
  if (found.distance == 0) found.scenario = shrunk(distance, implementation, found.scenario);
  const std::string comment = "shows " + std::string{system.features()[feature].name} + " = " + std::to_string(value);
  return {scenario_text(found.scenario, comment), found.distance, found.tries};
}

}  // namespace lockstep
