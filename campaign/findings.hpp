// A campaign's findings: writes them to its folder, and shrinks them further.
#pragma once

#include <chrono>
#include <expected>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "lockstep/any_system.hpp"
#include "lockstep/finding.hpp"

namespace lockstep {

/// Writes a finding to its file name. If that file holds another scenario with the same signature, NAME-2.txt, NAME-3.txt, …
/// are tried: the first that is free or holds the same scenario. Returns the file, or why it cannot be written.
std::expected<std::string, std::string> write_finding(const std::filesystem::path& folder, const AnySystem& system,
                                                      const FindingText& finding);

/// Continues the shrinking of findings, each in a child process, `jobs` at a time. Each gets an equal share of the time
/// until the deadline, at most 10 s. `shrunk` gets the place of each finding and what it has become; findings that no
/// longer fail are passed over. `goes_on` is asked often; when it says no, the children are killed.
void shrink_further(const AnySystem& system, const std::vector<std::string>& implementations,
                    std::chrono::milliseconds timeout, std::span<const FindingText> findings, unsigned jobs,
                    std::chrono::steady_clock::time_point deadline,
                    const std::function<void(std::size_t, FindingText)>& shrunk, const std::function<bool()>& goes_on);

}  // namespace lockstep
