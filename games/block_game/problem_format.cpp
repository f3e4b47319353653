#include "games/block_game/problem_format.hpp"

#include <algorithm>
#include <utility>

#include "games/block_game/laws.hpp"

namespace lockstep {

namespace {

using Mark = std::pair<int, int>;  // line and column

/// The cells of a board as the text gives them, with the place of each for later errors.
struct GivenRows {
  std::vector<std::uint8_t> cells;
  std::vector<Mark> marks;
};

constexpr std::string_view cell_meaning = "a cell (0 or a block's number)";

/// Reads N and then N rows of N numbers. Returns N.
Parsed<int> read_rows(TokenReader& in, GivenRows& out) {
  const auto size = in.number("the size of the board", BlockGame::judge_size_min, BlockGame::size_max);
  if (!size) return size;
  for (int i = 0; i < *size * *size; ++i) {
    out.marks.emplace_back(in.line(), in.column());
    const auto cell = in.number(cell_meaning, 0, BlockGame::blocks_max);
    if (!cell) return cell;
    out.cells.push_back(static_cast<std::uint8_t>(*cell));
  }
  return size;
}

/// Reads one row, "[0,1,…]", of `wanted` cells; wanted 0 accepts any allowed number of cells. Returns their number.
Parsed<int> read_json_row(TokenReader& in, int wanted, GivenRows& out) {
  if (const auto open = in.character('['); !open) return std::unexpected(open.error());
  const int most = wanted == 0 ? BlockGame::size_max : wanted;
  const int least = wanted == 0 ? BlockGame::judge_size_min : wanted;
  int count = 0;
  for (bool more = true; more;) {
    out.marks.emplace_back(in.line(), in.column());
    const auto cell = in.digits(cell_meaning, 0, BlockGame::blocks_max);
    if (!cell) return cell;
    out.cells.push_back(static_cast<std::uint8_t>(*cell));
    ++count;
    more = count < least || (count < most && in.peek() == ',');
    if (!more) continue;
    if (const auto comma = in.character(','); !comma) return std::unexpected(comma.error());
  }
  if (const auto close = in.character(']'); !close) return std::unexpected(close.error());
  return count;
}

/// Reads "[[…],[…],…]", as many rows as the first row has cells. Returns their number.
Parsed<int> read_json(TokenReader& in, GivenRows& out) {
  if (const auto open = in.character('['); !open) return std::unexpected(open.error());
  const auto size = read_json_row(in, 0, out);
  if (!size) return size;
  for (int row = 1; row < *size; ++row) {
    if (const auto comma = in.character(','); !comma) return std::unexpected(comma.error());
    if (const auto cells = read_json_row(in, *size, out); !cells) return cells;
  }
  if (const auto close = in.character(']'); !close) return std::unexpected(close.error());
  return size;
}

}  // namespace

Parsed<std::vector<ProblemCase<BlockGame>>> BlockGame::ProblemFormat::read(std::string_view text) {
  TokenReader in{text};
  GivenRows given;
  const Mark start{in.line(), in.column()};
  const auto size = in.peek() == '[' ? read_json(in, given) : read_rows(in, given);
  if (!size) return std::unexpected(size.error());
  if (const auto end = in.finish(); !end) return std::unexpected(end.error());
  ProblemCase<BlockGame> asked;
  Setup& setup = asked.scenario.setup;
  setup.size = *size;
  setup.board = Grid{*size, *size};
  setup.board.cells = given.cells;
  if (const auto broken = Laws::flaw(setup)) {
    const auto& [line, column] = given.marks[static_cast<std::size_t>(broken->row * *size + broken->column)];
    return text_error(line, column, broken->what);
  }
  asked.scenario.actions.emplace_back(Clear{});
  asked.places.push_back(start);
  return std::vector{std::move(asked)};
}

Parsed<std::string> BlockGame::ProblemFormat::print(const ProblemCase<BlockGame>&,
                                                    std::span<const Observation> observations) {
  std::string out;
  for (const Observation& o : observations) {
    if (o.says != Says::cleared) return text_error(0, 0, "clearing was answered as something else");
    out += std::to_string(o.removed) + "\n";
  }
  return out;
}

std::string BlockGame::ProblemFormat::write(std::span<const Scenario<BlockGame>> scenarios) {
  std::string out;
  for (const auto& [setup, actions] : scenarios) {
    out += std::to_string(setup.size) + "\n" + rows_of_numbers(setup.board);
  }
  return out;
}

std::optional<std::string> BlockGame::ProblemFormat::outside(const Scenario<BlockGame>& scenario,
                                                             std::span<const Observation>) {
  if (!asks_only<Clear>(scenario)) return "the problem gives a board and asks for one clear";
  if (scenario.setup.size < judge_size_min) {
    return "the problem's boards have size 4 to 50, not " + std::to_string(scenario.setup.size);
  }
  return std::nullopt;
}

void BlockGame::ProblemFormat::bring_inside(Scenario<BlockGame>& scenario, std::span<const Observation>) {
  Setup& setup = scenario.setup;
  const int size = std::max(setup.size, judge_size_min);
  setup = {.size = size, .board = setup.board.grown(size, size)};
  scenario.actions = {Clear{}};
}

}  // namespace lockstep
