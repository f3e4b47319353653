// The low fields of Puyo Puyo: all of them, resolved. Random fields by the billion.
#include "games/puyo/explorations.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>

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

// Random fields, drawn in words of three columns with 12 bits each.

constexpr int half_width = Puyo::columns / 2;
constexpr std::uint64_t all_cells = (std::uint64_t{1} << half_width * Puyo::rows) - 1;

/// Three columns: the binary digits of their cells' colours.
using HalfField = std::array<std::uint64_t, 3>;

/// Every cell has one of the first four colours: 1 + a random number of two bits.
HalfField half_in_four_colours(Random& random) {
  const std::uint64_t low = random.next();
  const std::uint64_t high = random.next();
  return {~low & all_cells, (low ^ high) & all_cells, low & high & all_cells};
}

/// Columns of random heights. Each cell has one of the five colours: 0, 6 and 7 are drawn again.
HalfField half_of_any_height(Random& random) {
  HalfField out{};
  for (std::uint64_t wrong = all_cells; wrong != 0;
       wrong = all_cells & (~(out[0] | out[1] | out[2]) | (out[1] & out[2]))) {
    for (auto& digit : out) digit = (digit & ~wrong) | (random.next() & wrong);
  }
  std::uint64_t occupied = 0;
  for (int column = 0; column < half_width; ++column) {
    const std::uint64_t height = random.below(Puyo::rows + 1);
    const std::uint64_t empty = Puyo::rows - height;
    occupied |= (((std::uint64_t{1} << height) - 1) << empty) << column * Puyo::rows;
  }
  for (auto& digit : out) digit &= occupied;
  return out;
}

template <HalfField (*half)(Random&)>
void draw_fields(Random& random, std::span<Puyo::Bits> fields) {
  constexpr std::uint64_t one_column = (1u << Puyo::rows) - 1;
  for (Puyo::Bits& field : fields) {
    for (int first = 0; first < Puyo::columns; first += half_width) {
      const HalfField drawn = half(random);
      for (std::size_t digit = 0; digit < drawn.size(); ++digit) {
        for (int column = 0; column < half_width; ++column) {
          field[digit][static_cast<std::size_t>(first + column)] =
              static_cast<std::uint16_t>(drawn[digit] >> column * Puyo::rows & one_column);
        }
      }
    }
  }
}

void write_field(const Puyo::Bits& field, Scenario<Puyo>& scenario) {
  for (int row = 0; row < Puyo::rows; ++row) {
    for (int column = 0; column < Puyo::columns; ++column) {
      unsigned colour = 0;
      for (std::size_t digit = 0; digit < field.size(); ++digit) {
        colour |= (field[digit][static_cast<std::size_t>(column)] >> row & 1u) << digit;
      }
      scenario.setup.board.at(row, column) = static_cast<std::uint8_t>(colour);
    }
  }
  scenario.actions.assign(1, Puyo::Resolve{});
}

Exploration<Puyo> billion_fields(std::string name, std::string about,
                                 std::function<void(Random&, std::span<Puyo::Bits>)> draw) {
  return {.name = std::move(name),
          .about = std::move(about),
          .what = Bulk<Puyo>{.positions = 1'000'000'000, .draw = std::move(draw), .write = write_field}};
}

}  // namespace

std::vector<Exploration<Puyo>> Puyo::Explorations::all() {
  return {
      every_low_field(3, 3, 2),
      every_low_field(6, 3, 2),
      every_low_field(5, 4, 2),
      every_low_field(3, 4, 3),
      billion_fields("full_in_4", "random full fields in four colours, resolved", draw_fields<half_in_four_colours>),
      billion_fields("settled_in_5", "random settled fields in five colours, of random heights, resolved",
                     draw_fields<half_of_any_height>)};
}

}  // namespace lockstep
