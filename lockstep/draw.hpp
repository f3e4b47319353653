// Draws random scenarios.
//
// There are three styles, because none is best for every bug (docs/finding-power.md has the measurements):
//   uniform    every field uniform within its bounds, boards of a random density;
//   swarm      per scenario, each action kind has a random weight and each field a narrow part of its range,
//              so that some scenarios repeat one unusual thing often
//              (Groce et al.: "Swarm testing", ISSTA 2012);
//   suggested  the system's own Suggestions draws the setup and the actions; uniform if the system has none.
//
// A system's Suggestions, if it has one:
//   struct Suggestions {
//     explicit Suggestions(Random&);          // weights, drawn anew for each scenario
//     Setup setup(Random&);                   // must be lawful
//     Action action(Random&, const Setup&);   // within bounds; may model the state inside the Suggestions
//   };
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "lockstep/describe.hpp"
#include "lockstep/hash.hpp"
#include "lockstep/random.hpp"

namespace lockstep {

enum class Style { uniform, swarm, suggested };
inline constexpr std::array styles = {Style::uniform, Style::swarm, Style::suggested};

constexpr std::string_view to_string(Style style) {
  switch (style) {
    case Style::uniform: return "uniform";
    case Style::swarm: return "swarm";
    case Style::suggested: return "suggested";
  }
  return "?";
}

/// Draws the fields that it visits. With a nonzero swarm seed, each number stays in a part of its range that depends
/// only on that seed and the field's name.
class DrawFields : public Visitor<DrawFields> {
 public:
  DrawFields(Random& random, bool large, std::uint64_t swarm_seed = 0)
      : random_{random}, large_{large}, swarm_seed_{swarm_seed} {}

  /// Most boards are small: the bugs of large boards show on small ones too, a hundred times as fast.
  template <class T>
  void size(std::string_view, T& value, std::int64_t lo, std::int64_t hi) {
    const std::int64_t usual = std::min<std::int64_t>(hi, std::max<std::int64_t>(lo, 20));
    value = static_cast<T>(random_.between(lo, large_ ? hi : usual));
  }

  template <class T>
  void number(std::string_view name, T& value, std::int64_t lo, std::int64_t hi) {
    if (swarm_seed_ != 0) {
      Random narrowing{swarm_seed_ ^ fnv1a(name)};
      const std::int64_t a = narrowing.between(lo, hi);
      const std::int64_t b = narrowing.between(lo, hi);
      std::tie(lo, hi) = std::minmax(a, b);
    }
    // The high part of a wide range is rarely interesting: half of the time only the low end is drawn.
    constexpr std::int64_t wide = 4096;
    if (hi - lo > wide && random_.chance(1, 2)) hi = lo + (std::int64_t{1} << random_.below(12));
    value = static_cast<T>(random_.between(lo, hi));
  }

  void board(std::string_view, Grid& grid, int rows, int columns, const Alphabet& alphabet) {
    grid = Grid{rows, columns};
    const unsigned density = static_cast<unsigned>(random_.below(9));  // eighths of the cells
    const int last = random_.integer(1, alphabet.size - 1);            // cells take values 1 … last
    if (density == 0) return;
    for (auto& cell : grid.cells) {
      if (random_.chance(density, 8)) cell = static_cast<std::uint8_t>(random_.integer(1, last));
    }
  }

  template <class T, class Item>
  void list(std::string_view, std::vector<T>& items, int lo, int hi, Item&& describe_item) {
    items.assign(static_cast<std::size_t>(random_.between(lo, hi)), T{});
    for (auto& item : items) describe_item(*this, item);
  }

 private:
  Random& random_;
  bool large_;
  std::uint64_t swarm_seed_;
};

template <System S>
typename S::Setup draw_setup(Random& random) {
  typename S::Setup setup{};
  DrawFields fields{random, random.chance(1, 64)};
  visit_setup<S>(fields, setup);
  normalise<S>(setup);
  return setup;
}

template <System S>
typename S::Action draw_action(Random& random, const typename S::Setup& setup) {
  auto action = alternative<typename S::Action>(random.below(action_kinds<typename S::Action>));
  DrawFields fields{random, false};
  visit_action<S>(fields, setup, action);
  return action;
}

/// The number of actions of a scenario. Short scenarios are fast, long ones reach deep states.
inline std::size_t draw_length(Random& random) {
  if (random.chance(1, 256)) return random.below(2'000);
  return random.below(std::uint64_t{2} << random.below(8));
}

template <System S>
Scenario<S> draw_uniform(Random& random) {
  Scenario<S> scenario{.setup = draw_setup<S>(random), .actions = {}};
  const std::size_t length = draw_length(random);
  scenario.actions.reserve(length);
  while (scenario.actions.size() < length) {
    scenario.actions.push_back(draw_action<S>(random, scenario.setup));
  }
  return scenario;
}

template <System S>
Scenario<S> draw_swarm(Random& random) {
  using Action = typename S::Action;
  Scenario<S> scenario{.setup = draw_setup<S>(random), .actions = {}};
  std::array<std::uint64_t, action_kinds<Action>> weights{};
  for (auto& weight : weights) weight = random.below(5);
  weights[random.below(weights.size())] += 1;  // at least one kind has a weight
  std::uint64_t total = 0;
  for (const auto weight : weights) total += weight;
  const std::uint64_t swarm_seed = random.next() | 1;
  const std::size_t length = draw_length(random);
  scenario.actions.reserve(length);
  while (scenario.actions.size() < length) {
    std::uint64_t ticket = random.below(total);
    std::size_t kind = 0;
    while (ticket >= weights[kind]) ticket -= weights[kind++];
    auto action = alternative<Action>(kind);
    DrawFields fields{random, false, random.chance(7, 8) ? swarm_seed + kind : 0};
    visit_action<S>(fields, scenario.setup, action);
    scenario.actions.push_back(action);
  }
  return scenario;
}

template <System S>
Scenario<S> draw_suggested(Random& random) {
  if constexpr (Given<SuggestionsOf<S>>) {
    SuggestionsOf<S> bias{random};
    Scenario<S> scenario{.setup = bias.setup(random), .actions = {}};
    const std::size_t length = draw_length(random);
    scenario.actions.reserve(length);
    while (scenario.actions.size() < length) {
      scenario.actions.push_back(bias.action(random, scenario.setup));
    }
    return scenario;
  } else {
    return draw_uniform<S>(random);
  }
}

template <System S>
Scenario<S> draw_scenario(Random& random, Style style) {
  switch (style) {
    case Style::uniform: return draw_uniform<S>(random);
    case Style::swarm: return draw_swarm<S>(random);
    case Style::suggested: return draw_suggested<S>(random);
  }
  return {};
}

}  // namespace lockstep
