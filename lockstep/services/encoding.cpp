#include "lockstep/services/encoding.hpp"

#include "lockstep/fit.hpp"
#include "lockstep/text.hpp"

namespace lockstep {

Parsed<Bytes> Encoding::pack(std::string_view text) const {
  const auto scenario = parse_scenario(system_, text);
  if (!scenario) return std::unexpected(scenario.error());
  Bytes out;
  encode(*scenario, out);
  return out;
}

Parsed<std::string> Encoding::unpack(std::span<const std::uint8_t> bytes) const {
  AnyScenario scenario = system_.scenario();
  decode(bytes, scenario);
  if (scenario.size() > text_actions_max) {
    return text_error(0, 0,
                      "these bytes hold " + std::to_string(scenario.size()) + " actions, a text at most " +
                          std::to_string(text_actions_max));
  }
  return scenario_text(scenario);
}

Parsed<std::string> Encoding::without(std::string_view text, const std::vector<std::string>& kinds) const {
  if (kinds.empty()) return std::string{text};
  auto scenario = parse_scenario(system_, text);
  if (!scenario) return std::unexpected(scenario.error());
  leave_out(*scenario, kinds);
  return scenario_text(*scenario);
}

}  // namespace lockstep
