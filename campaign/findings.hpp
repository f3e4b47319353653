// Writes findings to the folder of a campaign.
#pragma once

#include <expected>
#include <filesystem>
#include <string>

#include "lockstep/any_system.hpp"
#include "lockstep/finding.hpp"

namespace lockstep {

/// Writes a finding to its file name. If that file holds another scenario with the same signature, NAME-2.txt, NAME-3.txt, …
/// are tried: the first that is free or holds the same scenario. Returns the file, or why it cannot be written.
std::expected<std::string, std::string> write_finding(const std::filesystem::path& folder, const AnySystem& system,
                                                      const FindingText& finding);

}  // namespace lockstep
