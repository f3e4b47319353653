// Structure-aware mutation and crossover: scenarios in, scenarios out, always lawful.
#pragma once

#include <algorithm>

#include "harness/draw.hpp"
#include "harness/reduce.hpp"

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

template <Game G>
void remove(Random& random, Scenario<G>& scenario) {
  const Range r = range_of(random, scenario.actions.size());
  scenario = without_actions<G>(scenario, r.first, r.count);
}

/// A few new actions, of the game's own suggestion or uniform, somewhere.
template <Game G>
void insert(Random& random, Scenario<G>& scenario) {
  std::vector<typename G::Action> fresh;
  const std::size_t count = 1 + random.below(std::uint64_t{1} << random.below(5));
  if constexpr (requires { typename G::Bias; }) {
    if (random.chance(1, 2)) {
      typename G::Bias bias{random};
      while (fresh.size() < count) fresh.push_back(bias.action(random, scenario.setup));
    }
  }
  while (fresh.size() < count) fresh.push_back(draw_action<G>(random, scenario.setup));
  const auto where = static_cast<std::ptrdiff_t>(random.below(scenario.actions.size() + 1));
  scenario.actions.insert(scenario.actions.begin() + where, fresh.begin(), fresh.end());
}

template <Game G>
void repeat(Random& random, Scenario<G>& scenario) {
  const Range r = range_of(random, scenario.actions.size());
  const auto first = scenario.actions.begin() + static_cast<std::ptrdiff_t>(r.first);
  const std::vector<typename G::Action> copy{first, first + static_cast<std::ptrdiff_t>(r.count)};
  const auto where = static_cast<std::ptrdiff_t>(random.below(scenario.actions.size() + 1));
  scenario.actions.insert(scenario.actions.begin() + where, copy.begin(), copy.end());
}

template <Game G>
void swap_two(Random& random, Scenario<G>& scenario) {
  if (scenario.actions.size() < 2) return;
  std::swap(random.pick(scenario.actions), random.pick(scenario.actions));
}

template <Game G>
void redraw_action(Random& random, Scenario<G>& scenario) {
  if (scenario.actions.empty()) return;
  random.pick(scenario.actions) = draw_action<G>(random, scenario.setup);
}

/// One number of one action, a little up or down.
template <Game G>
void nudge_action(Random& random, Scenario<G>& scenario) {
  if (scenario.actions.empty()) return;
  auto& action = random.pick(scenario.actions);
  const auto fields = action_numbers<G>(scenario.setup, action).fields;
  if (fields.empty()) return;
  const std::size_t i = random.below(fields.size());
  Fit fit{Edit{i, fields[i].value + random.between(-2, 2)}};
  visit_action<G>(fit, scenario.setup, action);
}

template <Game G>
void nudge_setup(Random& random, Scenario<G>& scenario) {
  const auto fields = setup_numbers<G>(scenario.setup).fields;
  if (fields.empty()) return;
  const std::size_t i = random.below(fields.size());
  refit<G>(scenario, Edit{i, fields[i].value + random.between(-3, 3)});
}

/// A few cells of the boards get other values.
template <Game G>
void repaint(Random& random, Scenario<G>& scenario) {
  Measure measure;
  read_setup<G>(measure, scenario.setup);
  if (measure.total.area == 0) return;
  const std::size_t target = random.below(measure.total.area);
  const std::size_t last = std::min(target + random.below(std::uint64_t{1} << random.below(4)), measure.total.area - 1);
  EditParts edit{[&](std::size_t i, std::uint8_t& cell) {
                   // Fit brings a value beyond the alphabet back to its last symbol.
                   if (i >= target && i <= last) cell = static_cast<std::uint8_t>(random.below(8));
                 },
                 [](std::size_t) { return false; }};
  visit_setup<G>(edit, scenario.setup);
  refit<G>(scenario);
}

template <Game G>
void redraw_setup(Random& random, Scenario<G>& scenario) {
  if constexpr (requires { typename G::Bias; }) {
    typename G::Bias bias{random};
    scenario.setup = bias.setup(random);
  } else {
    scenario.setup = draw_setup<G>(random);
  }
  refit<G>(scenario);
}

}  // namespace mutation

/// One to eight random changes.
template <Game G>
void mutate(Random& random, Scenario<G>& scenario) {
  using Step = void (*)(Random&, Scenario<G>&);
  static constexpr Step steps[] = {
      mutation::remove<G>,        mutation::insert<G>,       mutation::insert<G>,      mutation::repeat<G>,
      mutation::swap_two<G>,      mutation::redraw_action<G>, mutation::nudge_action<G>, mutation::nudge_action<G>,
      mutation::nudge_setup<G>,   mutation::repaint<G>,      mutation::repaint<G>,
  };
  const std::uint64_t count = std::uint64_t{1} << random.below(4);
  for (std::uint64_t i = 0; i < count; ++i) {
    if (random.chance(1, 64)) mutation::redraw_setup<G>(random, scenario);
    else random.pick(steps)(random, scenario);
  }
}

/// The setup and first actions of one scenario, the last actions of another.
template <Game G>
Scenario<G> crossover(Random& random, const Scenario<G>& one, const Scenario<G>& other) {
  Scenario<G> out{.setup = one.setup, .actions = {}};
  const auto head = static_cast<std::ptrdiff_t>(random.below(one.actions.size() + 1));
  const auto tail = static_cast<std::ptrdiff_t>(random.below(other.actions.size() + 1));
  out.actions.assign(one.actions.begin(), one.actions.begin() + head);
  out.actions.insert(out.actions.end(), other.actions.begin() + tail, other.actions.end());
  refit<G>(out);
  return out;
}

}  // namespace lockstep
