// The folder of --out, before there is anything to write to it.
#pragma once

#include <filesystem>
#include <string_view>

namespace lockstep {

/// BadInput, which names the option, unless files can be written to the folder. It need not exist. Called before the work,
/// not after it. Leaves nothing.
void refuse_unwritable(const std::filesystem::path& folder, std::string_view option = "--out");

}  // namespace lockstep
