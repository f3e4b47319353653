// A campaign's findings: writes them to its folder, and shrinks them further.
#pragma once

#include <chrono>
#include <expected>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "lockstep/judge/signature.hpp"
#include "lockstep/services/finding.hpp"
#include "lockstep/system/any_system.hpp"

namespace lockstep {

/// NAME.txt for 1, NAME-2.txt for 2, NAME-3.txt for 3, …
std::filesystem::path numbered(const std::filesystem::path& file, int number);

/// Writes a scenario's text to this file. If that holds another scenario, NAME-2.txt, NAME-3.txt, … are tried: the first
/// that is free or holds the same scenario. Returns the file, or why it cannot be written.
std::expected<std::string, std::string> write_numbered(const std::filesystem::path& file, const AnySystem& system,
                                                       const std::string& text);

/// How long a campaign shrinks one finding further.
inline constexpr std::chrono::milliseconds further_shrink_time{10'000};

struct FurtherShrinking {
  std::chrono::milliseconds timeout;   // for one action
  unsigned jobs = 1;                   // child processes at a time, one for each finding
  std::chrono::milliseconds time_max;  // for one finding
  std::chrono::steady_clock::time_point deadline;
  Signatures known = {};  // no finding becomes a failure that one of these covers
};

/// Continues the shrinking of findings. Each gets an equal share of the time until the deadline. `shrunk` is called with
/// the place of each and the shrunk finding; findings that no longer fail are passed over. `goes_on` is called every few
/// milliseconds; false kills the children. An error: no child could be started.
std::expected<void, std::string> shrink_further(const AnySystem& system,
                                                const std::vector<std::string>& implementations,
                                                std::span<const Finding> findings, const FurtherShrinking& options,
                                                const std::function<void(std::size_t, Finding)>& shrunk,
                                                const std::function<bool()>& goes_on);

}  // namespace lockstep
