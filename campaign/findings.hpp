// The folder that a campaign's findings are written to.
#pragma once

#include <expected>
#include <filesystem>
#include <string>

#include "lockstep/any_system.hpp"
#include "lockstep/finding.hpp"

namespace lockstep {

/// Writes the finding under its own name or, where another scenario that fails in the same way has that, as NAME-2.txt,
/// NAME-3.txt, …: the first that is free or holds this very scenario. Answers the file, or why it cannot be written.
std::expected<std::string, std::string> write_finding(const std::filesystem::path& folder, const AnySystem& system,
                                                      const FindingText& finding);

}  // namespace lockstep
