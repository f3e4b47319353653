#include "lockstep/system/round_trip.hpp"

#include "lockstep/describe/codec.hpp"
#include "lockstep/text/text.hpp"

namespace lockstep {

std::string fault_of_round_trips(const AnyScenario& scenario) {
  const std::string text = scenario_text(scenario);
  const auto parsed = parse_scenario(scenario.vocabulary(), text);
  if (!parsed) return "its own text is refused: " + parsed.error().message("text") + "\n" + text;
  if (*parsed != scenario) return "its text is another scenario:\n" + text;
  if (scenario_text(*parsed) != text) return "its text is printed differently once it was read:\n" + text;
  if (decoded(scenario.vocabulary(), encoded(scenario)) != scenario) return "its bytes are another scenario:\n" + text;
  return "";
}

}  // namespace lockstep
