// What `lockstep fuzz` prints at the end: tables for people, JSON for programs (docs/fuzz-json.md).
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "campaign/campaign.hpp"

namespace lockstep {

/// A line per system, and a line per engine: who found what.
std::string results_table(const std::vector<CampaignResult>& results);

/// The findings, each with the line that replays it; "" when there are none.
std::string findings_text(const std::vector<CampaignResult>& results);

/// The last sentence: whether all agree, and on how much; or what differs, and the line to type.
std::string outcome_text(const std::vector<CampaignResult>& results, int exit_code);

/// The line that is rewritten while a campaign runs.
std::string progress_text(const CampaignProgress& progress);

/// One object of "games".
nlohmann::ordered_json json_of(const CampaignResult& result);

}  // namespace lockstep
