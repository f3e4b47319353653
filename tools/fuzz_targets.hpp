// Where the program finds libFuzzer targets.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "campaign/options.hpp"

namespace lockstep {

/// The targets of a system that are built. Those of `lockstep` lie where this tree's presets build them:
/// build/fuzz-fast/bin/fuzz_NAME and build/fuzz/bin/fuzz_NAME for build/PRESET/bin/lockstep. That of any other program
/// is fuzz_NAME in the program's own folder.
std::vector<FuzzTarget> fuzz_targets(std::string_view system);

/// BadInput, with the command that builds it, when an engine is named whose target is not among these.
void check_built(const std::vector<std::string>& engines, const std::vector<FuzzTarget>& targets);

}  // namespace lockstep
