// The text format of the original problem.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "games/stacking/game.hpp"
#include "programs/problem_format.hpp"

namespace lockstep {

/// In: N K, then N rows of N colours, then K lines of row, column and direction. Out: the turn or −1.
struct Stacking::ProblemFormat {
  static Parsed<std::vector<ProblemCase<Stacking>>> read(std::string_view text);
  static Parsed<std::string> print(const ProblemCase<Stacking>&, std::span<const Observation>);
  static std::string write(std::span<const Scenario<Stacking>>);
  static std::optional<std::string> outside(const Scenario<Stacking>&, std::span<const Observation> answers);
  static void bring_inside(Scenario<Stacking>&, std::span<const Observation> answers);
};

}  // namespace lockstep
