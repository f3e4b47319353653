// The folder of --out, before there is anything to write to it.
#pragma once

#include <filesystem>

namespace lockstep {

/// BadInput unless files can be written to the folder of --out, which need not exist: before the work, not after it. Leaves
/// nothing.
void refuse_unwritable(const std::filesystem::path& folder);

}  // namespace lockstep
