// TS Tetris on the bit-planes of bit_planes.hpp, compiled for wider registers: with AVX-512 a window of sixteen columns
// and 32 rows is one register instead of four, and a word of each column can be shifted and narrowed in one instruction;
// with AVX2 it is two.
#pragma once

#if defined(__x86_64__)

#include "lockstep/system/processor.hpp"
#include "optimized/ts_tetris/bit_planes.hpp"

namespace lockstep::optimized {

class WidePlanesTsTetris : public BitPlanesTsTetris {
 public:
  using BitPlanesTsTetris::BitPlanesTsTetris;

  [[gnu::target(LOCKSTEP_AVX512)]] TsTetris::Observation step(const TsTetris::Action& action) { return play(action); }
};

class WidePlanesTsTetrisAvx2 : public BitPlanesTsTetris {
 public:
  using BitPlanesTsTetris::BitPlanesTsTetris;

  [[gnu::target(LOCKSTEP_AVX2)]] TsTetris::Observation step(const TsTetris::Action& action) { return play(action); }
};

static_assert(Implementation<WidePlanesTsTetris, TsTetris> && Implementation<WidePlanesTsTetrisAvx2, TsTetris>);
inline const auto ts_tetris_wide_planes =
    !has_level(Level::avx2)    ? Registration{}
    : has_level(Level::avx512) ? register_implementation<WidePlanesTsTetris, TsTetris>(
                                     "wide_planes", Kind::optimized, "bit_planes with wider registers (AVX-512)")
                               : register_implementation<WidePlanesTsTetrisAvx2, TsTetris>(
                                     "wide_planes", Kind::optimized, "bit_planes with wider registers (AVX2)");

}  // namespace lockstep::optimized

#endif
