// All readers of user-written text of a system: fuzz_text passes its bytes to them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lockstep/system/any_system.hpp"

namespace lockstep {

/// Passes the text to every reader of the system. Returns the law that was broken, or "". The laws: an error names a
/// place in the text and is printable; a scenario that was read is lawful, and equals what its canonical text and its
/// bytes decode to.
std::string law_broken_by_reading(const AnySystem& system, std::string_view text);

/// Every word that the system's scenario text may contain: the system, its fields, names and actions.
std::vector<std::string> words_of(const AnySystem& system);

}  // namespace lockstep
