// Block game, the rows of bit_rows.hpp swept with AVX-512 VBMI 2, which has an instruction that packs bytes. The proofs
// are in bit_rows.hpp; this file describes the difference only.
//
// In a row that loses blocks, bit_rows loops over the blocks, with an unpredictable number of iterations. Here the numbers
// at the corners of the removed blocks are appended to a list in one step, and the list is converted into a set at the
// end.
#pragma once

#if defined(__x86_64__)

#include <immintrin.h>

#include "lockstep/system/processor.hpp"
#include "optimized/block_game/bit_rows.hpp"

namespace lockstep::optimized {

class WideRows : public BitRows {
 public:
  using BitRows::BitRows;

  BlockGame::Observation step(const BlockGame::Action& action) {
    if (const auto* asked = std::get_if<BlockGame::Place>(&action)) return place(*asked);
    return clear();
  }

 private:
  /// The numbers of the removed blocks, in order of removal.
  struct List {
    explicit List(const WideRows& wide) : rows{wide} {}
    const WideRows& rows;
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
    sweep(columns(), list);
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

static_assert(Implementation<WideRows, BlockGame>);
inline const auto wide_rows = has_level(Level::avx512vbmi)
                                  ? register_implementation<WideRows, BlockGame>(
                                        "wide_rows", Kind::optimized, "bit_rows, blocks listed by AVX-512 VBMI 2")
                                  : Registration{};

}  // namespace lockstep::optimized

#endif
