#include "games/omok/problem_format.hpp"

#include <utility>

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

}  // namespace lockstep
