// Omok on the rows of shifts.hpp, with AVX2: read sixteen cells at a time, and judged four rows at a time.
#pragma once

#if defined(__x86_64__)

#include <immintrin.h>

#include "lockstep/system/processor.hpp"
#include "optimized/omok/shifts.hpp"

namespace lockstep::optimized {

class WideShiftsOmok : public ShiftsOmok {
 public:
  explicit WideShiftsOmok(const Omok::Setup& setup) : ShiftsOmok{setup, Unread{}} {
    const std::uint8_t* cells = setup.board.cells.data();
    if (size_ >= sixteen) {
      read(cells);
      return;
    }
    for (int row = 0; row < size_; ++row, cells += size_) word(row) = packed(cells, size_);
  }

  [[gnu::target(LOCKSTEP_AVX2)]] Omok::Observation step(const Omok::Action& action) {
    if (const auto* place = std::get_if<Omok::Place>(&action)) return play(*place);
    if (const auto* remove = std::get_if<Omok::Remove>(&action)) return play(*remove);
    return judge();
  }

 private:
  static constexpr int sixteen = 16;

  /// The first and the last sixteen cells of a row overlap: the same bits are set twice.
  [[gnu::target(LOCKSTEP_AVX2)]] void read(const std::uint8_t* cells) {
    const int last = size_ - sixteen;
    for (int row = 0; row < size_; ++row, cells += size_)
      word(row) = packed16(cells) | packed16(cells + last) << (bits * last);
  }

  /// Packs sixteen cells into 32 bits. Each cell becomes a number of sixteen bits, c, and is multiplied by 2^7 + 2^14.
  /// The signs of the product's two bytes, bits 7 and 15, are then the two bits of c, which an instruction gathers:
  ///
  ///     c = 1     0100 0000 1000 0000     bit 7
  ///     c = 2     1000 0001 0000 0000     bit 15
  [[gnu::always_inline, gnu::target(LOCKSTEP_AVX2)]] static std::uint64_t packed16(const std::uint8_t* cells) {
    const __m256i numbers = _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(cells)));
    const __m256i product = _mm256_mullo_epi16(numbers, _mm256_set1_epi16(1 << 7 | 1 << 14));
    return static_cast<std::uint32_t>(_mm256_movemask_epi8(product));
  }
};

static_assert(Implementation<WideShiftsOmok, Omok>);
inline const auto omok_wide_shifts = has_level(Level::avx2)
                                         ? register_implementation<WideShiftsOmok, Omok>(
                                               "wide_shifts", Kind::optimized, "shifts, four rows in a register (AVX2)")
                                         : Registration{};

}  // namespace lockstep::optimized

#endif
