// Functions of the library that work without types, for code that has a system's types: tests, examples, tools of the lab.
// Each does what the one of the same name without <S> does, on a Scenario<S>.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "lockstep/describe/codec.hpp"
#include "lockstep/draw/draw.hpp"
#include "lockstep/system/scenario_of.hpp"
#include "lockstep/text/text.hpp"

namespace lockstep {

template <System S>
void run_typed(const Runner& implementation, const Scenario<S>& scenario, Cadence cadence, Trace<S>& out) {
  AnyTrace any = untyped<S>(out);
  implementation.run(untyped<S>(scenario), cadence, any);
}

template <System S>
Bytes encode(const Scenario<S>& scenario) {
  return encoded(untyped<S>(scenario));
}
template <System S>
Scenario<S> decode(std::span<const std::uint8_t> bytes) {
  return std::move(typed<S>(decoded(vocabulary<S>(), bytes)));
}

template <System S>
Scenario<S> draw_scenario(Random& random, Style style) {
  return std::move(typed<S>(drawn_scenario(vocabulary<S>(), random, style)));
}

template <System S>
Parsed<Scenario<S>> parse_scenario(std::string_view text) {
  auto parsed = parse_scenario(vocabulary<S>(), text);
  if (!parsed) return std::unexpected(std::move(parsed.error()));
  return std::move(typed<S>(*parsed));
}
template <System S>
std::string scenario_text(const Scenario<S>& scenario, std::string_view comment = {}) {
  return scenario_text(untyped<S>(scenario), comment);
}

}  // namespace lockstep
