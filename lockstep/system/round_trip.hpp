// Whether a scenario survives the way through its text and through its bytes.
#pragma once

#include <string>

#include "lockstep/describe/codec.hpp"
#include "lockstep/system/typed.hpp"
#include "lockstep/text/text.hpp"

namespace lockstep {

/// Text to scenario to text, and scenario to bytes to scenario, must change nothing. What changes, for people; "": nothing.
template <System S>
std::string fault_of_round_trips(const Scenario<S>& scenario) {
  const std::string text = scenario_text<S>(scenario);
  const auto parsed = parse_scenario<S>(text);
  if (!parsed) return "its own text is refused: " + parsed.error().message("text") + "\n" + text;
  if (*parsed != scenario) return "its text is another scenario:\n" + text;
  if (scenario_text<S>(*parsed) != text) return "its text is printed differently once it was read:\n" + text;
  if (decode<S>(encode<S>(scenario)) != scenario) return "its bytes are another scenario:\n" + text;
  return "";
}

}  // namespace lockstep
