// Functions of the library that work without types, for code that has a system's types: tests, properties, benchmarks.
// Each does what the one of the same name without <S> does, on a Scenario<S>.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lockstep/describe/codec.hpp"
#include "lockstep/describe/measure.hpp"
#include "lockstep/draw/draw.hpp"
#include "lockstep/system/scenario_of.hpp"
#include "lockstep/text/text.hpp"

namespace lockstep {

/// A scenario that a function makes of the default one.
template <System S>
Scenario<S> made(FunctionRef<void(AnyScenario&)> make) {
  AnyScenario out = vocabulary<S>().scenario();
  make(out);
  return std::move(typed<S>(out));
}

template <System S>
void run_typed(const Runner& implementation, const Scenario<S>& scenario, Cadence cadence, Trace<S>& out) {
  AnyTrace any = untyped<S>(out);
  implementation.run(untyped<S>(scenario), cadence, any);
}

template <System S>
Bytes encode(const Scenario<S>& scenario) {
  Bytes out;
  encode(untyped<S>(scenario), out);
  return out;
}
template <System S>
Scenario<S> decode(std::span<const std::uint8_t> bytes) {
  return made<S>([&](AnyScenario& out) { decode(bytes, out); });
}

/// An action that is possible after a setup; nullopt if none was found.
template <System S>
std::optional<typename S::Action> draw_action(Random& random, const typename S::Setup& setup) {
  AnyScenario any = any_of<S>({.setup = setup, .actions = {}});
  any.grow([&](AnyScenario::TryAction try_one) { draw_action(random, any.vocabulary(), try_one); });
  if (any.size() == 0) return std::nullopt;
  return std::move(typed<S>(any).actions.front());
}
template <System S>
Scenario<S> draw_scenario(Random& random, Style style) {
  return made<S>([&](AnyScenario& out) { draw_scenario(random, style, out); });
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
template <System S>
Size size_of(const Scenario<S>& scenario) {
  return size_of(untyped<S>(scenario));
}
template <System S>
bool smaller(const Scenario<S>& scenario, const Scenario<S>& other, const Size& other_size) {
  return smaller(untyped<S>(scenario), untyped<S>(other), other_size);
}

}  // namespace lockstep
