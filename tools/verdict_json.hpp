// Verdicts cross the border between processes as JSON.
#pragma once

#include <string>

#include "harness/judge.hpp"

namespace lockstep {

std::string to_json(const Verdict& verdict);
Verdict verdict_from(const std::string& json);

}  // namespace lockstep
