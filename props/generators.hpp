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
#include <functional>
#include <limits>
#include <numeric>
#include <ostream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/draw/draw.hpp"
#include "lockstep/judge/judge.hpp"
#include "lockstep/system/scenario_of.hpp"

namespace lockstep {

/// RapidCheck calls this when it shows a counterexample.
void showValue(const AnyScenario& scenario, std::ostream& out);

}  // namespace lockstep

namespace lockstep::laws {

inline constexpr std::size_t any_length = std::numeric_limits<std::size_t>::max();

/// Smaller scenarios: some actions removed, one number of the setup lowered, and every one-step reduction. All are
/// lawful; the result of RapidCheck's shrinking is 1-minimal.
rc::Seq<AnyScenario> shrunk(const AnyScenario& scenario);

/// Scenarios of one of these styles, with at most this many actions.
rc::Gen<AnyScenario> scenarios(const Vocabulary& system, std::span<const Style> some = styles,
                               std::size_t actions_max = any_length);

AnyScenario any_scenario(const Vocabulary& system, std::size_t actions_max = any_length);

/// Suggested by the system: from a deep position, towards other deep positions.
AnyScenario any_suggested(const Vocabulary& system, std::size_t actions_max = any_length);

// Draws scenarios with a system's types.
template <System G>
Scenario<G> any_scenario(std::size_t actions_max = any_length) {
  return typed<G>(any_scenario(vocabulary<G>(), actions_max));
}
template <System G>
Scenario<G> any_suggested(std::size_t actions_max = any_length) {
  return typed<G>(any_suggested(vocabulary<G>(), actions_max));
}
template <System G>
typename G::Setup any_setup() {
  return any_scenario<G>(0).setup;
}

/// For choices that need no shrinking.
std::uint64_t any_seed();

/// Fails the property with this complaint; passes if it is empty.
void require(const std::string& complaint);

/// Requires a law of execution of each correct simulator alone. The library shrinks a scenario that breaks it.
void require_of_each(const std::function<Verdict(const Runner& simulator, const AnyScenario& scenario)>& law);

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
