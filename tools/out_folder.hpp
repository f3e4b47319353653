// The folder of --out, before there is anything to write to it.
#pragma once

#include <filesystem>
#include <regex>
#include <string_view>
#include <vector>

namespace lockstep {

/// BadInput, which names the option, unless files can be written to the folder. It need not exist. Called before the work,
/// not after it. Leaves nothing.
void refuse_unwritable(const std::filesystem::path& folder, std::string_view option = "--out");

/// The files of the folder, and of those below it, whose path from the folder `own` matches. BadInput names something else
/// that is there: it may be the user's. A verb that replaces its own files calls this before its work. None if it is no
/// folder, which the writing will say.
std::vector<std::filesystem::path> own_files(const std::filesystem::path& folder, const std::regex& own);

}  // namespace lockstep
