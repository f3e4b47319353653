// Omok, many boards at once with AVX-512: one bit of a register is one board. A cell of 256 boards is two registers,
// its black and its white stones. The neighbour of a cell is another pair of registers, so there are no shifts and no
// edge masks, and every instruction works on 256 boards.
//
//                cell (0, 0)      cell (0, 1)      cell (0, 2)    …
//       black    b b b b b …      b b b b b …      b b b b b …
//       white    b b b b b …      b b b b b …      b b b b b …
//                └ board 0
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
#include "lockstep/processor.hpp"
#include "lockstep/registry.hpp"

namespace lockstep::optimized {

/// Boards of 19 × 19 side by side, empty at first. A smaller board uses the top left corner of one.
class OmokBoards {
 public:
  static constexpr std::size_t lanes = 256;

  explicit OmokBoards(std::size_t count) : count_{count}, groups_((count + lanes - 1) / lanes) {}

  std::size_t count() const { return count_; }

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
  [[gnu::target("avx512f,avx512vl")]] void judge(std::span<Omok::Observation> answers) const {
    for (std::size_t first = 0; first < count_; first += lanes) {
      const Group& group = groups_[first / lanes];
      alignas(lanes / 8) Wins wins;
      walk_rows(group, wins);
      walk_diagonals(group, wins, std::make_integer_sequence<int, side - Omok::win_length + 1>{});
      First found;
      for (int column = 0; column < starts; ++column) find_in_column<true>(group, wins, column, found);
      for (int column = starts; column < side; ++column) find_in_column<false>(group, wins, column, found);
      tell(found, answers.subspan(first, std::min(lanes, count_ - first)));
    }
  }

 private:
  static constexpr int side = Omok::size_max;
  static constexpr int starts = side - Omok::win_length + 1;  // places on a line of 19 where five can begin
  using Slice = std::uint64_t __attribute__((vector_size(lanes / 8)));

  /// Aligned by word, because g++ aligns a slice to 16 bytes outside of functions for wide registers, and to 32
  /// inside.
  struct alignas(lanes / 8) Cell {
    Slice black{};
    Slice white{};
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

  /// The bit of one board in a slice, which is four words: board 70 of a group is bit 6 of word 1.
  struct Place {
    explicit Place(std::size_t board) : word{(board % lanes) / 64}, bit{std::uint64_t{1} << (board % 64)} {}
    bool is_in(const Slice& slice) const { return (slice[word] & bit) != 0; }
    void set(Slice& slice, bool on) const { slice[word] = (slice[word] & ~bit) | (on ? bit : 0); }
    std::size_t word;
    std::uint64_t bit;
  };

  // Wins ----------------------------------------------------------------------------------------

  /// The first stones of wins that go to the right, in column-major order, for the columns where a win fits. (A group
  /// and its wins just fit into a level 1 cache of 32 KB.)
  using Wins = std::array<Slice, starts * side>;
  static constexpr std::size_t win_index(int row, int column) {
    return static_cast<std::size_t>((side * column) + row);
  }

  [[gnu::target("avx512f,avx512vl"), gnu::always_inline]] static void link(Slice& out, const Cell& one,
                                                                           const Cell& next) {
    out = (one.black & next.black) | (one.white & next.white);
  }

  /// The wins on a line of `length` cells, `step` apart: stored at their first cells, or ORed to what is there.
  template <int length, bool add>
  [[gnu::target("avx512f,avx512vl")]] static void walk(const Cell* cell, std::ptrdiff_t step, Slice* win,
                                                       std::ptrdiff_t win_step) {
    Slice links[length + 1];  // links[k] joins cells k − 1 and k of the line; there are none at its ends
    links[0] = links[length] = Slice{};
    Cell last = *cell;
    for (int k = 1; k < length; ++k) {
      const Cell here = cell[k * step];
      link(links[k], last, here);
      last = here;
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

  [[gnu::target("avx512f,avx512vl")]] static void walk_rows(const Group& group, Wins& wins) {
    for (int row = 0; row < side; ++row) walk<side, false>(&group.at(row, 0), 1, &wins[win_index(row, 0)], side);
  }

  /// Each direction has two diagonals of every length, except for the longest, of which it has one:
  ///
  ///     falling ↘   from the top row     rising ↗   from the bottom row
  ///                 and the left column             and the left column
  template <int... shorter>
  [[gnu::target("avx512f,avx512vl")]] static void walk_diagonals(const Group& group, Wins& wins,
                                                                 std::integer_sequence<int, shorter...>) {
    (walk_diagonal<side - shorter, 1>(group, wins, 0, shorter), ...);
    (walk_diagonal<side - shorter - 1, 1>(group, wins, shorter + 1, 0), ...);
    (walk_diagonal<side - shorter, -1>(group, wins, side - 1, shorter), ...);
    (walk_diagonal<side - shorter - 1, -1>(group, wins, side - 2 - shorter, 0), ...);
  }
  template <int length, int down>
  [[gnu::target("avx512f,avx512vl")]] static void walk_diagonal(const Group& group, Wins& wins, int row, int column) {
    if constexpr (length >= Omok::win_length) {
      // One column to the right and, in rows, one down or up.
      walk<length, true>(&group.at(row, column), (down * side) + 1, &wins[win_index(row, column)], side + down);
    }
  }

  // Answers -------------------------------------------------------------------------------------

  /// For each board the win that is reported; row and column in binary, least significant digit first.
  struct alignas(lanes / 8) First {
    Slice won{};
    Slice white{};  // the winner is white
    std::array<Slice, 5> row{};
    std::array<Slice, 5> column{};
  };

  /// Columns are processed from left to right. until[r] has the boards with a win in an earlier column, or in this
  /// column above row r; so until[b] & ~until[a] has the boards with the reported win in this column, in one of the
  /// rows a … b − 1. The rows with the digit 1 in their number form groups of `length`, each after a group of the same
  /// size with the digit 0:
  ///
  ///     row                  0 1 2 3 4 5 6 7 8 …
  ///     digit 0, length 1    0 1 0 1 0 1 0 1 0        the rows from `length` on, every 2 · length
  ///     digit 1, length 2    0 0 1 1 0 0 1 1 0
  ///     digit 2, length 4    0 0 0 0 1 1 1 1 0
  template <bool right_fits>
  [[gnu::target("avx512f,avx512vl")]] static void find_in_column(const Group& group, const Wins& wins, int column,
                                                                 First& found) {
    const Cell* const cells = &group.at(0, column);
    std::array<Slice, starts> down;
    walk<side, false>(cells, side, down.data(), 1);
    Slice until[side + 1];
    until[0] = found.won;
    for (int row = 0; row < starts; ++row) until[row + 1] = until[row] | down[static_cast<std::size_t>(row)];
    for (int row = starts; row < side; ++row) until[row + 1] = until[starts];
    if constexpr (right_fits) {
      Slice sidelong{};
      for (int row = 0; row < side; ++row) {
        sidelong |= wins[win_index(row, column)];
        until[row + 1] |= sidelong;
      }
    }
    Slice white = found.white;
    for (int row = 0; row < side; ++row) white |= until[row + 1] & ~until[row] & cells[side * row].white;
    for (int digit = 0; digit < 5; ++digit) {
      const int length = 1 << digit;
      Slice here = found.row[static_cast<std::size_t>(digit)];
      for (int row = length; row < side; row += 2 * length) {
        here |= until[std::min(row + length, side)] & ~until[row];
      }
      found.row[static_cast<std::size_t>(digit)] = here;
      if (((column >> digit) & 1) != 0) found.column[static_cast<std::size_t>(digit)] |= until[side] & ~until[0];
    }
    found.won = until[side];
    found.white = white;
  }

  /// An answer is a four-byte number; each of its digits contributes one term to it.
  static constexpr int number(Omok::Observation part) { return std::bit_cast<int>(part); }

  [[gnu::target("avx512f,avx512vl")]] static void tell(const First& found, std::span<Omok::Observation> answers) {
    using Says = Omok::Says;
    static_assert(static_cast<int>(Says::illegal) == 0);
    for (std::size_t i = 0; i < answers.size(); i += 16) {
      __m512i told = _mm512_set1_epi32(number({.says = Says::judged}));
      add(told, found.won, i, {.winner = 1, .row = 1, .column = 1});
      add(told, found.white, i, {.winner = 1});
      for (unsigned digit = 0; digit < 5; ++digit) {
        add(told, found.row[digit], i, {.row = static_cast<std::int8_t>(1 << digit)});
        add(told, found.column[digit], i, {.column = static_cast<std::int8_t>(1 << digit)});
      }
      const std::size_t here = std::min<std::size_t>(16, answers.size() - i);
      _mm512_mask_storeu_epi32(&answers[i], static_cast<__mmask16>(0xffff >> (16 - here)), told);
    }
  }
  /// Adds to the answers of those of sixteen boards that are in the slice.
  [[gnu::target("avx512f,avx512vl")]] static void add(__m512i& told, const Slice& slice, std::size_t first,
                                                      Omok::Observation part) {
    __mmask16 which;
    std::memcpy(&which, reinterpret_cast<const char*>(&slice) + (first / 8), sizeof which);
    told = _mm512_mask_add_epi32(told, which, told, _mm512_set1_epi32(number(part)));
  }

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
/// Not benchmarked: one lane of 256 says nothing about the speed of a batch. bench/batch/omok.cpp times batches.
inline const auto omok_batch = [] {
  constexpr std::string_view about = "one of 256 boards, a bit of each register (AVX-512)";
  if (has_avx512()) {
    register_implementation<BatchOmok, Omok>("batch", Kind::optimized, about, untimed);
  }
  return Registration{};
}();

}  // namespace lockstep::optimized

#endif
