// Omok with four rows of the board in one row of bytes. The board is cut into four bands of five rows, and a byte holds
// the cells of all bands at one place, two bits each:
//
//     bits           7 6      5 4      3 2     1 0
//     cell in row   r + 15   r + 10   r + 5     r         r = 0 … 4
//
// So sixteen bytes, which any processor's registers have, are 64 cells of both colours: as numbers, 1 or 2, so that an
// AND keeps a stone only where the other one has its colour. Row 5 is row 0 of the next band, and so on:
//
//     row r + 5   the bytes of row r, shifted right by two bits
//     row r − 5   the bytes of row r, shifted left by two bits
//
// A step to the right is a shift by whole bytes: the columns 0 … 15 are one register, into which the columns 16 … 18 move,
// and then zeros. All lines go to the right or straight down. One that goes to the right begins in a column below 15, so
// only vertical lines are looked for in the other register. No line needs an edge mask, since outside there are zeros.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "games/omok/game.hpp"
#include "lockstep/system/processor.hpp"
#include "lockstep/system/registry.hpp"

namespace lockstep::optimized {

class BandsOmok {
 public:
  explicit BandsOmok(const Omok::Setup& setup) : size_{setup.size} {
    const std::uint8_t* cells = setup.board.cells.data();
    std::array<std::uint8_t, side * side> padded{};
    if (size_ < side) {
      for (int row = 0; row < size_; ++row, cells += size_) std::copy_n(cells, size_, &padded[index(row) * side]);
      cells = padded.data();
    }
    read(cells);
  }

  Omok::Observation step(const Omok::Action& action) {
    if (const auto* place = std::get_if<Omok::Place>(&action)) {
      if (colour_at(place->row, place->column) != 0) return {.says = Omok::Says::illegal};
      flip(place->colour, place->row, place->column);
      return {.says = Omok::Says::done};
    }
    if (const auto* remove = std::get_if<Omok::Remove>(&action)) {
      const int colour = colour_at(remove->row, remove->column);
      if (colour == 0) return {.says = Omok::Says::illegal};
      flip(colour, remove->row, remove->column);
      return {.says = Omok::Says::done};
    }
    Omok::Observation answer{.says = Omok::Says::judged};
    at_level_in_use([&](auto) __attribute__((always_inline)) { judge(answer); });
    return answer;
  }

  Omok::Snapshot snapshot() const {
    return {size_, Grid::drawn(size_, size_, [&](int row, int column) { return colour_at(row, column); })};
  }

 private:
  static constexpr int side = Omok::size_max;
  static constexpr int rows = 5;  // of a band
  static constexpr int bands = 4;
  static constexpr int bits = 2;  // of a cell
  static constexpr std::size_t half = 16;
  static_assert(bands * rows >= side);

  using Bytes = Vector<std::uint8_t, half>;
  using Cells = Vector<std::uint64_t, half>;  // bands are changed by shifts of words
  using Board = std::array<std::array<std::uint8_t, 2 * half>, rows>;

  static constexpr std::size_t index(int i) { return static_cast<std::size_t>(i); }
  int colour_at(int row, int column) const {
    return bytes_[index(row % rows)][index(column)] >> (row / rows * bits) & 3;
  }
  void flip(int colour, int row, int column) {
    bytes_[index(row % rows)][index(column)] ^= static_cast<std::uint8_t>(colour << (row / rows * bits));
  }

  /// Sixteen bytes from the n-th byte of the first register on, then from the second.
  template <int n>
  [[gnu::always_inline]] static void move(Cells& out, const Cells& first, const Cells& second) {
    const auto one = reinterpret_cast<Bytes>(first);
    const auto other = reinterpret_cast<Bytes>(second);
    [&]<int... i>(std::integer_sequence<int, i...>) __attribute__((always_inline)) {
      out = reinterpret_cast<Cells>(__builtin_shufflevector(one, other, std::integral_constant<int, n + i>::value...));
    }(std::make_integer_sequence<int, int{half}>{});
  }

  /// Reads 19 × 19 bytes, 0, 1 or 2. The last sixteen cells of a row contain the last three.
  [[gnu::always_inline]] void read(const std::uint8_t* cells) {
    constexpr int overlap = 2 * int{half} - side;
    for (int row = 0; row < rows; ++row, cells += side) {
      Cells left{};
      Cells right{};
      for (int band = 0; band < bands && row + rows * band < side; ++band) {
        Cells some;
        load(some, cells + band * rows * side);
        left |= some << (bits * band);
        load(some, cells + band * rows * side + side - int{half});
        right |= some << (bits * band);
      }
      move<overlap>(right, right, Cells{});
      store(&bytes_[index(row)][0], left);
      store(&bytes_[index(row)][half], right);
    }
  }

  // Judging -------------------------------------------------------------------------------------

  /// One register of each row of bytes.
  struct Rows {
    Cells at[rows];
  };

  /// Turns a row r of bytes into the row r + 5, or r − 5, of the board.
  template <bool below>
  [[gnu::always_inline]] static void change_band(Cells& row) {
    constexpr std::uint64_t each = 0x0101'0101'0101'0101u;
    if constexpr (below) row = row >> bits & 0x3f * each;
    else row = row << bits & 0xfc * each;
  }

  /// Any row from −5 to 9.
  template <int row>
  [[gnu::always_inline]] static void look(Cells& out, const Rows& some) {
    out = some.at[(row + rows) % rows];
    if constexpr (row < 0 || row >= rows) change_band<(row > 0)>(out);
  }

  /// The stones of a row that begin five of one colour or more, with a step of `down` rows and `right` columns; `moved[k]` is
  /// the board moved by k columns. The cells in another band are brought to this one together.
  template <int row, int down, int right>
  [[gnu::always_inline]] static void fives(Cells& out, const Rows* moved) {
    constexpr int last = row + (Omok::win_length - 1) * down;
    Cells beyond = ~Cells{};
    out = moved[0].at[row];
    for (int k = 1; k < Omok::win_length; ++k) {
      const int at = row + k * down;
      if (at >= 0 && at < rows) out &= moved[k * right].at[at];
      else beyond &= moved[k * right].at[(at + rows) % rows];
    }
    if constexpr (last < 0 || last >= rows) {
      change_band<(down > 0)>(beyond);
      out &= beyond;
    }
  }

  /// Those of the fives without a sixth stone before or behind them.
  template <int row, int down, int right>
  [[gnu::always_inline]] static void make_exact(Cells& fives, const Rows* moved) {
    Cells before, behind;
    look<row - down>(before, moved[-right]);
    look<row + Omok::win_length * down>(behind, moved[Omok::win_length * right]);
    fives &= ~before & ~behind;
  }

  [[gnu::always_inline]] static void for_each_row(auto&& visit) {
    [&]<int... row>(std::integer_sequence<int, row...>) __attribute__((always_inline)) {
      (visit.template operator()<row>(), ...);
    }(std::make_integer_sequence<int, rows>{});
  }

  /// Most boards have no five; then nothing more is computed, and the answer stays as it is.
  [[gnu::always_inline]] void judge(Omok::Observation& answer) const {
    Rows moved_from[7];
    Rows* const left = &moved_from[1];
    Rows right;
    for_each_row([&]<int row>() __attribute__((always_inline)) {
      load(left[0].at[row], &bytes_[row][0]);
      load(right.at[row], &bytes_[row][half]);
      move<half - 1>(left[-1].at[row], Cells{}, left[0].at[row]);
      move<1>(left[1].at[row], left[0].at[row], right.at[row]);
      move<2>(left[2].at[row], left[0].at[row], right.at[row]);
      move<3>(left[3].at[row], left[0].at[row], right.at[row]);
      move<4>(left[4].at[row], left[0].at[row], right.at[row]);
      move<5>(left[5].at[row], left[0].at[row], right.at[row]);
    });
    Rows across, down, down_right, falling, rising;
    Cells any{};
    for_each_row([&]<int row>() __attribute__((always_inline)) {
      fives<row, 0, 1>(across.at[row], left);
      fives<row, 1, 0>(down.at[row], left);
      fives<row, 1, 0>(down_right.at[row], &right);
      fives<row, 1, 1>(falling.at[row], left);
      fives<row, -1, 1>(rising.at[row], left);
      any |= across.at[row] | down.at[row] | down_right.at[row] | falling.at[row] | rising.at[row];
    });
    if ((any[0] | any[1]) == 0) return;
    Board wins;
    for_each_row([&]<int row>() __attribute__((always_inline)) {
      make_exact<row, 0, 1>(across.at[row], left);
      make_exact<row, 1, 0>(down.at[row], left);
      make_exact<row, 1, 0>(down_right.at[row], &right);
      make_exact<row, 1, 1>(falling.at[row], left);
      make_exact<row, -1, 1>(rising.at[row], left);
      store(&wins[row][0], across.at[row] | down.at[row] | falling.at[row] | rising.at[row]);
      store(&wins[row][half], down_right.at[row]);
    });
    find_leftmost(wins, answer);
  }

  /// Finds the leftmost column with a win, and in it the topmost one: the column's cells are put into one word, row 0 in
  /// the lowest two bits. The product has the byte four times, so its bits 10b and 10b + 1 are band b's cell:
  ///
  ///     10b = 8b + 2b, and the b-th copy begins at bit 8b
  [[gnu::always_inline]] static void find_leftmost(const Board& wins, Omok::Observation& answer) {
    Bytes left{};
    Bytes right{};
    for (const auto& row : wins) {
      Bytes some;
      load(some, &row[0]);
      left |= some;
      load(some, &row[half]);
      right |= some;
    }
    const std::uint64_t columns = bits_of(left != 0) | bits_of(right != 0) << half;
    if (columns == 0) return;
    const int column = std::countr_zero(columns);
    constexpr std::uint64_t copies = 0x0101'0101u;
    constexpr std::uint64_t cells = 3ull | 3ull << 10 | 3ull << 20 | 3ull << 30;
    std::uint64_t stones = 0;
    for (int row = 0; row < rows; ++row) stones |= (wins[index(row)][index(column)] * copies & cells) << (bits * row);
    const int first = std::countr_zero(stones);
    answer = Omok::won(1 + first % bits, first / bits, column);
  }

  int size_;
  alignas(half) Board bytes_;
};

static_assert(Implementation<BandsOmok, Omok>);
inline const auto omok_bands = register_implementation<BandsOmok, Omok>(
    "bands", Kind::optimized, "the board in four bands, a cell of each in a byte: sixteen bytes are 64 cells");

}  // namespace lockstep::optimized
