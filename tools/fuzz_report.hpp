// What `lockstep fuzz` prints at the end: tables for people, JSON for programs (docs/fuzz-json.md).
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "tools/campaign.hpp"

namespace lockstep {

/// A line per game, and a line per engine: who found what.
std::string results_table(const std::vector<GameResult>& results);

/// The findings, each with the line that replays it; "" when there are none.
std::string findings_text(const std::vector<GameResult>& results);

/// One object of "games".
nlohmann::ordered_json json_of(const GameResult& result);

}  // namespace lockstep
