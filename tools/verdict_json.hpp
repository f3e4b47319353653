// Verdicts, findings and explanations cross the border between processes as JSON.
#pragma once

#include <string>

#include "lockstep/any_system.hpp"

namespace lockstep {

std::string to_json(const Verdict& verdict);
Verdict verdict_from(const std::string& json);

std::string to_json(const FindingText& finding);
FindingText finding_from(const std::string& json);

std::string to_json(const Explanation& explanation);
Explanation explanation_from(const std::string& json);

}  // namespace lockstep
