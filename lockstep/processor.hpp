// What the processor at hand can do, for implementations that exist in a wide version as well.
//
// A wide implementation is compiled everywhere where the compiler knows its instructions, function by function
// ([[gnu::target]]), never by a flag for a whole source: then the linker could take a shared inline
// function from it and run it on a processor that lacks them. It enlists itself only where it can run:
//
//   inline const auto wide_rows = has_avx512() ? register_implementation<WideRows, BlockGame>(…) : Registration{};
#pragma once

#include <cstdlib>

namespace lockstep {

/// AVX-512 as Ice Lake and Zen 4 brought it: F, BW, DQ, VL, VBMI2, BITALG and VPOPCNTDQ. The environment variable
/// LOCKSTEP_PORTABLE, set to anything, denies it, so that one machine can show how both kinds behave.
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
