// Checks the graph against the compiled functions, on random inputs.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "proof/claim.hpp"
#include "proof/translation.hpp"

namespace lockstep::proof {

/// Evaluates a claim's functions on `count` inputs, by graph and by code. Half of the inputs are the claim's own draws,
/// the others are these with a few bits changed. Where the graph says that a function is undefined, the function is not
/// called. Returns the first difference in words; nothing if there is none. It is an error, too, if a function was never
/// defined on these inputs, or the invariant never held: then nothing was compared.
std::optional<std::string> evaluated_differently(const Claim& claim, const Translation& translation, std::size_t count,
                                                 std::uint64_t seed = 0);

}  // namespace lockstep::proof
