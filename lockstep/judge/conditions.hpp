// What tells two mistakes apart that look alike: the choices that the action at fault makes.
//
//   fix fast observation call returned if type=g|h text=some
//
// A condition is an enumerator, a flag, the type of a variant, whether an optional value is there ("none" or "some"), or
// whether a text or list is empty ("empty" or "some"); not those inside the items of a list. The shrinker works without
// conditions, so that it can change an enumerator to a simpler one. What it ends with is judged once with each other
// value of each condition: a condition is needed if one of them does not fail. The needed ones belong to the signature.
// A condition's name has those of the values around it in front: "limit.unit"; "limit.value" if it has no name.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/describe/scenario.hpp"
#include "lockstep/judge/judge.hpp"

namespace lockstep {

struct Condition {
  std::string name;
  std::vector<std::string> values;  // that it may have
  std::string value;                // that it has
};

/// The first eight of an action, without those of more than 32 values or of a value that is no name (words.hpp).
std::vector<Condition> conditions_of(const AnyScenario& scenario, std::size_t action);

/// The scenario with a condition of the action changed; made lawful. nullopt if the action cannot have that value there.
std::optional<AnyScenario> with_condition(const AnyScenario& scenario, std::size_t action, std::string_view name,
                                          std::string_view value);

/// The scenario with another value of a condition of the signature, or without the action if none is possible.
AnyScenario without_known(const AnyScenario& scenario, std::size_t action, std::string_view signature);

/// " if type=g|h text=some": the conditions that the failure needs, each with the values that fail or are not possible;
/// empty: none, or a hang, or a failure that no action is to blame for. Conditions that are not decided within a second are
/// left out.
std::string needed_conditions(const JudgeFunction& judge, const AnyScenario& scenario, const Divergence& divergence);

}  // namespace lockstep
