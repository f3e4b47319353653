// Omok with a board in a register: the 361 stones of a colour are one number, and a step on the board is a
// shift of it. Eight words of AVX-512; a comparison reads 64 cells at a time.
//
// Cell (row, column) is bit 19 · row + column, on smaller boards too (their cells take the top left corner).
// The next cell of a line that goes to the right or straight down is this many bits further:
//
//   across  → +1       down  ↓ +19       falling  ↘ +20       rising  ↗ −18
//
// Edges. Rows follow one another without a gap, so a line that leaves the board on the right comes in again
// on the left, in column 0 of a neighbouring row. Five cells to the right fit when the first is in one of
// the columns 0 … 14. A sixth one before them exists when that is not column 0, one behind them when it is
// not column 14. Above the board and below it there are only zeros.
#pragma once

#if defined(__x86_64__)

#include <immintrin.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "games/omok.hpp"
#include "harness/processor.hpp"
#include "harness/roster.hpp"

namespace lockstep::optimized {

class WideBoardOmok {
 public:
  explicit WideBoardOmok(const Omok::Setup& setup) : size_{setup.size} {
    if (size_ == side) {
      read(setup.board.cells.data());
      return;
    }
    for (int row = 0; row < size_; ++row) {
      for (int column = 0; column < size_; ++column) {
        if (const std::uint8_t colour = setup.board.at(row, column); colour != 0) flip(colour, row, column);
      }
    }
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
    return judge();
  }

  Omok::Snapshot snapshot() const {
    Omok::Snapshot out{.size = size_, .board = Grid{size_, size_}};
    for (int row = 0; row < size_; ++row) {
      for (int column = 0; column < size_; ++column) {
        out.board.at(row, column) = static_cast<std::uint8_t>(colour_at(row, column));
      }
    }
    return out;
  }

 private:
  static constexpr int side = Omok::size_max;
  static constexpr std::size_t words = 8;
  struct alignas(64) Stones {
    std::array<std::uint64_t, words> word{};
  };

  // Single cells --------------------------------------------------------------------------------

  static constexpr std::size_t word_of(int cell) { return static_cast<std::size_t>(cell / 64); }
  static constexpr std::uint64_t bit_of(int cell) { return std::uint64_t{1} << (cell % 64); }

  int colour_at(int row, int column) const {
    const int cell = side * row + column;
    if ((stones_[0].word[word_of(cell)] & bit_of(cell)) != 0) return 1;
    return (stones_[1].word[word_of(cell)] & bit_of(cell)) != 0 ? 2 : 0;
  }
  void flip(int colour, int row, int column) {
    const int cell = side * row + column;
    stones_[static_cast<std::size_t>(colour - 1)].word[word_of(cell)] ^= bit_of(cell);
  }

  /// The cells of the columns from `first` to `last`.
  static constexpr Stones columns(int first, int last) {
    Stones out;
    for (int row = 0; row < side; ++row) {
      for (int column = first; column <= last; ++column)
        out.word[word_of(side * row + column)] |= bit_of(side * row + column);
    }
    return out;
  }

  // Whole boards --------------------------------------------------------------------------------

  /// A board of 19 × 19 bytes. (The words go through registers: eight narrow writes and a wide read of
  /// them would wait for each other.)
  [[gnu::target("avx512f,avx512bw")]] void read(const std::uint8_t* cells) {
    constexpr int last = side * side % 64;
    std::array<__mmask64, 6> black, white;
    for (std::size_t i = 0; i < black.size(); ++i) {
      const __mmask64 here = i + 1 < black.size() ? ~__mmask64{0} : (__mmask64{1} << last) - 1;
      const __m512i some = _mm512_maskz_loadu_epi8(here, cells + 64 * i);
      black[i] = _mm512_cmpeq_epi8_mask(some, _mm512_set1_epi8(1));
      white[i] = _mm512_cmpeq_epi8_mask(some, _mm512_set1_epi8(2));
    }
    store(stones_[0], black);
    store(stones_[1], white);
  }
  [[gnu::target("avx512f")]] static void store(Stones& stones, const std::array<__mmask64, 6>& m) {
    const auto word = [&](std::size_t i) { return static_cast<long long>(m[i]); };
    const __m512i all = _mm512_set_epi64(0, 0, word(5), word(4), word(3), word(2), word(1), word(0));
    _mm512_store_si512(&stones, all);
  }

  /// Bit i of the result is bit i + n of x.
  template <int n>
  [[gnu::target("avx512f,avx512vbmi2")]] static __m512i shifted(__m512i x) {
    const __m512i none = _mm512_setzero_si512();
    if constexpr (n >= 0) {
      return _mm512_shrdi_epi64(_mm512_alignr_epi64(none, x, n / 64), _mm512_alignr_epi64(none, x, n / 64 + 1), n % 64);
    } else {
      constexpr int whole = -n / 64;
      const __m512i upper = whole == 0 ? x : _mm512_alignr_epi64(x, none, (8 - whole) % 8);
      return _mm512_shldi_epi64(upper, _mm512_alignr_epi64(x, none, 7 - whole), -n % 64);
    }
  }

  /// The first cells of five in a line: two, two twice, and one more. Where the line leaves the board on
  /// the right the answer is wrong.
  template <int step>
  [[gnu::target("avx512f,avx512vbmi2")]] static __m512i fives(__m512i x) {
    const __m512i two = _mm512_and_si512(x, shifted<step>(x));
    const __m512i four = _mm512_and_si512(two, shifted<2 * step>(two));
    return _mm512_and_si512(four, shifted<4 * step>(x));
  }
  [[gnu::target("avx512f,avx512vbmi2")]] static __m512i sidelong_fives(__m512i x) {
    return _mm512_or_si512(fives<1>(x), _mm512_or_si512(fives<side + 1>(x), fives<1 - side>(x)));
  }

  [[gnu::target("avx512f")]] static __m512i load(const Stones& stones) { return _mm512_load_si512(&stones); }

  /// Most boards have no five, and that is all to be known then.
  [[gnu::target("avx512f,avx512vbmi2")]] Omok::Observation judge() const {
    static constexpr Stones fitting = columns(0, side - Omok::win_length);
    const __m512i black = load(stones_[0]);
    const __m512i white = load(stones_[1]);
    const __m512i sidelong =
        _mm512_and_si512(_mm512_or_si512(sidelong_fives(black), sidelong_fives(white)), load(fitting));
    const __m512i any = _mm512_or_si512(sidelong, _mm512_or_si512(fives<side>(black), fives<side>(white)));
    if (_mm512_test_epi64_mask(any, any) == 0) return {.says = Omok::Says::judged};
    Stones wins;
    _mm512_store_si512(&wins, _mm512_or_si512(exact_fives(black), exact_fives(white)));
    return leftmost(wins);
  }

  /// The first cells of exactly five.
  [[gnu::target("avx512f,avx512vbmi2")]] static __m512i exact_fives(__m512i x) {
    return _mm512_or_si512(_mm512_or_si512(exact_fives<1, 1>(x), exact_fives<side, 0>(x)),
                           _mm512_or_si512(exact_fives<side + 1, 1>(x), exact_fives<1 - side, 1>(x)));
  }
  template <int step, int right>
  [[gnu::target("avx512f,avx512vbmi2")]] static __m512i exact_fives(__m512i x) {
    static constexpr int last = side - Omok::win_length * right;
    static constexpr Stones fitting = columns(0, std::min(last, side - 1));
    static constexpr Stones preceded = columns(right, side - 1);
    static constexpr Stones followed = columns(0, last - 1);
    const __m512i before = _mm512_and_si512(shifted<-step>(x), load(preceded));
    const __m512i behind = _mm512_and_si512(shifted<Omok::win_length * step>(x), load(followed));
    const __m512i five = _mm512_and_si512(fives<step>(x), load(fitting));
    return _mm512_andnot_si512(_mm512_or_si512(before, behind), five);
  }

  /// The leftmost of the marked cells, the topmost of these. There are few.
  Omok::Observation leftmost(const Stones& wins) const {
    Omok::Cell best{.column = side, .row = side};
    for (std::size_t i = 0; i < words; ++i) {
      for (std::uint64_t left = wins.word[i]; left != 0; left &= left - 1) {
        const int cell = static_cast<int>(64 * i) + std::countr_zero(left);
        best = std::min(best, Omok::Cell{.column = cell % side, .row = cell / side});
      }
    }
    if (best.column == side) return {.says = Omok::Says::judged};
    return {.says = Omok::Says::judged,
            .winner = static_cast<std::int8_t>(colour_at(best.row, best.column)),
            .row = static_cast<std::int8_t>(best.row + 1),
            .column = static_cast<std::int8_t>(best.column + 1)};
  }

  int size_;
  std::array<Stones, 2> stones_{};  // black, white
};

static_assert(Simulator<WideBoardOmok, Omok>);
inline const auto omok_wide_board =
    has_avx512()
        ? enlist<WideBoardOmok, Omok>("wide_board", Kind::optimized, "a board is one number of 361 bits (AVX-512)")
        : Enlisted{};

}  // namespace lockstep::optimized

#endif
