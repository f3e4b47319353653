// Omok, many boards at once: one bit of a register is one board. A cell of as many boards is two registers, its black
// and its white stones. The neighbour of a cell is another pair of registers, so there are no shifts and no edge masks,
// and every instruction works on all these boards.
//
//                cell (0, 0)      cell (0, 1)      cell (0, 2)    …
//       black    b b b b b …      b b b b b …      b b b b b …
//       white    b b b b b …      b b b b b …      b b b b b …
//                └ board 0
//
// Registers of 32 bytes are the widest used: 256 boards and their wins just fit into a level 1 cache of 32 KB.
//
// Each line of the board is walked once. Two neighbours on it are linked when both are stones of one colour. Exactly
// five in a line are four links between two gaps:
//
//       cells    ·   ○   ●   ●   ●   ●   ●   ○   ·
//       links      0   0   1   1   1   1   0   0
//
// No step depends on a stone, so every board costs the same.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "games/omok/game.hpp"
#include "lockstep/system/processor.hpp"
#include "lockstep/system/registry.hpp"

namespace lockstep::optimized {

/// Boards of 19 × 19 side by side, empty at first. A smaller board uses the top left corner of one.
class OmokBoards {
 public:
  static constexpr std::size_t lanes = 256;

  explicit OmokBoards(std::size_t count) : count_{count}, groups_((count + lanes - 1) / lanes) {}

  int colour_at(std::size_t board, int row, int column) const {
    const Cell& cell = groups_[board / lanes].at(row, column);
    const Place place{board};
    return place.is_in(cell.black) ? 1 : place.is_in(cell.white) ? 2 : 0;
  }
  /// Colour 0 empties the cell.
  void put(std::size_t board, int colour, int row, int column) {
    Cell& cell = groups_[board / lanes].at(row, column);
    const Place place{board};
    place.set(cell.black, colour == 1);
    place.set(cell.white, colour == 2);
  }

  /// Judges all boards: winner and winning stone of each. The boards stay unchanged.
  void judge(std::span<Omok::Observation> answers) const {
    at_level_in_use([&](auto level) __attribute__((always_inline)) {
      constexpr std::size_t here = 8 * bytes_at<decltype(level)>;
      for (std::size_t first = 0; first < count_; first += here) {
        const Kernel<decltype(level)> kernel{groups_[first / lanes], first % lanes / 64};
        kernel.judge(answers.subspan(first, std::min(here, count_ - first)));
      }
    });
  }

 private:
  static constexpr int side = Omok::size_max;
  static constexpr int starts = side - Omok::win_length + 1;  // places on a line of 19 where five can begin

  /// The boards of a group that have some property, a bit each: board 70 is bit 6 of word 1.
  using Boards = std::array<std::uint64_t, lanes / 64>;
  struct alignas(lanes / 8) Cell {
    Boards black{};
    Boards white{};
  };
  /// Cells are row-major, wins (below) column-major: the offset of a step to the right, or down, is 1 in one and
  /// `side` in the other.
  ///
  ///     cells    0  1  2 …  18       wins    0 19 38 …        right            1            side
  ///             19 20 21 …  37               1 20 39 …        down             side         1
  ///             38 39 40 …                   2 21 40 …        falling ↘        side + 1     side + 1
  ///              ⋮                           ⋮                rising ↗         1 − side     side − 1
  static constexpr std::size_t index(int row, int column) { return static_cast<std::size_t>((side * row) + column); }
  struct Group {
    std::array<Cell, side * side> cells{};
    Cell& at(int row, int column) { return cells[index(row, column)]; }
    const Cell& at(int row, int column) const { return cells[index(row, column)]; }
  };

  /// The bit of one board.
  struct Place {
    explicit Place(std::size_t board) : word{(board % lanes) / 64}, bit{std::uint64_t{1} << (board % 64)} {}
    bool is_in(const Boards& boards) const { return (boards[word] & bit) != 0; }
    void set(Boards& boards, bool on) const { boards[word] = (boards[word] & ~bit) | (on ? bit : 0); }
    std::size_t word;
    std::uint64_t bit;
  };

  template <class Compiled>
  static constexpr std::size_t bytes_at = std::min(Compiled::bytes, lanes / 8);

  /// Judges as many boards of a group as a register has bits.
  template <class Compiled>
  class Kernel {
   public:
    [[gnu::always_inline]] Kernel(const Group& group, std::size_t word) : group_{group}, word_{word} {}

    [[gnu::always_inline]] void judge(std::span<Omok::Observation> answers) const {
      Wins wins;
      for (int row = 0; row < side; ++row) walk<side, false>(&group_.at(row, 0), 1, &wins[win_index(row, 0)], side);
      walk_diagonals(wins, std::make_integer_sequence<int, side - Omok::win_length + 1>{});
      First found;
      for (int column = 0; column < starts; ++column) find_in_column<true>(wins, column, found);
      for (int column = starts; column < side; ++column) find_in_column<false>(wins, column, found);
      tell(found, answers);
    }

   private:
    static constexpr std::size_t bytes = bytes_at<Compiled>;
    using Slice = Vector<std::uint64_t, bytes>;

    // Wins --------------------------------------------------------------------------------------

    /// The first stones of wins that go to the right, in column-major order, for the columns where a win fits.
    using Wins = Slice[starts * side];
    static constexpr std::size_t win_index(int row, int column) {
      return static_cast<std::size_t>((side * column) + row);
    }

    struct Stones {
      Slice black, white;
    };
    [[gnu::always_inline]] void look(Stones& out, const Cell& cell) const {
      std::size_t word = 0;
      if constexpr (bytes != sizeof(Boards)) word = word_;
      load(out.black, &cell.black[word]);
      load(out.white, &cell.white[word]);
    }

    /// The wins on a line of `length` cells, `step` apart: stored at their first cells, or ORed to what is there.
    template <int length, bool add>
    [[gnu::always_inline]] void walk(const Cell* cell, std::ptrdiff_t step, Slice* win, std::ptrdiff_t win_step) const {
      Slice links[length + 1];  // links[k] joins cells k − 1 and k of the line; there are none at its ends
      links[0] = links[length] = Slice{};
      Stones last;
      look(last, *cell);
      for (int k = 1; k < length; ++k) {
        Stones here;
        look(here, cell[k * step]);
        links[k] = (last.black & here.black) | (last.white & here.white);
        last = here;
        asm volatile("" ::: "memory");  // else clang 19 loads the cells in no order, which costs a tenth
      }
      for (int k = 0; k + Omok::win_length <= length; ++k) {
        const Slice five = ~links[k] & links[k + 1] & links[k + 2] & links[k + 3] & links[k + 4] & ~links[k + 5];
        if constexpr (add) {
          win[k * win_step] |= five;
        } else {
          win[k * win_step] = five;
        }
      }
    }

    /// Each direction has two diagonals of every length, except for the longest, of which it has one:
    ///
    ///     falling ↘   from the top row     rising ↗   from the bottom row
    ///                 and the left column             and the left column
    template <int... shorter>
    [[gnu::always_inline]] void walk_diagonals(Wins& wins, std::integer_sequence<int, shorter...>) const {
      (walk_diagonal<side - shorter, 1>(wins, 0, shorter), ...);
      (walk_diagonal<side - shorter - 1, 1>(wins, shorter + 1, 0), ...);
      (walk_diagonal<side - shorter, -1>(wins, side - 1, shorter), ...);
      (walk_diagonal<side - shorter - 1, -1>(wins, side - 2 - shorter, 0), ...);
    }
    template <int length, int down>
    [[gnu::always_inline]] void walk_diagonal(Wins& wins, int row, int column) const {
      if constexpr (length >= Omok::win_length) {
        // One column to the right and, in rows, one down or up.
        const Cell* const first = &group_.at(row, column);
        Slice* const win = &wins[win_index(row, column)];
        // Not inlined: with every walk in it twice, the code exceeds the instruction cache.
        at_level<Compiled::level>([this, first, win](auto) __attribute__((always_inline)) {
          walk<length, true>(first, (down * side) + 1, win, side + down);
        });
      }
    }

    // Answers -----------------------------------------------------------------------------------

    /// For each board the win that is reported; row and column in binary, least significant digit first.
    struct First {
      Slice won{};
      Slice white{};  // the winner is white
      Slice row[5] = {};
      Slice column[5] = {};
    };

    /// Columns are processed from left to right. until[r] has the boards with a win in an earlier column, or in this
    /// column above row r; so until[b] & ~until[a] has the boards with the reported win in this column, in one of the
    /// rows a … b − 1. The rows with the digit 1 in their number form groups of `length`, each after a group of the
    /// same size with the digit 0:
    ///
    ///     row                  0 1 2 3 4 5 6 7 8 …
    ///     digit 0, length 1    0 1 0 1 0 1 0 1 0        the rows from `length` on, every 2 · length
    ///     digit 1, length 2    0 0 1 1 0 0 1 1 0
    ///     digit 2, length 4    0 0 0 0 1 1 1 1 0
    template <bool right_fits>
    [[gnu::always_inline]] void find_in_column(const Wins& wins, int column, First& found) const {
      const Cell* const cells = &group_.at(0, column);
      Slice down[starts];
      walk<side, false>(cells, side, down, 1);
      Slice until[side + 1];
      until[0] = found.won;
      for (int row = 0; row < starts; ++row) until[row + 1] = until[row] | down[row];
      for (int row = starts; row < side; ++row) until[row + 1] = until[starts];
      if constexpr (right_fits) {
        Slice sidelong{};
        for (int row = 0; row < side; ++row) {
          sidelong |= wins[win_index(row, column)];
          until[row + 1] |= sidelong;
        }
      }
      Slice white = found.white;
      for (int row = 0; row < side; ++row) {
        Stones here;
        look(here, cells[side * row]);
        white |= until[row + 1] & ~until[row] & here.white;
      }
      for (int digit = 0; digit < 5; ++digit) {
        const int length = 1 << digit;
        Slice here = found.row[digit];
        for (int row = length; row < side; row += 2 * length) {
          here |= until[std::min(row + length, side)] & ~until[row];
        }
        found.row[digit] = here;
        if (((column >> digit) & 1) != 0) found.column[digit] |= until[side] & ~until[0];
      }
      found.won = until[side];
      found.white = white;
    }

    /// An answer is a four-byte number; each of its digits contributes one term to it.
    static_assert(static_cast<int>(Omok::Says::illegal) == 0);
    static constexpr std::uint32_t number(Omok::Observation part) { return std::bit_cast<std::uint32_t>(part); }

#if defined(__x86_64__)
    /// With mask registers: sixteen boards of a slice are a mask. A function of its own, because intrinsics are inlined
    /// only where their instructions are allowed by name.
    [[gnu::noinline, gnu::target(LOCKSTEP_AVX512)]] static void tell_by_masks(const First& found,
                                                                              std::span<Omok::Observation> answers) {
      for (std::size_t i = 0; i < answers.size(); i += 16) {
        __m512i told = _mm512_set1_epi32(static_cast<int>(number({.says = Omok::Says::judged})));
        add(told, found.won, i, {.winner = 1, .row = 1, .column = 1});
        add(told, found.white, i, {.winner = 1});
        for (int digit = 0; digit < 5; ++digit) {
          add(told, found.row[digit], i, {.row = static_cast<std::int8_t>(1 << digit)});
          add(told, found.column[digit], i, {.column = static_cast<std::int8_t>(1 << digit)});
        }
        const std::size_t here = std::min<std::size_t>(16, answers.size() - i);
        _mm512_mask_storeu_epi32(&answers[i], static_cast<__mmask16>(0xffff >> (16 - here)), told);
      }
    }
    /// Adds to the answers of those of sixteen boards that are in the slice.
    [[gnu::always_inline, gnu::target(LOCKSTEP_AVX512)]] static void add(__m512i& told, const Slice& slice,
                                                                         std::size_t first, Omok::Observation part) {
      __mmask16 which;
      std::memcpy(&which, reinterpret_cast<const char*>(&slice) + (first / 8), sizeof which);
      told = _mm512_mask_add_epi32(told, which, told, _mm512_set1_epi32(static_cast<int>(number(part))));
    }
#endif

    /// Bit b of byte j of slices[k] becomes bit k of byte j of slices[b].
    [[gnu::always_inline]] static void turn(Slice (&slices)[8]) {
      constexpr std::uint64_t lower_halves[] = {0x5555'5555'5555'5555, 0x3333'3333'3333'3333, 0, 0x0f0f'0f0f'0f0f'0f0f};
      for (const int distance : {4, 2, 1}) {
        for (int k = 0; k < 8; ++k) {
          if ((k & distance) != 0) continue;
          const Slice moved = ((slices[k] >> distance) ^ slices[k + distance]) & lower_halves[distance - 1];
          slices[k + distance] ^= moved;
          slices[k] ^= moved << distance;
        }
      }
    }

    /// Once turned, the digits of board 8j + b are byte j of slice b. In the bytes of the rows, bit 5 is the winner's
    /// colour and bit 6 says whether there is one.
    [[gnu::always_inline]] static void tell(const First& found, std::span<Omok::Observation> answers) {
      using Says = Omok::Says;
#if defined(__x86_64__)
      if constexpr (Compiled::level >= Level::avx512) return tell_by_masks(found, answers);
#endif
      Slice rows[8] = {found.row[0], found.row[1], found.row[2], found.row[3], found.row[4], found.white, found.won};
      Slice columns[8] = {found.column[0], found.column[1], found.column[2], found.column[3], found.column[4]};
      turn(rows);
      turn(columns);
      std::uint32_t told[8][bytes];
      for (int bit = 0; bit < 8; ++bit) {
        std::uint8_t row[bytes];
        std::uint8_t column[bytes];
        store(row, rows[bit]);
        store(column, columns[bit]);
        for (std::size_t j = 0; j < bytes; ++j) {
          const std::uint32_t won = row[j] >> 6 & 1u;
          const std::uint32_t white = row[j] >> 5 & 1u;
          told[bit][j] = number({.says = Says::judged}) + won * number({.winner = 1, .row = 1, .column = 1}) +
                         white * number({.winner = 1}) + (row[j] & 31u) * number({.row = 1}) +
                         column[j] * number({.column = 1});
        }
      }
      std::uint32_t sorted[8 * bytes];
      for (std::size_t j = 0; j < bytes; ++j) {
        for (std::size_t bit = 0; bit < 8; ++bit) sorted[8 * j + bit] = told[bit][j];
      }
      std::memcpy(answers.data(), sorted, 4 * answers.size());
    }

    const Group& group_;
    std::size_t word_;  // the first of those that are judged
  };

  std::size_t count_;
  std::vector<Group> groups_;
};

/// Plays one game in one lane, and changes the lane at every question. The other lanes hold noise; the game swaps
/// places with one of them.
class BatchOmok {
 public:
  explicit BatchOmok(const Omok::Setup& setup) : size_{setup.size}, batch_{noise()} {
    for (int row = 0; row < side; ++row) {
      for (int column = 0; column < side; ++column) {
        const bool inside = row < size_ && column < size_;
        batch_.put(lane_, inside ? setup.board.at(row, column) : 0, row, column);
      }
    }
  }

  Omok::Observation step(const Omok::Action& action) {
    if (const auto* place = std::get_if<Omok::Place>(&action)) {
      if (batch_.colour_at(lane_, place->row, place->column) != 0) return {.says = Omok::Says::illegal};
      batch_.put(lane_, place->colour, place->row, place->column);
      return {.says = Omok::Says::done};
    }
    if (const auto* remove = std::get_if<Omok::Remove>(&action)) {
      if (batch_.colour_at(lane_, remove->row, remove->column) == 0) return {.says = Omok::Says::illegal};
      batch_.put(lane_, 0, remove->row, remove->column);
      return {.says = Omok::Says::done};
    }
    move_to((lane_ + 37) % boards);
    std::array<Omok::Observation, boards> answers;
    batch_.judge(answers);
    return answers[lane_];
  }

  Omok::Snapshot snapshot() const {
    Omok::Snapshot out{.size = size_, .board = Grid{size_, size_}};
    for (int row = 0; row < size_; ++row) {
      for (int column = 0; column < size_; ++column) {
        out.board.at(row, column) = static_cast<std::uint8_t>(batch_.colour_at(lane_, row, column));
      }
    }
    return out;
  }

 private:
  static constexpr int side = Omok::size_max;
  static constexpr std::size_t boards = 300;  // more than one group, and not a multiple of the group size

  void move_to(std::size_t lane) {
    for (int row = 0; row < side; ++row) {
      for (int column = 0; column < side; ++column) {
        const int mine = batch_.colour_at(lane_, row, column);
        batch_.put(lane_, batch_.colour_at(lane, row, column), row, column);
        batch_.put(lane, mine, row, column);
      }
    }
    lane_ = lane;
  }

  /// Boards half full of stones, from a linear congruential generator.
  static const OmokBoards& noise() {
    static const OmokBoards thrown = [] {
      OmokBoards out{boards};
      std::uint64_t state = 1;
      for (std::size_t board = 0; board < boards; ++board) {
        for (int cell = 0; cell < side * side; ++cell) {
          state = state * 6364136223846793005u + 1442695040888963407u;
          const int thrown_of_four = static_cast<int>(state >> 62);
          out.put(board, thrown_of_four < 3 ? thrown_of_four : 0, cell / side, cell % side);
        }
      }
      return out;
    }();
    return thrown;
  }

  int size_;
  OmokBoards batch_;
  std::size_t lane_ = 262;  // the lane used last; the next one is 299, the last lane
};

static_assert(Implementation<BatchOmok, Omok>);
inline const auto omok_batch = register_batch<BatchOmok, Omok>("batch", "one of many boards, a bit of each register");

}  // namespace lockstep::optimized
