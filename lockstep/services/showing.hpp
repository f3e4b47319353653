// How `show` draws implementations next to each other.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/services/guarded.hpp"

namespace lockstep {

/// The position that is shown.
struct ShownPosition {
  std::size_t step = 0;   // after that many actions
  std::size_t total = 0;  // actions of the scenario
  std::string dead = {};  // the implementation that is dead or hangs there; empty when none does
};

/// An error when the options ask for a position beyond the scenario. InternalError when it could not be judged.
Parsed<ShownPosition> shown_position(const Verdict& verdict, std::size_t actions, const ShowOptions& options);

struct DrawnBy {
  std::string implementation;
  Drawn drawn;
};

/// `last`: the action that leads to the position; `difference`: in one line, empty when all agree.
std::string show_text(std::string_view system, const ShownPosition& shown, const std::string& last,
                      const std::vector<DrawnBy>& drawn, const std::string& difference, bool colour);

}  // namespace lockstep
