// TS Tetris on the bit-planes of bit_planes.hpp, compiled for AVX-512: a window of sixteen columns and 32 rows is
// one register instead of four, and a word of each column can be shifted and narrowed in one instruction.
#pragma once

#if defined(__x86_64__)

#include "lockstep/processor.hpp"
#include "optimized/ts_tetris/bit_planes.hpp"

namespace lockstep::optimized {

class WidePlanesTsTetris : public BitPlanesTsTetris {
 public:
  using BitPlanesTsTetris::BitPlanesTsTetris;

  [[gnu::target("avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi,bmi2,lzcnt")]] TsTetris::Observation step(
      const TsTetris::Action& action) {
    return play(action);
  }
};

static_assert(Implementation<WidePlanesTsTetris, TsTetris>);
inline const auto ts_tetris_wide_planes =
    has_level(Level::avx512) ? register_implementation<WidePlanesTsTetris, TsTetris>(
                                   "wide_planes", Kind::optimized, "bit_planes with wider registers (AVX-512)")
                             : Registration{};

}  // namespace lockstep::optimized

#endif
