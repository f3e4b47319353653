// Converts scenarios between text and bytes (codec.hpp), for engines.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/codec.hpp"
#include "lockstep/error.hpp"
#include "lockstep/leave_out.hpp"
#include "lockstep/system.hpp"
#include "lockstep/text.hpp"

namespace lockstep {

class Encoding {
 public:
  virtual ~Encoding() = default;
  virtual Parsed<Bytes> pack(std::string_view text) const = 0;
  /// An error if the bytes contain more actions than a text may.
  virtual Parsed<std::string> unpack(std::span<const std::uint8_t> bytes) const = 0;
  /// The text without the actions of these kinds (leave_out.hpp); the same text if there are no kinds.
  virtual Parsed<std::string> without(std::string_view text, const std::vector<std::string>& kinds) const = 0;
};

template <System S>
class EncodingOf final : public Encoding {
 public:
  Parsed<Bytes> pack(std::string_view text) const override {
    const auto scenario = parse_scenario<S>(text);
    if (!scenario) return std::unexpected(scenario.error());
    return encode<S>(*scenario);
  }

  Parsed<std::string> unpack(std::span<const std::uint8_t> bytes) const override {
    const Scenario<S> scenario = decode<S>(bytes);
    if (scenario.actions.size() > text_actions_max) {
      return text_error(0, 0,
                        "these bytes hold " + std::to_string(scenario.actions.size()) + " actions, a text at most " +
                            std::to_string(text_actions_max));
    }
    return scenario_text<S>(scenario);
  }

  Parsed<std::string> without(std::string_view text, const std::vector<std::string>& kinds) const override {
    if (kinds.empty()) return std::string{text};
    auto scenario = parse_scenario<S>(text);
    if (!scenario) return std::unexpected(scenario.error());
    leave_out<S>(*scenario, kinds);
    return scenario_text<S>(*scenario);
  }
};

}  // namespace lockstep
