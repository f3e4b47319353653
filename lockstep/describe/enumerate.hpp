// Enumerates every action that a setup allows, from the described bounds and those that an exploration adds (bounds.hpp).
//
// Fields come in the described order; the last one changes fastest.
#pragma once

#include <span>

#include "lockstep/base/bounds.hpp"
#include "lockstep/describe/scenario.hpp"

namespace lockstep {

/// Exploration refuses a position with more actions than this.
inline constexpr std::size_t enumerated_actions_max = 1'000'000;

/// Appends all actions of one kind (its number in the vocabulary) that are possible after the setup and inside the bounds.
/// Throws BadInput if there are too many.
void enumerate_kind(std::size_t kind, AnyScenario& out, std::span<const Bound> bounds = {});

}  // namespace lockstep
