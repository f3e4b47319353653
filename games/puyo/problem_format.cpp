#include "games/puyo/problem_format.hpp"

#include <array>
#include <utility>

#include "games/puyo/laws.hpp"

namespace lockstep {

Parsed<std::vector<ProblemCase<Puyo>>> Puyo::ProblemFormat::read(std::string_view text) {
  TokenReader in{text};
  ProblemCase<Puyo> asked;
  Grid& board = asked.scenario.setup.board;
  std::array<std::pair<int, int>, rows> places;  // the place of each row in the text
  const std::pair start{in.line(), in.column()};
  for (int row = 0; row < rows; ++row) {
    auto& [line, first] = places[static_cast<std::size_t>(row)];
    line = in.line();
    first = in.column();
    const std::string expected =
        "row " + std::to_string(row + 1) + " of 12, six characters of '" + std::string{cells.symbols} + "'";
    const auto word = in.word(expected);
    if (!word) return std::unexpected(word.error());
    for (int column = 0; column < static_cast<int>(word->size()); ++column) {
      const char symbol = (*word)[static_cast<std::size_t>(column)];
      const std::size_t cell = cells.symbols.find(symbol);
      if (column >= columns || cell == std::string_view::npos) {
        const std::string got = shown(word->substr(static_cast<std::size_t>(column), 1));
        return text_error(line, first + column,
                          "expected " + expected + ", got '" + got + (column < columns ? "'" : "' as a seventh"));
      }
      board.at(row, column) = static_cast<std::uint8_t>(cell);
    }
    if (word->size() < columns) {
      return text_error(line, first + static_cast<int>(word->size()),
                        "expected " + expected + ", got " + std::to_string(word->size()));
    }
  }
  if (const auto end = in.finish(); !end) return std::unexpected(end.error());
  if (const auto broken = Laws::flaw(asked.scenario.setup)) {
    const auto& [line, first] = places[static_cast<std::size_t>(broken->row)];
    return text_error(line, first + broken->column, broken->what);
  }
  asked.scenario.actions.emplace_back(Resolve{});
  asked.places.push_back(start);
  return std::vector{std::move(asked)};
}

Parsed<std::string> Puyo::ProblemFormat::print(const ProblemCase<Puyo>&, std::span<const Observation> observations) {
  std::string out;
  for (const Observation& o : observations) {
    if (o.says != Says::resolved) return text_error(0, 0, "resolving was answered as something else");
    out += std::to_string(o.chains) + "\n";
  }
  return out;
}

std::string Puyo::ProblemFormat::write(std::span<const Scenario<Puyo>> scenarios) {
  std::string out;
  for (const auto& [setup, actions] : scenarios) {
    for (int row = 0; row < rows; ++row) {
      for (int column = 0; column < columns; ++column) out += cells.symbols[setup.board.at(row, column)];
      out += '\n';
    }
  }
  return out;
}

std::optional<std::string> Puyo::ProblemFormat::outside(const Scenario<Puyo>& scenario, std::span<const Observation>) {
  if (!asks_only<Resolve>(scenario)) return "the problem gives a field and asks for one resolve";
  return std::nullopt;
}

void Puyo::ProblemFormat::bring_inside(Scenario<Puyo>& scenario, std::span<const Observation>) {
  scenario.actions = {Resolve{}};
}

}  // namespace lockstep
