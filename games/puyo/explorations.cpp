// The low fields of Puyo Puyo: all of them, resolved.
#include "games/puyo/explorations.hpp"

#include <algorithm>

namespace lockstep {

namespace {

/// Resolves all settled fields that use the `width` leftmost columns, with at most `height` puyos in each, of the
/// first `colours` colours. The digits of a number are the columns, the leftmost one the least significant.
SweepPart<Puyo> low_fields(int width, int height, int colours) {
  std::uint64_t contents = 1;  // of a column, including the empty one
  std::uint64_t of_height = 1;
  for (int level = 0; level < height; ++level) contents += of_height *= static_cast<std::uint64_t>(colours);
  std::uint64_t fields = 1;
  for (int column = 0; column < width; ++column) fields *= contents;
  const auto scenarios = [=](std::uint64_t number, Scenario<Puyo>& scenario, const Judged& judged) {
    Grid& board = scenario.setup.board;
    std::ranges::fill(board.cells, std::uint8_t{0});
    for (int column = 0; column < width; ++column) {
      std::uint64_t content = number % contents;
      number /= contents;
      // 0 is the empty column, then those of one puyo, of two, …: every puyo is a digit from 1 to `colours`.
      for (int row = Puyo::rows - 1; content > 0; --row) {
        --content;
        board.at(row, column) = static_cast<std::uint8_t>(1 + content % static_cast<std::uint64_t>(colours));
        content /= static_cast<std::uint64_t>(colours);
      }
    }
    scenario.actions.assign(1, Puyo::Resolve{});
    judged();
  };
  return {.name = std::to_string(width) + " columns", .numbers = fields, .scenarios = scenarios};
}

Exploration<Puyo> every_low_field(int width, int height, int colours) {
  const std::string size = std::to_string(width) + "x" + std::to_string(height);
  return {.name = size + "_in_" + std::to_string(colours),
          .about = "every settled field of " + std::to_string(width) + " columns and " + std::to_string(height) +
                   " rows in " + std::to_string(colours) + " colours, in the lower left corner, resolved",
          .what = [=] { return Sweep<Puyo>{low_fields(width, height, colours)}; }};
}

}  // namespace

std::vector<Exploration<Puyo>> Puyo::Explorations::all() {
  return {every_low_field(3, 3, 2), every_low_field(6, 3, 2), every_low_field(5, 4, 2), every_low_field(3, 4, 3)};
}

}  // namespace lockstep
