// Omok with a board in a register: the 361 stones of a colour are one number in eight words of AVX-512, and a step on
// the board is a shift of it.
//
// Cell (row, column) is bit 19 · row + column, on smaller boards too (they use the top left corner). The next cell of
// a line that goes to the right or straight down is this many bits further:
//
//   across  → +1       down  ↓ +19       falling  ↘ +20       rising  ↗ −18
//
// Edges. Rows are adjacent in the number, so a line that leaves the board on the right continues on the left, in
// column 0 of a neighbouring row. Five cells to the right fit when the first is in one of the columns 0 … 14. Above
// and below the board all bits are zero.
#pragma once

#if defined(__x86_64__)

#include <immintrin.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "games/omok/game.hpp"
#include "lockstep/system/processor.hpp"
#include "lockstep/system/registry.hpp"

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
    return {size_, Grid::drawn(size_, size_, [&](int row, int column) { return colour_at(row, column); })};
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
  static consteval Stones columns(int first, int last) {
    Stones out;
    for (int row = 0; row < side; ++row) {
      for (int column = first; column <= last; ++column)
        out.word[word_of(side * row + column)] |= bit_of(side * row + column);
    }
    return out;
  }

  // Reading -------------------------------------------------------------------------------------

  /// Reads a board of 19 × 19 bytes, 0, 1 or 2: bit 0 of each byte goes to black's number and bit 1 to white's.
  ///
  /// Four registers of 64 cells are merged into one, which holds two bits of every byte. Any eight bytes are then a
  /// square of 8 × 8 bits. After a transposition, its bytes are eight cells of one register and colour each. The bytes
  /// of a colour are then picked in cell order:
  ///
  ///     byte q of word i  ←  byte 2i + colour of square q      (words 4 and 5: of the second register)
  ///
  /// (Comparisons yield words too, but each of the twelve passes through a mask register, a general register and half
  /// a vector register.)
  [[gnu::target("avx512f,avx512bw,avx512vbmi,gfni")]] void read(const std::uint8_t* cells) {
    constexpr __mmask64 rest = bit_of(side * side) - 1;
    const __m512i low = turned(join<4>(join<2>(_mm512_loadu_si512(cells), _mm512_loadu_si512(cells + 64)),
                                       join<2>(_mm512_loadu_si512(cells + 128), _mm512_loadu_si512(cells + 192))));
    const __m512i high = turned(join<2>(_mm512_loadu_si512(cells + 256), _mm512_maskz_loadu_epi8(rest, cells + 320)));
    store(stones_[0], picked<0>(low, high));
    store(stones_[1], picked<1>(low, high));
  }
  /// The upper bits of each byte come from the second. (No byte carries into the next: the top bits are 0.)
  template <int bits>
  [[gnu::target("avx512f,avx512bw")]] static __m512i join(__m512i one, __m512i other) {
    return _mm512_or_si512(one, _mm512_slli_epi16(other, bits));
  }
  /// Bit j of byte i of each square becomes bit i of byte j: the square times the unit square. The instruction counts
  /// the rows of a square from the last, so every byte comes out mirrored; a multiplication with the unit square
  /// mirrors it back.
  [[gnu::target("avx512f,avx512bw,gfni")]] static __m512i turned(__m512i squares) {
    const __m512i unit = _mm512_set1_epi64(static_cast<long long>(0x8040'2010'0804'0201u));
    return _mm512_gf2p8affine_epi64_epi8(_mm512_gf2p8affine_epi64_epi8(unit, squares, 0), unit, 0);
  }
  template <std::size_t colour>
  [[gnu::target("avx512f,avx512vbmi")]] static __m512i picked(__m512i low, __m512i high) {
    struct alignas(64) Order {
      std::array<std::uint8_t, 64> from{};
    };
    static constexpr Order order = [] {
      Order out;
      for (std::size_t byte = 0; byte < 48; ++byte) {
        const std::size_t word = byte / 8;
        out.from[byte] = static_cast<std::uint8_t>(word / 4 * 64 + byte % 8 * 8 + word % 4 * 2 + colour);
      }
      return out;
    }();
    constexpr __mmask64 six_words = (__mmask64{1} << 48) - 1;
    return _mm512_maskz_permutex2var_epi8(six_words, low, _mm512_load_si512(&order), high);
  }

  // Whole boards --------------------------------------------------------------------------------

  [[gnu::target("avx512f")]] static __m512i load(const Stones& stones) { return _mm512_load_si512(&stones); }
  [[gnu::target("avx512f")]] static void store(Stones& stones, __m512i all) { _mm512_store_si512(&stones, all); }

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

  /// The first cells of five or more of one colour in a line: a three, and another three two steps further. They share
  /// a cell and so a colour. Wrong where the line leaves the board on the right.
  template <int step>
  [[gnu::target("avx512f,avx512vbmi2")]] static __m512i fives(__m512i black, __m512i white) {
    const __m512i three = _mm512_or_si512(threes<step>(black), threes<step>(white));
    return _mm512_and_si512(three, shifted<2 * step>(three));
  }
  template <int step>
  [[gnu::target("avx512f,avx512vbmi2")]] static __m512i threes(__m512i x) {
    return _mm512_and_si512(x, _mm512_and_si512(shifted<step>(x), shifted<2 * step>(x)));
  }

  /// The first cells of five or more, by direction, with a step to the right or straight down.
  struct Fives {
    __m512i down, across, falling, rising;
  };
  [[gnu::target("avx512f,avx512vbmi2")]] Fives fives() const {
    static constexpr Stones fitting_cells = columns(0, side - Omok::win_length);
    const __m512i fitting = load(fitting_cells);
    const __m512i black = load(stones_[0]);
    const __m512i white = load(stones_[1]);
    return {.down = fives<side>(black, white),
            .across = _mm512_and_si512(fives<1>(black, white), fitting),
            .falling = _mm512_and_si512(fives<side + 1>(black, white), fitting),
            .rising = _mm512_and_si512(fives<1 - side>(black, white), fitting)};
  }

  /// Most boards have no five; then nothing more is computed.
  [[gnu::target(LOCKSTEP_AVX512VBMI)]] Omok::Observation judge() const {
    const Fives five = fives();
    const __m512i any =
        _mm512_or_si512(_mm512_or_si512(five.down, five.across), _mm512_or_si512(five.falling, five.rising));
    if (_mm512_test_epi64_mask(any, any) == 0) return {.says = Omok::Says::judged};
    return leftmost(wins(five));
  }

  /// The first cells of exactly five.
  [[gnu::target("avx512f,avx512vbmi2")]] static __m512i wins(const Fives& five) {
    return _mm512_or_si512(_mm512_or_si512(exact<side>(five.down), exact<1>(five.across)),
                           _mm512_or_si512(exact<side + 1>(five.falling), exact<1 - side>(five.rising)));
  }

  /// The fives that are not part of a longer run: no other five starts one step before or behind. (No five starts
  /// outside the columns where five fit, so the edges need no mask here.)
  template <int step>
  [[gnu::target("avx512f,avx512vbmi2")]] static __m512i exact(__m512i five) {
    return _mm512_andnot_si512(_mm512_or_si512(shifted<step>(five), shifted<-step>(five)), five);
  }

  /// The leftmost of the marked cells, and the topmost in that column.
  [[gnu::target(LOCKSTEP_AVX512VBMI)]] Omok::Observation leftmost(__m512i marked) const {
    const __m512i upper = rows<0>(marked, std::make_index_sequence<64>{});
    const __m512i lower = rows<16>(marked, std::make_index_sequence<64>{});
    const auto columns = static_cast<unsigned>(_mm512_reduce_or_epi32(_mm512_or_si512(upper, lower)));
    if (columns == 0) return {.says = Omok::Says::judged};
    const int column = std::countr_zero(columns);
    const __m512i bit = _mm512_set1_epi32(1 << column);
    const unsigned above = _mm512_test_epi32_mask(upper, bit);
    const unsigned below = _mm512_test_epi32_mask(lower, bit);
    const int row = std::countr_zero(above | below << 16);
    return Omok::won(colour_at(row, column), row, column);
  }
  /// Sixteen rows, 32 bits each: the four bytes from the one in which the row begins are picked and shifted by 7 bits at
  /// most, so they contain its 19 bits. Rows below the board are taken for row 19, which is zero.
  template <std::size_t first, std::size_t... byte>
  [[gnu::target(LOCKSTEP_AVX512VBMI)]] static __m512i rows(__m512i cells, std::index_sequence<byte...>) {
    const auto bytes = reinterpret_cast<Vector<std::uint8_t, 64>>(cells);
    const auto begin = [](std::size_t row) { return side * std::min<std::size_t>(first + row, side); };
    const auto picked = __builtin_shufflevector(
        bytes, bytes, std::integral_constant<std::size_t, begin(byte / 4) / 8 + byte % 4>::value...);
    Vector<std::uint32_t, 64> shift;
    for (std::size_t row = 0; row < 16; ++row) shift[row] = begin(row) % 8;
    return reinterpret_cast<__m512i>(reinterpret_cast<Vector<std::uint32_t, 64>>(picked) >> shift & ((1u << side) - 1));
  }

  int size_;
  std::array<Stones, 2> stones_{};  // black, white
};

static_assert(Implementation<WideBoardOmok, Omok>);
inline const auto omok_wide_board =
    has_level(Level::avx512vbmi) ? register_implementation<WideBoardOmok, Omok>(
                                       "wide_board", Kind::optimized, "a board is one number of 361 bits (AVX-512)")
                                 : Registration{};

}  // namespace lockstep::optimized

#endif
