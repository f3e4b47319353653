// Finds the fuzz targets beside the program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "campaign/options.hpp"

namespace lockstep {

/// The targets of a system that are built. The program `lockstep`, in BUILDS/PRESET/bin, looks for
/// fuzz_SYSTEM in BUILDS/fuzz/bin and BUILDS/fuzz-fast/bin. Any other program looks for fuzz_SYSTEM in its own folder.
std::vector<FuzzTarget> fuzz_targets(std::string_view system);

/// What a program that is not `lockstep` says if targets of the systems are missing beside it, with how to build them; ""
/// if there are all, and for `lockstep`.
std::string missing_targets_hint(std::vector<std::string> systems);

/// BadInput, with the command that builds the target, if one of the engines has no target here.
void check_built(std::string_view system, const std::vector<std::string>& engines,
                 const std::vector<FuzzTarget>& targets);

}  // namespace lockstep
