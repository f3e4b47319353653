// The text format of the original problem.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "games/block_game/game.hpp"
#include "programs/problem_format.hpp"

namespace lockstep {

/// In: the argument of `solution(board)` as JSON, or N and then N rows. Out: the number of removed blocks.
struct BlockGame::ProblemFormat {
  static Parsed<std::vector<ProblemCase<BlockGame>>> read(std::string_view text);
  static Parsed<std::string> print(const ProblemCase<BlockGame>&, std::span<const Observation>);
  static std::string write(std::span<const Scenario<BlockGame>>);
  static std::optional<std::string> outside(const Scenario<BlockGame>&, std::span<const Observation> answers);
  static void bring_inside(Scenario<BlockGame>&, std::span<const Observation> answers);
};

}  // namespace lockstep
