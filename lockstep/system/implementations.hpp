// Looks up a system's implementations by name and by kind.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lockstep/describe/scenario.hpp"

namespace lockstep {

/// Requires a registered name, as resolve_implementations returns it.
Runner implementation_named(const Vocabulary& system, std::string_view name);
std::vector<Runner> implementations_named(const Vocabulary& system, const std::vector<std::string>& names);
Runner reference_of(const Vocabulary& system);
/// The optimized implementation that was registered last; the reference if there is none.
Runner fastest_of(const Vocabulary& system);
/// Those that answer many positions at once (bulk.hpp).
std::vector<Runner> answering_many(const std::vector<Runner>& implementations);

}  // namespace lockstep
