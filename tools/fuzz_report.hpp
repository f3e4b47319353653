// What `lockstep fuzz` prints at the end: tables for people, JSON for programs (docs/fuzz-json.md).
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "campaign/campaign.hpp"

namespace lockstep {

/// A line per system, and a line per engine: who found what.
std::string results_table(const std::vector<SystemResult>& results);

/// The findings, each with the line that replays it; "" when there are none.
std::string findings_text(const std::vector<SystemResult>& results);

/// One object of "systems".
nlohmann::ordered_json json_of(const SystemResult& result);

}  // namespace lockstep
