// The text format of the original problem.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "games/ts_tetris/game.hpp"
#include "programs/problem_format.hpp"

namespace lockstep {

/// In: T, then per case Q and Q lines 100 W H, 200 player column, 300 player column, 400.
struct TsTetris::ProblemFormat {
  static constexpr int cases_max = 1'000;  // T, which the text does not limit

  static Parsed<std::vector<ProblemCase<TsTetris>>> read(std::string_view text);
  static Parsed<std::string> print(const ProblemCase<TsTetris>&, std::span<const Observation>);
  static std::string write(std::span<const Scenario<TsTetris>>);
  static std::optional<std::string> outside(const Scenario<TsTetris>&, std::span<const Observation> answers);
  static void bring_inside(Scenario<TsTetris>&, std::span<const Observation> answers);
};

}  // namespace lockstep
