// What properties draw: RapidCheck chooses a seed and a style, and the library draws the scenario from them. Seeds
// are not shrunk: scenarios are, by our own shrinker.
#pragma once

#include <rapidcheck.h>

#include <cstddef>
#include <cstdint>

#include "lockstep/draw.hpp"

namespace lockstep::laws {

inline std::uint64_t any_seed() {
  constexpr int full_range = 100;
  return *rc::gen::noShrink(rc::gen::resize(full_range, rc::gen::arbitrary<std::uint64_t>())).as("seed");
}

inline Style any_style() {
  const auto index = *rc::gen::noShrink(rc::gen::inRange<std::size_t>(0, styles.size())).as("style");
  return styles[index];
}

template <class G>
Scenario<G> any_scenario() {
  const Style style = any_style();
  Random random{any_seed()};
  return draw_scenario<G>(random, style);
}

}  // namespace lockstep::laws
