// Finds mistakes in a system's description before anything is judged: empty bounds in the setup, a field described twice,
// names that cannot be written in a text, bounds in an observation.
//
// It visits the default setup and a few drawn ones, one action of each kind, and the default observation. Lists are
// visited with an item, optionals with their value and variants with each of their types, so that fields inside them are
// checked, too. Fields that a description leaves out for these values are not checked.
#pragma once

#include <string>
#include <vector>

#include "lockstep/describe/scenario.hpp"

namespace lockstep {

/// The names by which bounds.hpp knows the fields of an action, which is changed.
std::vector<std::string> field_names(AnyScenario& scenario, std::size_t action);

/// The first field of an observation that is described with bounds, which nothing would use; "": none.
std::string answer_flaw(FunctionRef<void(Fields&)> describe);

/// The first mistake in the names and the description of a system; "": none.
std::string description_flaw(const Vocabulary& system);

}  // namespace lockstep
