// The text format of the original problem.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "games/puyo/game.hpp"
#include "programs/problem_format.hpp"

namespace lockstep {

/// In: 12 lines of 6 characters. Out: the number of chains.
struct Puyo::ProblemFormat {
  static Parsed<std::vector<ProblemCase<Puyo>>> read(std::string_view text);
  static Parsed<std::string> print(const ProblemCase<Puyo>&, std::span<const Observation>);
  static std::string write(std::span<const Scenario<Puyo>>);
  static std::optional<std::string> outside(const Scenario<Puyo>&, std::span<const Observation> answers);
  static void bring_inside(Scenario<Puyo>&, std::span<const Observation> answers);
};

}  // namespace lockstep
