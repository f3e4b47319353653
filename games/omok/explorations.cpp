// The lines of omok: all fillings of one line, judged.
#include "games/omok/explorations.hpp"

#include <algorithm>

namespace lockstep {

namespace {

/// The cells of one whole line of a board, and its direction.
struct WholeLine {
  std::string_view name;
  Omok::Cell (*cell)(int size, int i);
};

constexpr std::array<WholeLine, 4> whole_lines = {{
    {"across", [](int size, int i) { return Omok::Cell{.column = i, .row = size / 2}; }},
    {"down", [](int size, int i) { return Omok::Cell{.column = size / 2, .row = i}; }},
    {"falling", [](int, int i) { return Omok::Cell{.column = i, .row = i}; }},
    {"rising", [](int size, int i) { return Omok::Cell{.column = i, .row = size - 1 - i}; }},
}};

constexpr std::uint64_t power_of_3(int exponent) {
  std::uint64_t power = 1;
  while (exponent-- > 0) power *= 3;
  return power;
}

/// Judges every filling of a line of `length` cells on an otherwise empty board of that size. The digits of a number
/// to base 3 are the cells.
SweepPart<Omok> fillings(const WholeLine& line, int length) {
  const auto scenarios = [=](std::uint64_t number, Scenario<Omok>& scenario, const Judged& judged) {
    Omok::Setup& setup = scenario.setup;
    if (setup.size != length) setup = {length, Grid{length, length}};
    std::ranges::fill(setup.board.cells, std::uint8_t{0});
    for (int i = 0; i < length; ++i) {
      const Omok::Cell cell = line.cell(length, i);
      setup.board.at(cell.row, cell.column) = static_cast<std::uint8_t>(number % 3);
      number /= 3;
    }
    scenario.actions.assign(1, Omok::Judge{});
    judged();
  };
  return {.name = std::string{line.name}, .numbers = power_of_3(length), .scenarios = scenarios};
}

Exploration<Omok> every_filling(int length) {
  const auto parts = [length] {
    Sweep<Omok> out;
    for (const WholeLine& line : whole_lines) out.push_back(fillings(line, length));
    return out;
  };
  return {.name = "line_" + std::to_string(length),
          .about = "every filling of one whole line of " + std::to_string(length) + " cells, in each direction, judged",
          .what = parts};
}

}  // namespace

std::vector<Exploration<Omok>> Omok::Explorations::all() {
  return {every_filling(7), every_filling(9), every_filling(15)};
}

}  // namespace lockstep
