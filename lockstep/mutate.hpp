// Structure-aware mutation and crossover. Every result is lawful.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>

#include "lockstep/draw.hpp"
#include "lockstep/reduce.hpp"

namespace lockstep {

namespace mutation {

/// A run of actions: [first, first + count).
struct Range {
  std::size_t first;
  std::size_t count;
};

inline Range range_of(Random& random, std::size_t size) {
  if (size == 0) return {0, 0};
  const std::size_t count = 1 + random.below(std::min<std::size_t>(size, std::uint64_t{1} << random.below(6)));
  return {random.below(size - count + 1), count};
}

template <System S>
void remove(Random& random, Scenario<S>& scenario) {
  const Range r = range_of(random, scenario.actions.size());
  scenario = without_actions<S>(scenario, r.first, r.count);
}

/// Inserts a few new actions at a random place: drawn by the system's suggestions, or uniform.
template <System S>
void insert(Random& random, Scenario<S>& scenario) {
  std::vector<typename S::Action> fresh;
  const std::size_t count = 1 + random.below(std::uint64_t{1} << random.below(5));
  const auto place = [&] { return random.below(scenario.actions.size() + 1); };
  // Only a system whose actions depend on earlier ones must know the place first.
  std::optional<std::size_t> where;
  if constexpr (depends_on_past<S>) where = place();
  if constexpr (Given<SuggestionsOf<S>>) {
    if (random.chance(1, 2)) {
      SuggestionsOf<S> bias{random};
      while (fresh.size() < count) fresh.push_back(bias.action(random, scenario.setup));
    }
  }
  Past<S> past = past_of<S>(scenario, where.value_or(0));
  while (fresh.size() < count) {
    auto action = draw_action<S>(random, past);
    if (!action) break;
    past.add(*action);
    fresh.push_back(std::move(*action));
  }
  if (!where) where = place();
  scenario.actions.insert(scenario.actions.begin() + static_cast<std::ptrdiff_t>(*where), fresh.begin(), fresh.end());
}

template <System S>
void repeat(Random& random, Scenario<S>& scenario) {
  const Range r = range_of(random, scenario.actions.size());
  const auto first = scenario.actions.begin() + static_cast<std::ptrdiff_t>(r.first);
  const std::vector<typename S::Action> copy{first, first + static_cast<std::ptrdiff_t>(r.count)};
  const auto where = static_cast<std::ptrdiff_t>(random.below(scenario.actions.size() + 1));
  scenario.actions.insert(scenario.actions.begin() + where, copy.begin(), copy.end());
}

template <System S>
void swap_two(Random& random, Scenario<S>& scenario) {
  if (scenario.actions.size() < 2) return;
  auto& first = random.pick(scenario.actions);
  auto& second = random.pick(scenario.actions);
  swap_actions(first, second);
}

template <System S>
void redraw_action(Random& random, Scenario<S>& scenario) {
  if (scenario.actions.empty()) return;
  if constexpr (depends_on_past<S>) {
    const std::size_t i = random.below(scenario.actions.size());
    if (auto action = draw_action<S>(random, past_of<S>(scenario, i))) scenario.actions[i] = std::move(*action);
  } else if (auto action = draw_action<S>(random, Past<S>{scenario.setup})) {
    random.pick(scenario.actions) = std::move(*action);
  }
}

/// Changes one number of one action by at most 2.
template <System S>
void nudge_action(Random& random, Scenario<S>& scenario) {
  if (scenario.actions.empty()) return;
  const std::size_t i = random.below(scenario.actions.size());
  const auto fields = action_numbers<S>(scenario, i).fields;
  if (fields.empty()) return;
  const std::size_t field = random.below(fields.size());
  Fit fit{Edit{field, fields[field].value + random.between(-2, 2)}};
  visit_action<S>(fit, past_of<S>(scenario, i), scenario.actions[i]);
}

template <System S>
void nudge_setup(Random& random, Scenario<S>& scenario) {
  const auto fields = setup_numbers<S>(scenario.setup).fields;
  if (fields.empty()) return;
  const std::size_t i = random.below(fields.size());
  refit<S>(scenario, Edit{i, fields[i].value + random.between(-3, 3)});
}

/// Changes a few cells of the boards.
template <System S>
void repaint(Random& random, Scenario<S>& scenario) {
  Measure measure;
  read_setup<S>(measure, scenario.setup);
  if (measure.total.area == 0) return;
  const std::size_t target = random.below(measure.total.area);
  const std::size_t last = std::min(target + random.below(std::uint64_t{1} << random.below(4)), measure.total.area - 1);
  EditParts edit{[&](std::size_t i, std::uint8_t& cell) {
                   // Fit clamps a value beyond the alphabet to its last symbol.
                   if (i >= target && i <= last) cell = static_cast<std::uint8_t>(random.below(8));
                 },
                 [](std::size_t) { return false; }};
  visit_setup<S>(edit, scenario.setup);
  refit<S>(scenario);
}

template <System S>
void redraw_setup(Random& random, Scenario<S>& scenario) {
  if constexpr (Given<SuggestionsOf<S>>) {
    SuggestionsOf<S> bias{random};
    scenario.setup = bias.setup(random);
  } else {
    scenario.setup = draw_setup<S>(random);
  }
  refit<S>(scenario);
}

}  // namespace mutation

/// Applies one to eight random mutation operators.
template <System S>
void mutate(Random& random, Scenario<S>& scenario) {
  using Step = void (*)(Random&, Scenario<S>&);
  static constexpr Step steps[] = {
      mutation::remove<S>,      mutation::insert<S>,        mutation::insert<S>,       mutation::repeat<S>,
      mutation::swap_two<S>,    mutation::redraw_action<S>, mutation::nudge_action<S>, mutation::nudge_action<S>,
      mutation::nudge_setup<S>, mutation::repaint<S>,       mutation::repaint<S>,
  };
  const std::uint64_t count = std::uint64_t{1} << random.below(4);
  for (std::uint64_t i = 0; i < count; ++i) {
    if (random.chance(1, 64)) mutation::redraw_setup<S>(random, scenario);
    else random.pick(steps)(random, scenario);
    if constexpr (depends_on_past<S>) refit<S>(scenario);
  }
}

/// The setup and first actions of one scenario, the last actions of another.
template <System S>
Scenario<S> crossover(Random& random, const Scenario<S>& one, const Scenario<S>& other) {
  Scenario<S> out{.setup = one.setup, .actions = {}};
  const auto head = static_cast<std::ptrdiff_t>(random.below(one.actions.size() + 1));
  const auto tail = static_cast<std::ptrdiff_t>(random.below(other.actions.size() + 1));
  out.actions.assign(one.actions.begin(), one.actions.begin() + head);
  out.actions.insert(out.actions.end(), other.actions.begin() + tail, other.actions.end());
  refit<S>(out);
  return out;
}

}  // namespace lockstep
