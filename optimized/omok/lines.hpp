// Omok, incremental: a stone changes only the runs that it touches on the four lines through it. So the wins are
// updated there, and `judge` only looks up the first of them. The cost of a stone and of a judgement is the same on
// every board, whatever its size and content. A setup is loaded stone by stone too, so that there is only one code
// path that creates wins. For a single question about a board shifts.hpp is faster.
//
// Every line of the board is one word per colour. The place of a stone on a line is its column, on a vertical line its
// row. Bit p + 6 is place p, so that six empty places exist before and behind every line.
//
//   direction   lines                goes       a stone's line       place
//   across      one a row            → right    row                  column
//   down        one a column         ↓          column               row
//   falling     one a diagonal       ↘          column − row + 18    column
//   rising      one a diagonal       ↗          row + column         column
//
// All four go to the right or straight down, so the first stone of a run is the one that names it.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "games/omok/game.hpp"
#include "lockstep/system/registry.hpp"

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
  static constexpr int reach = Omok::win_length + 1;  // the distance at which a stone still matters: see changed_wins
  static constexpr std::uint32_t window = (1u << (2 * reach + 1)) - 1;
  static constexpr int lane = 16;  // bits of a 64-bit word that each of four windows occupies
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

  /// Places or removes a stone: both flip the same four bits, and the wins that the stone makes or breaks. The other
  /// colour is not affected: for its runs this cell ends a line either way.
  void toggle(int colour, int row, int column) {
    Lines& lines = lines_[at(colour - 1)];
    std::uint32_t& a = lines.across[at(row)];
    std::uint32_t& d = lines.down[at(column)];
    std::uint32_t& f = lines.falling[at(column - row + sides - 1)];
    std::uint32_t& r = lines.rising[at(row + column)];
    const std::uint64_t windows =
        around(a, column, across) | around(d, row, down) | around(f, column, falling) | around(r, column, rising);
    a ^= bit(column);
    d ^= bit(row);
    f ^= bit(column);
    r ^= bit(column);
    for (std::uint64_t changed = wins_of_stone(windows); changed != 0; changed &= changed - 1) {
      flip_win(row, column, std::countr_zero(changed));
    }
  }

  /// The window of a line round a place, in its lane.
  static constexpr std::uint64_t around(std::uint32_t line, int place, Direction direction) {
    return std::uint64_t{line >> place & window} << (lane * direction);
  }

  /// Bit i: places i … i + 4 of a line are occupied.
  ///
  ///   two   x & x >> 1          i, i+1
  ///   four  two & two >> 2      i, i+1, i+2, i+3
  ///   five  four & x >> 4       i, i+1, i+2, i+3, i+4
  static constexpr std::uint64_t fives(std::uint64_t x) {
    const std::uint64_t two = x & x >> 1;
    const std::uint64_t four = two & two >> 2;
    return four & x >> 4;
  }

  /// The starts of runs of exactly five, in each of four lanes with three zero top bits. A run is longer than five
  /// exactly when another five starts one place before or behind. A shift carries bits from a neighbouring lane into
  /// the three top bits, or, for the shift by four places, into bit 12 too; there they are ANDed with zeros, since
  /// `four` has no bit above 9 and `five` none above 8.
  static constexpr std::uint64_t exact_fives(std::uint64_t x) {
    const std::uint64_t five = fives(x);
    return five & ~(five << 1) & ~(five >> 1);
  }

  /// The wins that differ between the windows with and without the stone in the middle.
  ///
  ///   place    −6 −5 −4 −3 −2 −1  p +1 +2 +3 +4 +5 +6
  ///   start        ■  ■  ■  ■  ■  ■  ■                      seven starts can depend on p:
  ///   first     ·  █  █  █  █  █  p                         from p right behind the five …
  ///   last                        p  █  █  █  █  █  ·       … to p right before it
  ///
  /// Whether five cells are a win depends on them and on the two cells beside them. So p matters to the starts −5 … +1
  /// only, and those depend on places −6 … +6 only, all of which the window holds. Every other start is judged the
  /// same with and without p, rightly or not, and cancels out of the difference.
  static constexpr std::uint64_t changed_wins(std::uint64_t windows) {
    return exact_fives(windows | middles) ^ exact_fives(windows & ~middles);
  }

  /// The wins that the stone in the middle makes or breaks. Most stones are not in a run of five or more. Then no win
  /// depends on the stone: a win that contains it would be such a run, and a five next to it would be a longer run with
  /// it.
  static constexpr std::uint64_t wins_of_stone(std::uint64_t windows) {
    return fives(windows | middles) != 0 ? changed_wins(windows) : 0;
  }

  /// Bit `where` of the windows round a cell: toggles the win that starts there.
  void flip_win(int near_row, int near_column, int where) {
    const std::size_t direction = at(where / lane);
    const int steps = where % lane - reach;
    const int column = near_column + steps * columns_of[direction];
    const int row = near_row + steps * rows_of[direction];
    won_[at(column)][direction] ^= std::uint32_t{1} << row;
    const std::uint32_t others = won_columns_ & ~(std::uint32_t{1} << column);
    won_columns_ = others | (stones_in(column) != 0 ? std::uint32_t{1} << column : 0);
  }

  /// The rows of a column that hold the naming stone of a win.
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
