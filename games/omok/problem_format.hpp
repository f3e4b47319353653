// The text format of the original problem.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "games/omok/game.hpp"
#include "programs/problem_format.hpp"

namespace lockstep {

/// In: 19 rows of 19 numbers. Out: 0, or the colour and, on a second line, row and column.
struct Omok::ProblemFormat {
  static Parsed<std::vector<ProblemCase<Omok>>> read(std::string_view text);
  static Parsed<std::string> print(const ProblemCase<Omok>&, std::span<const Observation>);
  static std::string write(std::span<const Scenario<Omok>>);
  static std::optional<std::string> outside(const Scenario<Omok>&, std::span<const Observation> answers);
  static void bring_inside(Scenario<Omok>&, std::span<const Observation> answers);
};

}  // namespace lockstep
