// Processor features, for implementations that also have a wide version.
//
// A wide implementation is compiled wherever the compiler supports its instructions, function by function
// ([[gnu::target]]). A compiler flag for a whole source would be wrong: the linker could keep that source's copy of a
// shared inline function and run it on a processor without the instructions. It is registered only where it can run:
//
//   inline const auto wide_rows = has_avx512() ? register_implementation<WideRows, BlockGame>(…) : Registration{};
#pragma once

#include <cstdlib>

namespace lockstep {

/// AVX-512 as in Ice Lake and Zen 4: F, BW, DQ, VL, VBMI2, BITALG and VPOPCNTDQ. False if the environment variable
/// LOCKSTEP_PORTABLE is set to anything, so that one machine can test both kinds.
inline bool has_avx512() {
#if defined(__x86_64__)
  return std::getenv("LOCKSTEP_PORTABLE") == nullptr && __builtin_cpu_supports("avx512f") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi2") &&
         __builtin_cpu_supports("avx512bitalg") && __builtin_cpu_supports("avx512vpopcntdq");
#else
  return false;
#endif
}

}  // namespace lockstep
