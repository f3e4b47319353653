// Omok kept up stone by stone: one stone changes only the runs that it touches on the four lines
// through it, so the wins are corrected there and the judge only looks up the first of them. The work
// of a stone and of a judgement is the same on every board, however large or full. A setup is laid stone
// by stone too, so that there is one way only in which wins come about; who has a single question about
// a board is better served by shifts.hpp.
//
// Every line of the board is a word per colour. A stone's place on a line is its column, on an upright
// line its row; the bit of place p is bit p + 6, so that six places before and behind the line exist
// and are empty.
//
//   direction   lines                goes       a stone's line       place
//   across      one a row            → right    row                  column
//   down        one a column         ↓          column               row
//   falling     one a diagonal       ↘          column − row + 18    column
//   rising      one a diagonal       ↗          row + column         column
//
// All four go to the right or straight down: the first stone of a run is the one that names it.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "games/omok/game.hpp"
#include "lockstep/registry.hpp"

namespace lockstep::optimized {

class LinesOmok {
 public:
  explicit LinesOmok(const Omok::Setup& setup) : size_{setup.size} {
    const std::uint8_t* cell = setup.board.cells.data();
    for (int row = 0; row < size_; ++row) {
      for (int column = 0; column < size_; ++column, ++cell) {
        if (*cell != 0) toggle(*cell, row, column);
      }
    }
  }

  Omok::Observation step(const Omok::Action& action) {
    if (const auto* place = std::get_if<Omok::Place>(&action)) return play(*place);
    if (const auto* remove = std::get_if<Omok::Remove>(&action)) return play(*remove);
    return judge();
  }

  Omok::Snapshot snapshot() const {
    return {size_, Grid::drawn(size_, size_, [&](int row, int column) { return colour_at(row, column); })};
  }

 private:
  static constexpr int sides = Omok::size_max;
  static constexpr int reach = Omok::win_length + 1;  // a stone matters to places this far away: see changed_wins
  static constexpr std::uint32_t window = (1u << (2 * reach + 1)) - 1;
  static constexpr int lane = 16;  // bits of a 64-bit word that each of four windows gets
  static constexpr std::uint64_t middles = std::uint64_t{0x0001'0001'0001'0001u} << reach;

  enum Direction : std::size_t { across, down, falling, rising };
  static constexpr std::array<int, 4> rows_of = {0, 1, 1, -1};  // one step along a direction
  static constexpr std::array<int, 4> columns_of = {1, 0, 1, 1};

  /// The lines of one colour.
  struct Lines {
    std::array<std::uint32_t, sides> across{};
    std::array<std::uint32_t, sides> down{};
    std::array<std::uint32_t, 2 * sides - 1> falling{};
    std::array<std::uint32_t, 2 * sides - 1> rising{};
  };

  static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }
  static constexpr std::uint32_t bit(int place) { return std::uint32_t{1} << (place + reach); }

  int colour_at(int row, int column) const {
    if ((lines_[0].across[at(row)] & bit(column)) != 0) return 1;
    return (lines_[1].across[at(row)] & bit(column)) != 0 ? 2 : 0;
  }

  Omok::Observation play(const Omok::Place& place) {
    const std::uint32_t stones = lines_[0].across[at(place.row)] | lines_[1].across[at(place.row)];
    if ((stones & bit(place.column)) != 0) return {.says = Omok::Says::illegal};
    toggle(place.colour, place.row, place.column);
    return {.says = Omok::Says::done};
  }

  Omok::Observation play(const Omok::Remove& remove) {
    const int colour = colour_at(remove.row, remove.column);
    if (colour == 0) return {.says = Omok::Says::illegal};
    toggle(colour, remove.row, remove.column);
    return {.says = Omok::Says::done};
  }

  Omok::Observation judge() const {
    if (won_columns_ == 0) return {.says = Omok::Says::judged};
    const int column = std::countr_zero(won_columns_);
    const int row = std::countr_zero(stones_in(column));
    return Omok::won(colour_at(row, column), row, column);
  }

  /// A stone comes or goes: both are the same flip of four bits, and of the wins that it makes or breaks.
  /// The other colour is not concerned: to its runs this cell ends a line either way.
  ///
  /// Most stones make no five or more in a line while they are there. Then no win depends on them: those of which
  /// one is a part are such fives, and those beside it would be longer with it.
  void toggle(int colour, int row, int column) {
    Lines& lines = lines_[at(colour - 1)];
    std::uint32_t& a = lines.across[at(row)];
    std::uint32_t& d = lines.down[at(column)];
    std::uint32_t& f = lines.falling[at(column - row + sides - 1)];
    std::uint32_t& r = lines.rising[at(row + column)];
    const auto around = [](std::uint32_t line, int place, Direction direction) {
      return std::uint64_t{line >> place & window} << (lane * direction);
    };
    const std::uint64_t windows =
        around(a, column, across) | around(d, row, down) | around(f, column, falling) | around(r, column, rising);
    a ^= bit(column);
    d ^= bit(row);
    f ^= bit(column);
    r ^= bit(column);
    if (fives(windows | middles) != 0) correct_wins(row, column, windows);
  }

  /// Bit i: places i … i + 4 of a line are taken.
  ///
  ///   two   x & x >> 1          i, i+1
  ///   four  two & two >> 2      i, i+1, i+2, i+3
  ///   five  four & x >> 4       i, i+1, i+2, i+3, i+4
  static constexpr std::uint64_t fives(std::uint64_t x) {
    const std::uint64_t two = x & x >> 1;
    const std::uint64_t four = two & two >> 2;
    return four & x >> 4;
  }

  void correct_wins(int row, int column, std::uint64_t windows) {
    for (std::uint64_t changed = changed_wins(windows); changed != 0; changed &= changed - 1) {
      flip_win(row, column, std::countr_zero(changed));
    }
  }

  /// The starts of runs of exactly five, in each of four lanes whose three top bits are 0: a run is longer exactly
  /// when the five before or behind starts one place beside. What a shift carries in from a neighbouring lane
  /// comes to lie in the three top bits, or, with four places, in bit 12 too; it is ANDed there with zeros,
  /// since `four` has no bit above 9 and `five` none above 8.
  static constexpr std::uint64_t exact_fives(std::uint64_t x) {
    const std::uint64_t five = fives(x);
    return five & ~(five << 1) & ~(five >> 1);
  }

  /// Which wins differ between the stone in the middle of the windows being there and not being there.
  ///
  ///   place    −6 −5 −4 −3 −2 −1  p +1 +2 +3 +4 +5 +6
  ///   start        ■  ■  ■  ■  ■  ■  ■                      seven starts can depend on p:
  ///   first     ·  █  █  █  █  █  p                         from p right behind the five …
  ///   last                        p  █  █  █  █  █  ·       … to p right before it
  ///
  /// Whether five cells are a win depends on them and on the two beside them, so p matters to the starts
  /// −5 … +1 only, and those look no further than −6 … +6: the window holds all that they need. Every
  /// other start is judged the same with and without p, rightly or not, and drops out of the difference.
  static constexpr std::uint64_t changed_wins(std::uint64_t windows) {
    return exact_fives(windows | middles) ^ exact_fives(windows & ~middles);
  }

  /// Bit `where` of the windows round a cell: the win that starts there comes or goes.
  void flip_win(int near_row, int near_column, int where) {
    const std::size_t direction = at(where / lane);
    const int steps = where % lane - reach;
    const int column = near_column + steps * columns_of[direction];
    const int row = near_row + steps * rows_of[direction];
    won_[at(column)][direction] ^= std::uint32_t{1} << row;
    const std::uint32_t others = won_columns_ & ~(std::uint32_t{1} << column);
    won_columns_ = others | (stones_in(column) != 0 ? std::uint32_t{1} << column : 0);
  }

  /// The rows of a column in which a win's naming stone stands.
  std::uint32_t stones_in(int column) const {
    const auto& won = won_[at(column)];
    return won[across] | won[down] | won[falling] | won[rising];
  }

  int size_;
  std::array<Lines, 2> lines_{};                           // black, white
  std::array<std::array<std::uint32_t, 4>, sides> won_{};  // by column and direction: rows of naming stones
  std::uint32_t won_columns_ = 0;                          // columns with a naming stone
};

static_assert(Implementation<LinesOmok, Omok>);
inline const auto omok_lines = register_implementation<LinesOmok, Omok>(
    "lines", Kind::optimized, "a word per line and colour: one stone corrects the wins round it, and they are kept");

}  // namespace lockstep::optimized
