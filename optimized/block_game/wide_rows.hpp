// Block game, the rows of bit_rows.hpp read with wide registers, and swept with AVX-512 VBMI 2. The proofs are in
// bit_rows.hpp; this file describes the differences only.
//
// Reading. A comparison of 64 cells yields a mask of 64 bits, which is the word of the row. With AVX2 each half of a
// row is compared, and an instruction gathers the signs of 32 bytes.
//
// The sweep with AVX-512 VBMI 2, which has an instruction that packs bytes. In a row that loses blocks, bit_rows loops
// over the blocks, with an unpredictable number of iterations. Here the numbers at the corners of the removed blocks are
// appended to a list in one step, and the list is converted into a set at the end.
#pragma once

#if defined(__x86_64__)

#include <immintrin.h>

#include "lockstep/system/processor.hpp"
#include "optimized/block_game/bit_rows.hpp"

namespace lockstep::optimized {

/// Read with AVX-512 F and BW.
class WideRows : public BitRows {
 public:
  explicit WideRows(const BlockGame::Setup& setup) : BitRows{setup, Unread{}} { read(); }

  [[gnu::target(LOCKSTEP_AVX512)]] BlockGame::Observation step(const BlockGame::Action& action) {
    if (const auto* asked = std::get_if<BlockGame::Place>(&action)) return place(*asked);
    return clear();
  }

 private:
  /// As BitRows::link, for all rows. Reads of 64 cells stay within the tail; the mask drops cells beyond the row.
  [[gnu::target("avx512f,avx512bw")]] void read() {
    const Row board = (Row{1} << size_) - 1;
    const std::uint8_t* cells = numbers_.data();
    __m512i row = _mm512_loadu_si512(cells);
    for (unsigned r = above; r < size_ + above; ++r, cells += size_) {
      const __m512i under = _mm512_loadu_si512(cells + size_);
      const Row occupied = _mm512_mask_test_epi8_mask(board, row, row);
      occupied_[r] = occupied;
      right_[r] = _mm512_mask_cmpeq_epi8_mask(occupied & board >> 1, row, _mm512_loadu_si512(cells + 1));
      below_[r] = _mm512_mask_cmpeq_epi8_mask(occupied, row, under);
      row = under;
    }
  }
};

/// Swept with VBMI 2 too.
class WideRowsVbmi : public WideRows {
 public:
  using WideRows::WideRows;

  BlockGame::Observation step(const BlockGame::Action& action) {
    if (const auto* asked = std::get_if<BlockGame::Place>(&action)) return place(*asked);
    return clear();
  }

 private:
  /// The numbers of the removed blocks, in order of removal.
  struct List {
    explicit List(const WideRowsVbmi& wide) : rows{wide} {}
    const WideRowsVbmi& rows;
    std::array<std::uint8_t, BlockGame::blocks_max + sizeof(__m512i)> numbers;
    std::size_t count = 0;

    [[gnu::target("avx512f,avx512bw,avx512vbmi2,popcnt")]] void operator()(unsigned row, Row corners) {
      const __m512i cells = _mm512_loadu_si512(rows.numbers_.data() + rows.index(row, 0));
      _mm512_storeu_si512(&numbers[count], _mm512_maskz_compress_epi8(corners, cells));
      count += static_cast<std::size_t>(__builtin_popcountll(corners));
    }
  };

  [[gnu::target("avx512f,avx512bw,avx512vbmi2,popcnt")]] BlockGame::Observation clear() {
    List list{*this};
    sweep(list);
    return answer(list.numbers.data(), list.count);
  }

  /// The set of the numbers in the list, eight at a time. A shift by 64 or more, or by less than 0, yields 0: so the
  /// bit of a number appears in its own word only. The list ends in zeros, because compressing fills the rest of its
  /// register with them; the bit of a zero appears in no word.
  [[gnu::target("avx512f,avx512bw")]] BlockGame::Observation answer(const std::uint8_t* list, std::size_t count) {
    __m512i words[4] = {};
    for (std::size_t i = 0; i < count; i += 8) {
      const __m512i eight = _mm512_cvtepu8_epi64(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(list + i)));
      __m512i bit = _mm512_sub_epi64(eight, _mm512_set1_epi64(1));
      for (__m512i& word : words) {
        word = _mm512_or_si512(word, _mm512_sllv_epi64(_mm512_set1_epi64(1), bit));
        bit = _mm512_sub_epi64(bit, _mm512_set1_epi64(64));
      }
    }
    BlockGame::Observation out;
    out.says = BlockGame::Says::cleared;
    out.removed = static_cast<std::int16_t>(count);
    for (std::size_t i = 0; i < free_.size(); ++i) {
      out.numbers.words[i] = static_cast<Row>(_mm512_reduce_or_epi64(words[i]));
      free_[i] |= out.numbers.words[i];
    }
    return out;
  }
};

/// Read with AVX2.
class WideRowsAvx2 : public BitRows {
 public:
  explicit WideRowsAvx2(const BlockGame::Setup& setup) : BitRows{setup, Unread{}} { read(); }

  [[gnu::target(LOCKSTEP_AVX2)]] BlockGame::Observation step(const BlockGame::Action& action) {
    if (const auto* asked = std::get_if<BlockGame::Place>(&action)) return place(*asked);
    return clear();
  }

 private:
  /// As WideRows::read. (A row of at most 32 cells needs no second half.)
  [[gnu::target(LOCKSTEP_AVX2)]] void read() {
    const Row board = (Row{1} << size_) - 1;
    const std::uint8_t* cells = numbers_.data();
    for (unsigned r = above; r < size_ + above; ++r, cells += size_) {
      Row empty = equal(cells, nullptr);
      Row right = equal(cells, cells + 1);
      Row below = equal(cells, cells + size_);
      if (size_ > 32) {
        empty |= equal(cells + 32, nullptr) << 32;
        right |= equal(cells + 32, cells + 33) << 32;
        below |= equal(cells + 32, cells + 32 + size_) << 32;
      }
      occupied_[r] = board & ~empty;
      right_[r] = right & occupied_[r] & board >> 1;
      below_[r] = below & occupied_[r];
    }
  }
  /// A bit for each of 32 cells that equals the other one, or 0 if there is no other.
  [[gnu::always_inline, gnu::target(LOCKSTEP_AVX2)]] static Row equal(const std::uint8_t* cells,
                                                                      const std::uint8_t* others) {
    const __m256i one = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(cells));
    const __m256i other =
        others != nullptr ? _mm256_loadu_si256(reinterpret_cast<const __m256i*>(others)) : _mm256_setzero_si256();
    return static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(one, other)));
  }
};

inline const auto wide_rows =
    has_level(Level::avx512vbmi)
        ? register_implementation<WideRowsVbmi, BlockGame>("wide_rows", Kind::optimized,
                                                           "bit_rows with a row in a register (AVX-512 VBMI 2)")
    : has_level(Level::avx512) ? register_implementation<WideRows, BlockGame>(
                                     "wide_rows", Kind::optimized, "bit_rows, read with a row in a register (AVX-512)")
    : has_level(Level::avx2) ? register_implementation<WideRowsAvx2, BlockGame>(
                                   "wide_rows", Kind::optimized, "bit_rows with half a row in a register (AVX2)")
                             : Registration{};

}  // namespace lockstep::optimized

#endif
