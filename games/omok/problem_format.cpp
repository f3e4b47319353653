#include "games/omok/problem_format.hpp"

#include <algorithm>
#include <utility>

#include "games/omok/wins.hpp"

namespace lockstep {

Parsed<std::vector<ProblemCase<Omok>>> Omok::ProblemFormat::read(std::string_view text) {
  TokenReader in{text};
  ProblemCase<Omok> asked;
  Setup& setup = asked.scenario.setup;
  setup.size = size_max;
  setup.board = Grid{size_max, size_max};
  for (int row = 0; row < size_max; ++row) {
    for (int column = 0; column < size_max; ++column) {
      const auto cell = in.number("the cell of row " + std::to_string(row + 1) + ", column " +
                                      std::to_string(column + 1) + " (0 empty, 1 black, 2 white)",
                                  0, 2);
      if (!cell) return std::unexpected(cell.error());
      setup.board.at(row, column) = static_cast<std::uint8_t>(*cell);
    }
  }
  if (const auto end = in.finish(); !end) return std::unexpected(end.error());
  asked.scenario.actions.emplace_back(Judge{});
  asked.places.emplace_back(1, 1);
  return std::vector{std::move(asked)};
}

Parsed<std::string> Omok::ProblemFormat::print(const ProblemCase<Omok>&, std::span<const Observation> observations) {
  std::string out;
  for (const Observation& o : observations) {
    if (o.says != Says::judged) return text_error(0, 0, "the answer is not the judge's");
    out += std::to_string(o.winner) + "\n";
    if (o.winner != 0) out += std::to_string(o.row) + " " + std::to_string(o.column) + "\n";
  }
  return out;
}

std::string Omok::ProblemFormat::write(std::span<const Scenario<Omok>> scenarios) {
  std::string out;
  for (const auto& [setup, actions] : scenarios) out += rows_of_numbers(setup.board);
  return out;
}

std::optional<std::string> Omok::ProblemFormat::outside(const Scenario<Omok>& scenario, std::span<const Observation>) {
  if (!asks_only<Judge>(scenario)) return "the problem gives a board and asks for one judge";
  if (scenario.setup.size != size_max) {
    return "the problem's boards have size 19, not " + std::to_string(scenario.setup.size);
  }
  if (const std::size_t wins = omok::wins(scenario.setup.board).size(); wins > 1) {
    return "the problem promises at most one win, this board has " + std::to_string(wins);
  }
  return std::nullopt;
}

void Omok::ProblemFormat::bring_inside(Scenario<Omok>& scenario, std::span<const Observation>) {
  Setup& setup = scenario.setup;
  Grid board = setup.board.grown(size_max, size_max);
  // Of several wins, the last one loses a stone that is not the first one's. That may split a longer line into a new
  // win, but the stones become fewer.
  for (auto wins = omok::wins(board); wins.size() > 1; wins = omok::wins(board)) {
    const auto& kept = wins.front().line;
    const auto& lost = wins.back().line;
    const Cell stone =
        *std::ranges::find_if(lost, [&](const Cell& cell) { return std::ranges::find(kept, cell) == kept.end(); });
    board.at(stone.row, stone.column) = 0;
  }
  setup = {.size = size_max, .board = std::move(board)};
  scenario.actions = {Judge{}};
}

}  // namespace lockstep
