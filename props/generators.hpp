// Generators for properties.
//
// The library draws the scenarios, not RapidCheck: a system's suggestions reach deep positions, and fields drawn one by
// one through `describe` do not. RapidCheck shrinks them: it searches the scenarios listed by shrunk(), which are the
// library's reductions (reduce.hpp), reached through `describe`. Laws that return a verdict draw without shrinking: the
// library's own shrinker has a budget, and its finding can be replayed.
#pragma once

#include <rapidcheck.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <ostream>
#include <span>
#include <utility>
#include <vector>

#include "lockstep/describe/reduce.hpp"
#include "lockstep/draw/draw.hpp"
#include "lockstep/text/text.hpp"
#include "props/typed.hpp"

namespace lockstep {

/// RapidCheck calls this when it shows a counterexample.
template <System S>
void showValue(const Scenario<S>& scenario, std::ostream& out) {
  out << "\n" << scenario_text<S>(scenario);
}

}  // namespace lockstep

namespace lockstep::laws {

inline constexpr std::size_t any_length = std::numeric_limits<std::size_t>::max();

/// All one-step reductions of a scenario, built one at a time.
template <System G>
class Reductions {
 public:
  explicit Reductions(Scenario<G> scenario) : scenario_{std::move(scenario)} {}

  rc::Maybe<Scenario<G>> operator()() {
    Scenario<G> out;
    const auto number = reduction_from<G>(scenario_, next_, [&](const Scenario<G>& smaller) {
      out = smaller;
      return true;
    });
    if (!number) return rc::Nothing;
    next_ = *number + 1;
    return out;
  }

 private:
  Scenario<G> scenario_;
  std::size_t next_ = 0;
};

/// Smaller scenarios: some actions removed, one number of the setup lowered, and every one-step reduction. All are
/// lawful; the result of RapidCheck's shrinking is 1-minimal.
template <System G>
rc::Seq<Scenario<G>> shrunk(const Scenario<G>& scenario) {
  using Actions = std::vector<typename G::Action>;
  auto fewer_actions = rc::seq::map(rc::shrink::removeChunks(scenario.actions), [setup = scenario.setup](Actions left) {
    return Scenario<G>{.setup = setup, .actions = std::move(left)};
  });
  const auto numbers = numbers_at(untyped<G>(scenario), {}).fields;
  auto lower_numbers = rc::seq::mapcat(rc::seq::range<std::size_t>(0, numbers.size()), [=](std::size_t field) {
    const NumberField& number = numbers[field];
    const auto distance = static_cast<std::uint64_t>(number.distance());
    return rc::seq::map(rc::shrink::towards(distance, std::uint64_t{0}), [=](std::uint64_t left) {
      Scenario<G> lower = scenario;
      refit<G>(lower, Edit{field, number.nearer(distance - left)});
      return lower;
    });
  });
  // Repairing a setup may enlarge it.
  lower_numbers = rc::seq::filter(std::move(lower_numbers), [size = size_of<G>(scenario)](const Scenario<G>& lower) {
    return size_of<G>(lower) < size;
  });
  return rc::seq::concat(std::move(fewer_actions), std::move(lower_numbers), rc::makeSeq<Reductions<G>>(scenario));
}

/// Scenarios of one of these styles, with at most this many actions.
template <System G>
rc::Gen<Scenario<G>> scenarios(std::span<const Style> some = styles, std::size_t actions_max = any_length) {
  return [=](rc::Random chosen, int) {
    Random random{chosen.next()};
    Scenario<G> scenario = draw_scenario<G>(random, some[random.below(some.size())]);
    if (scenario.actions.size() > actions_max) scenario.actions.resize(actions_max);
    return rc::shrinkable::shrinkRecur(std::move(scenario), &shrunk<G>);
  };
}

template <System G>
Scenario<G> any_scenario(std::size_t actions_max = any_length) {
  return *scenarios<G>(styles, actions_max);
}

/// Suggested by the system: from a deep position, towards other deep positions.
template <System G>
Scenario<G> any_suggested(std::size_t actions_max = any_length) {
  static constexpr Style suggested[] = {Style::suggested};
  return *scenarios<G>(suggested, actions_max);
}

template <System G>
typename G::Setup any_setup() {
  return any_scenario<G>(0).setup;
}

/// For choices that need no shrinking.
inline std::uint64_t any_seed() {
  constexpr int full_range = 100;
  return *rc::gen::noShrink(rc::gen::resize(full_range, rc::gen::arbitrary<std::uint64_t>())).as("seed");
}

template <class T>
void shuffle(std::vector<T>& items) {
  Random random{any_seed()};
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random.below(i)]);
}

/// `count` consecutive numbers from `first` on, in any order.
template <class T>
std::vector<T> any_order(std::size_t count, T first) {
  std::vector<T> order(count);
  std::iota(order.begin(), order.end(), first);
  shuffle(order);
  return order;
}

}  // namespace lockstep::laws
