// The layout of `show`: implementations next to each other.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/services/guarded.hpp"

namespace lockstep {

/// The position to show.
struct ShownPosition {
  std::size_t step = 0;                   // actions done
  std::size_t total = 0;                  // actions of the scenario
  std::string dead = {};                  // the implementation that died or hung at this position; empty if none
  std::vector<std::string> actions = {};  // the last ones before the position, as lines
};

/// The most in `actions`.
inline constexpr std::size_t actions_shown = 20;

/// An error if the options select a position beyond the scenario. Throws InternalError if it could not be judged.
Parsed<ShownPosition> shown_position(const Verdict& verdict, std::size_t actions, const ShowOptions& options);

struct DrawnBy {
  std::string implementation;
  Drawn drawn;
};

/// Where no implementation has a state to draw, the actions are printed in its place. `difference`: one line, empty if all
/// agree.
std::string show_text(std::string_view system, const ShownPosition& shown, const std::vector<DrawnBy>& drawn,
                      const std::string& difference, const ShowOptions& options);

}  // namespace lockstep
