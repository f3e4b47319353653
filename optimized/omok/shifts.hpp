// Omok with a row as a word: `judge` tests all lines of both colours at once, by shifts.
//
// Each cell keeps its number, 0, 1 or 2, in two bits: the even bits of a row are its black stones and the odd ones its
// white stones. A step of one column is a shift by two, which keeps the colours separate.
//
//   bit       37 36    …    5 4     3 2     1 0
//   column      18            2       1       0
//
// Bits 38 … 63 are 0. Five empty rows above and below the board replace bounds checks: every access beyond an edge finds
// no stone.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "games/omok/game.hpp"
#include "lockstep/system/registry.hpp"

namespace lockstep::optimized {

class ShiftsOmok {
 public:
  explicit ShiftsOmok(const Omok::Setup& setup) : size_{setup.size} {
    const std::uint8_t* cells = setup.board.cells.data();
    for (int row = 0; row < size_; ++row, cells += size_) word(row) = packed(cells, size_);
  }

  Omok::Observation step(const Omok::Action& action) {
    if (const auto* place = std::get_if<Omok::Place>(&action)) return play(*place);
    if (const auto* remove = std::get_if<Omok::Remove>(&action)) return play(*remove);
    return judge();
  }

  Omok::Snapshot snapshot() const {
    return {size_, Grid::drawn(size_, size_, [&](int row, int column) { return cell(word(row), column); })};
  }

 private:
  [[gnu::always_inline]] Omok::Observation judge() const {
    return has_five() ? leftmost_win() : Omok::Observation{.says = Omok::Says::judged};
  }

  static constexpr int sides = Omok::size_max;
  static constexpr int border = Omok::win_length;  // empty rows above and below
  static constexpr int bits = 2;                   // of a cell

  static constexpr std::size_t index(int row) { return static_cast<std::size_t>(row + border); }
  std::uint64_t& word(int row) { return rows_[index(row)]; }
  std::uint64_t word(int row) const { return rows_[index(row)]; }

  static constexpr std::uint8_t cell(std::uint64_t row, int column) { return row >> (bits * column) & 3; }
  static constexpr std::uint64_t lifted(int cell, int column) {
    return static_cast<std::uint64_t>(cell) << (bits * column);
  }

  /// Packs eight cells, a byte each, into sixteen bits. First, neighbours are joined, which leaves four digits of four
  /// bits at the bits 0, 16, 32 and 48. Then one product moves digit i by 48 − 12i to 48 + 4i:
  ///
  ///   digits      16i       i = 0 … 3
  ///   factor      48 − 12j  j = 0 … 3
  ///   product     48 + 16i − 12j
  ///
  /// No two pairs (i, j) collide: 16i − 12j = 16i' − 12j' needs 4 | j − j', so j = j' and i = i'. So all digits occupy
  /// separate bits and nothing is carried. The top sixteen bits hold the terms with 16i − 12j from 0 to 15: for i = j
  /// that is 4i, for i > j at least 16 + 4j, and for i < j at most 4j − 16 < 0.
  static std::uint64_t packed8(const std::uint8_t* cells) {
    constexpr std::uint64_t digits = 0x000f'000f'000f'000fu;
    constexpr std::uint64_t factor = 1ull << 48 | 1ull << 36 | 1ull << 24 | 1ull << 12;
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, cells, sizeof bytes);
    if constexpr (std::endian::native == std::endian::big) bytes = std::byteswap(bytes);
    return ((bytes | bytes >> 6) & digits) * factor >> 48;
  }

  /// A row of `count` cells. Groups of eight may overlap, since they set the same bits twice.
  static std::uint64_t packed(const std::uint8_t* cells, int count) {
    std::uint64_t row = 0;
    if (count < 8) {
      for (int column = 0; column < count; ++column) row |= lifted(cells[column], column);
      return row;
    }
    const int last = count - 8;
    const int middle = std::min(8, last);
    for (const int first : {0, middle, last}) row |= packed8(cells + first) << (bits * first);
    return row;
  }

  Omok::Observation play(const Omok::Place& place) {
    if (cell(word(place.row), place.column) != 0) return {.says = Omok::Says::illegal};
    word(place.row) |= lifted(place.colour, place.column);
    return {.says = Omok::Says::done};
  }

  Omok::Observation play(const Omok::Remove& remove) {
    if (cell(word(remove.row), remove.column) == 0) return {.says = Omok::Says::illegal};
    word(remove.row) &= ~lifted(3, remove.column);
    return {.says = Omok::Says::done};
  }

  /// The stones of a row that start five of one colour in a line with a step of `down` rows (−1, 0 or 1) and `right`
  /// columns (0 or 1): rows aligned by shifts, and an AND.
  ///
  ///   falling (down = 1, right = 1)      row     · · a b c d e f g …
  ///                                      row + 1 · · b c d e f g …      >> one column
  ///                                      row + 2 · · c d e f g …        >> two columns, and so on
  template <int down, int right>
  [[gnu::always_inline]] std::uint64_t fives(int row) const {
    std::uint64_t run = word(row);
    for (int k = 1; k < Omok::win_length; ++k) run &= word(row + k * down) >> (bits * k * right);
    return run;
  }

  /// The fives without a sixth stone before or behind them.
  template <int down, int right>
  [[gnu::always_inline]] std::uint64_t exact_fives(int row) const {
    const std::uint64_t before = word(row - down) << (bits * right);
    const std::uint64_t behind = word(row + Omok::win_length * down) >> (bits * Omok::win_length * right);
    return fives<down, right>(row) & ~before & ~behind;
  }

  /// Whether there is a run of five or more. Most boards have none, and then nothing more is computed. One loop
  /// without branches or stores, which compilers vectorise.
  [[gnu::always_inline]] bool has_five() const {
    std::uint64_t any = 0;
    for (int row = 0; row < sides; ++row) {
      any |= fives<0, 1>(row) | fives<1, 0>(row) | fives<1, 1>(row) | fives<-1, 1>(row);
    }
    return any != 0;
  }

  /// Lines go to the right or straight down, so the first stone of each is the one that names it. The union of all
  /// naming stones gives the leftmost column, and then the topmost row with one in that column.
  [[gnu::always_inline]] Omok::Observation leftmost_win() const {
    std::array<std::uint64_t, sides> stones{};
    std::uint64_t together = 0;
    for (int row = 0; row < sides; ++row) {
      const std::uint64_t found =
          exact_fives<0, 1>(row) | exact_fives<1, 0>(row) | exact_fives<1, 1>(row) | exact_fives<-1, 1>(row);
      stones[static_cast<std::size_t>(row)] = found;
      together |= found;
    }
    if (together == 0) return {.says = Omok::Says::judged};
    const int column = std::countr_zero(together) / bits;
    const auto first = std::ranges::find_if(stones, [&](std::uint64_t found) { return cell(found, column) != 0; });
    return Omok::won(cell(*first, column), static_cast<int>(first - stones.begin()), column);
  }

  int size_;
  std::array<std::uint64_t, sides + 2 * border> rows_{};
};

static_assert(Implementation<ShiftsOmok, Omok>);
inline const auto omok_shifts = register_implementation<ShiftsOmok, Omok>(
    "shifts", Kind::optimized, "a row of both colours in one word: five in a line is an AND of shifted rows");

}  // namespace lockstep::optimized
