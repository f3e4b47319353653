// Finds the libFuzzer targets beside the program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "campaign/options.hpp"

namespace lockstep {

/// The targets of a system that are built. The program `lockstep`, in BUILDS/PRESET/bin, looks for
/// BUILDS/fuzz-fast/bin/fuzz_SYSTEM and BUILDS/fuzz/bin/fuzz_SYSTEM. Any other program looks for fuzz_SYSTEM in its own
/// folder.
std::vector<FuzzTarget> fuzz_targets(std::string_view system);

/// What a program that is not `lockstep` says if no target of the system is beside it, with how to build one; "" if
/// there is one, and for `lockstep`.
std::string missing_target_hint(std::string_view system);

/// BadInput, with the command that builds the target, if one of the engines has no target here.
void check_built(std::string_view system, const std::vector<std::string>& engines,
                 const std::vector<FuzzTarget>& targets);

}  // namespace lockstep
