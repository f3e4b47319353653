#include "games/puyo/suggestions.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "games/puyo/groups.hpp"

namespace lockstep {

using namespace puyo;

namespace {

/// Builds a chain from its end. Given any field, puts a group under and between its puyos so that this group, and no
/// other, vanishes: the new field resolves into the old one, one chain later.
///
///     . . . . .        . . R . .
///     . . . . .        . . R . .        the four G keep the R apart: take them away,
///     . . . . .   →    . . G . .        and two R and two R meet again
///     . R R . .        . R G . .
///     . R R . .        . R G G .
///
/// The old field need not be analysed; a random group is tried and kept if it is the only one.
class ChainBuilder {
 public:
  ChainBuilder(Random& random, int first_colour, int palette)
      : random_{random}, first_colour_{first_colour}, palette_{palette} {}

  /// Puts chains under the field until there are `wanted`, or until too many groups in a row did not fit; returns the
  /// number of chains added.
  int build(Grid& board, int wanted) {
    constexpr int tries = 64;
    int built = 0;
    for (int left = tries; built < wanted && left > 0; --left) {
      if (!put_under(board)) continue;
      left = tries + 1;
      ++built;
    }
    return built;
  }

  /// Removes a puyo of the last group that can be dropped back on top; returns nothing if all are buried.
  std::optional<Puyo::Drop> take_trigger(Grid& board) const {
    for (const auto& [row, column] : group_.cells()) {
      if (!board.contains(row, column) || height(board, column) != Puyo::rows - row) continue;
      const int colour = std::exchange(board.at(row, column), std::uint8_t{0});
      return Puyo::Drop{.colour = colour, .column = column};
    }
    return std::nullopt;
  }

 private:
  using Cell = std::pair<int, int>;  // row, column
  struct Group {
    static constexpr int size_max = 8;
    std::array<Cell, size_max> of{};
    std::size_t size = 0;

    void add(Cell cell) { of[size++] = cell; }
    std::span<const Cell> cells() const { return std::span{of}.first(size); }
  };

  bool put_under(Grid& board) {
    const Group group = connected_cells(board);
    raised_ = board;
    for (const auto& [row, column] : group.cells()) {
      if (!push_up(raised_, row, column)) return false;
    }
    const auto colour =
        static_cast<std::uint8_t>((first_colour_ - 1 + random_.integer(0, palette_ - 1)) % Puyo::colours + 1);
    for (const auto& [row, column] : group.cells()) raised_.at(row, column) = colour;
    if (!vanishes_alone(raised_, group.cells())) return false;
    std::swap(board, raised_);
    group_ = group;
    return true;
  }

  /// Four or more connected cells, within reach of the field. The lowest come first, so that inserting one lifts only
  /// puyos of the old field and none of the group inserted before.
  Group connected_cells(const Grid& board) {
    const auto size =
        static_cast<std::size_t>(random_.chance(1, 12) ? random_.integer(5, Group::size_max) : Puyo::group_min);
    const int column = random_.integer(0, Puyo::columns - 1);
    const int above_floor = random_.integer(0, std::min(height(board, column), Puyo::rows - 1));
    Group group;
    group.add({Puyo::rows - 1 - above_floor, column});
    for (int tries = 64; group.size < size && tries > 0; --tries) {
      const auto [down, right] = random_.pick(neighbours);
      Cell next = random_.pick(group.cells());
      next.first += down;
      next.second += right;
      if (board.contains(next.first, next.second) && std::ranges::find(group.cells(), next) == group.cells().end()) {
        group.add(next);
      }
    }
    std::ranges::sort(std::span{group.of}.first(group.size), std::greater{});
    return group;
  }

  /// Lifts a cell and all above it by one; returns false when the column is full or a hole would remain below.
  static bool push_up(Grid& board, int row, int column) {
    if (board.at(0, column) != 0) return false;
    if (row + 1 < Puyo::rows && board.at(row + 1, column) == 0) return false;
    for (int r = 0; r < row; ++r) board.at(r, column) = board.at(r + 1, column);
    board.at(row, column) = group_mark;
    return true;
  }

  static constexpr std::uint8_t group_mark = 1;  // any puyo: an occupied cell

  Random& random_;
  int first_colour_;
  int palette_;
  Grid raised_;  // kept for its memory
  Group group_;
};

/// Fields of 17 and of 18 chains, the most; ChainBuilder takes minutes for one.
constexpr std::array<std::array<std::string_view, Puyo::rows>, 2> longest_chains = {
    {{"B.B.P.", "Y.PPRG", "YBBYPP", "BRRYGP", "BRPYGB", "PYGRBB",  //
      "PGYYGP", "GPRBYR", "PPYYPP", "GBYGPP", "GBRRGG", "PPRPRR"},
     {"YYYGPG", "GPRRPY", "RPYBYB", "YYYRRR", "RGPYYB", "BBPYRB",  //
      "BGBBBP", "GPRGRP", "GPGYRB", "GBGRYY", "RGPGGY", "RGPGRR"}}};

/// One of them, with other colours, mirrored or not.
Puyo::Setup longest_chain(Random& random) {
  const auto& field = random.pick(longest_chains);
  const int shift = random.integer(0, Puyo::colours - 1);
  const bool mirrored = random.chance(1, 2);
  Puyo::Setup s;
  for (int row = 0; row < Puyo::rows; ++row) {
    for (int column = 0; column < Puyo::columns; ++column) {
      const char symbol = field[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
      const int colour = static_cast<int>(Puyo::cells.symbols.find(symbol));
      if (colour == 0) continue;
      s.board.at(row, mirrored ? Puyo::columns - 1 - column : column) =
          static_cast<std::uint8_t>((colour - 1 + shift) % Puyo::colours + 1);
    }
  }
  return s;
}

}  // namespace

Puyo::Setup Puyo::Suggestions::chain_field(Random& random, int chains, int palette) {
  for (;;) {
    Setup field;
    if (ChainBuilder{random, 1, palette}.build(field.board, chains) == chains) return field;
  }
}

Puyo::Suggestions::Suggestions(Random& random)
    : resolves_{1u << random.below(4)},
      palette_{random.integer(1, colours)},
      first_colour_{random.integer(1, colours)},
      width_{random.chance(1, 2) ? columns : random.integer(1, 3)},
      left_{random.integer(0, columns - width_)} {}

int Puyo::Suggestions::colour(Random& random) const {
  return (first_colour_ - 1 + random.integer(0, palette_ - 1)) % colours + 1;
}

Puyo::Setup Puyo::Suggestions::setup(Random& random) {
  // Another generator decides, so that all other scenarios of a seed are what they would be without these.
  if (Random other = random.apart(); other.chance(1, 128)) {
    opening_ = {Resolve{}};
    return longest_chain(other);
  }
  Setup s;
  const int style = random.integer(0, 7);
  if (style == 0) return s;  // empty: the field consists of drops alone
  if (style >= 5) {
    palette_ = std::max(palette_, 3);
    ChainBuilder builder{random, first_colour_, palette_};
    builder.build(s.board, random.chance(1, 2) ? chains_max : random.integer(1, 6));
    if (random.chance(1, 2)) {
      if (const auto drop = builder.take_trigger(s.board)) opening_ = {Resolve{}, *drop};
    } else {
      opening_ = {Resolve{}};
    }
    return s;
  }
  const bool brimful = style == 4;
  const int fullest = random.integer(1, rows);
  const unsigned same = static_cast<unsigned>(random.integer(0, 9));  // how often a puyo copies a neighbour
  for (int column = 0; column < columns; ++column) {
    const int tall = brimful ? rows - (random.chance(1, 6) ? 1 : 0) : random.integer(0, fullest);
    for (int row = rows - 1; row >= rows - tall; --row) {
      std::uint8_t puyo = static_cast<std::uint8_t>(colour(random));
      const bool sideways = random.chance(1, 2);
      const int from_row = sideways ? row : row + 1;
      const int from_column = sideways ? column - 1 : column;
      if (s.board.contains(from_row, from_column) && s.board.at(from_row, from_column) != 0 &&
          random.chance(same, 10)) {
        puyo = s.board.at(from_row, from_column);
      }
      s.board.at(row, column) = puyo;
    }
  }
  return s;
}

Puyo::Action Puyo::Suggestions::action(Random& random, const Setup&) {
  if (!opening_.empty()) {
    const Action next = opening_.back();
    opening_.pop_back();
    return next;
  }
  if (random.chance(resolves_, 32)) return Resolve{};
  const int column = random.chance(1, 16) ? random.integer(0, columns - 1) : left_ + random.integer(0, width_ - 1);
  return Drop{.colour = colour(random), .column = column};
}

}  // namespace lockstep
