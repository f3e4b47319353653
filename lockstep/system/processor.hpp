// Processor levels: which instructions a kernel may use.
//
//   baseline     what the compiler uses without being asked: SSE2, or NEON on AArch64
//   avx2         AVX2, BMI 1 and 2, LZCNT and POPCNT: Haswell, Zen 1
//   avx512       F, BW, DQ and VL too: Skylake-X, Cascade Lake
//   avx512vbmi   VBMI 1 and 2, BITALG, VPOPCNTDQ and GFNI too: Ice Lake, Zen 4
//
// Each level contains the ones before it. LOCKSTEP_LEVEL=avx2 in the environment masks what is above avx2, so that one
// machine can test every level that it has; LOCKSTEP_PORTABLE=1 (or any text) masks what is above baseline.
//
// A kernel in vector types is written once. It is a lambda that is compiled for every level, and told which one it is
// compiled for:
//
//   at_level_in_use([&](auto level) __attribute__((always_inline)) { sum<level.bytes>(in, out); });
//
// Everything that it calls is always inlined too, or is called by `at_level` again, or names its instructions itself
// ([[gnu::target]], which intrinsics need) and is called only at that level. A function with instructions of a level is
// then one of the `compiled_for_…` below, or names them. (A compiler flag for a whole source would be wrong: the linker
// could keep that source's copy of a shared inline function, and run it on a processor without the instructions.)
// Functions in kernels get vectors by reference, because how they are passed by value depends on the level.
//
// The level does not say whether BMI 2's pext and pdep are fast: kernels that use them ask has_fast_pext() too.
//
// An implementation that is worth having from some level on is registered only where it can run:
//
//   inline const auto wide_board = has_level(Level::avx512vbmi) ? register_implementation<WideBoardOmok, Omok>(…)
//                                                               : Registration{};
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

enum class Level { baseline, avx2, avx512, avx512vbmi };
inline constexpr std::array<std::string_view, 4> level_names = {"baseline", "avx2", "avx512", "avx512vbmi"};
constexpr std::string_view to_string(Level level) { return level_names[static_cast<std::size_t>(level)]; }

struct ProcessorFeature {
  Level level;  // the lowest level that needs it
  std::string_view name;
  bool here;
};

inline std::span<const ProcessorFeature> processor_features() {
#if defined(__x86_64__)
  static const std::array<ProcessorFeature, 14> all = {{
      {Level::avx2, "avx2", __builtin_cpu_supports("avx2") != 0},
      {Level::avx2, "bmi", __builtin_cpu_supports("bmi") != 0},
      {Level::avx2, "bmi2", __builtin_cpu_supports("bmi2") != 0},
      {Level::avx2, "lzcnt", __builtin_cpu_supports("lzcnt") != 0},
      {Level::avx2, "popcnt", __builtin_cpu_supports("popcnt") != 0},
      {Level::avx512, "avx512f", __builtin_cpu_supports("avx512f") != 0},
      {Level::avx512, "avx512bw", __builtin_cpu_supports("avx512bw") != 0},
      {Level::avx512, "avx512dq", __builtin_cpu_supports("avx512dq") != 0},
      {Level::avx512, "avx512vl", __builtin_cpu_supports("avx512vl") != 0},
      {Level::avx512vbmi, "avx512vbmi", __builtin_cpu_supports("avx512vbmi") != 0},
      {Level::avx512vbmi, "avx512vbmi2", __builtin_cpu_supports("avx512vbmi2") != 0},
      {Level::avx512vbmi, "avx512bitalg", __builtin_cpu_supports("avx512bitalg") != 0},
      {Level::avx512vbmi, "avx512vpopcntdq", __builtin_cpu_supports("avx512vpopcntdq") != 0},
      {Level::avx512vbmi, "gfni", __builtin_cpu_supports("gfni") != 0},
  }};
  return all;
#else
  return {};
#endif
}

/// What the processor lacks of a level that it does not have.
inline std::vector<std::string_view> missing_for(Level level) {
  std::vector<std::string_view> out;
  for (const ProcessorFeature& each : processor_features()) {
    if (each.level <= level && !each.here) out.push_back(each.name);
  }
  return out;
}

inline Level level_of_processor() {
  Level out = processor_features().empty() ? Level::baseline : Level::avx512vbmi;
  for (const ProcessorFeature& each : processor_features()) {
    if (!each.here) out = std::min(out, static_cast<Level>(static_cast<int>(each.level) - 1));
  }
  return out;
}

/// The level that LOCKSTEP_LEVEL names, the highest if it is not set or empty; else an error message.
inline std::expected<Level, std::string> level_asked() {
  const char* const asked = std::getenv("LOCKSTEP_LEVEL");
  if (asked == nullptr || *asked == '\0') return Level::avx512vbmi;
  const auto found = std::ranges::find(level_names, std::string_view{asked});
  if (found != level_names.end()) return static_cast<Level>(found - level_names.begin());
  std::string fault = std::string{"LOCKSTEP_LEVEL="} + asked + ": there is no such level; there are";
  for (const std::string_view name : level_names) fault.append(" ").append(name);
  return std::unexpected(fault);
}

/// With a wrong LOCKSTEP_LEVEL, which main functions refuse (level_asked), the lowest level.
inline Level level_in_use() {
  static const Level level = [] {
    const char* const asked = std::getenv("LOCKSTEP_PORTABLE");
    const bool portable = asked != nullptr && *asked != '\0';
    return portable ? Level::baseline : std::min(level_of_processor(), level_asked().value_or(Level::baseline));
  }();
  return level;
}

/// Whether pext and pdep, where the level has them, take a few cycles. AMD's processors before Zen 3 (families 15h and
/// 17h) execute them in microcode, bit by bit, as Hygon's copies of Zen 1 do. Other makers' count as slow until measured.
inline bool has_fast_pext() {
#if defined(__x86_64__)
  return __builtin_cpu_is("intel") ||
         (__builtin_cpu_is("amd") && !__builtin_cpu_is("amdfam15h") && !__builtin_cpu_is("amdfam17h"));
#else
  return false;
#endif
}

/// True once has_level said no: an implementation is then left out, which this program has on other processors.
inline bool& leaves_out_implementations() {
  static bool out = false;
  return out;
}

/// What an implementation asks for before it registers itself.
inline bool has_level(Level level) {
  const bool has = level <= level_in_use();
  if (!has) leaves_out_implementations() = true;
  return has;
}

/// For people: "avx2 with pext (this processor lacks avx512f avx512bw of avx512)".
inline std::string about_level() {
  const Level here = level_of_processor();
  std::string out{to_string(level_in_use())};
  if (level_in_use() >= Level::avx2) out += has_fast_pext() ? " with pext" : " without pext";
  if (level_in_use() < here) return out + " (the environment masks " + std::string{to_string(here)} + ")";
  if (processor_features().empty() || here == Level::avx512vbmi) return out;
  const Level next = static_cast<Level>(static_cast<int>(here) + 1);
  out += " (this processor lacks";
  for (const std::string_view name : missing_for(next)) out.append(" ").append(name);
  return out.append(" of ").append(to_string(next)).append(")");
}

// Kernels -----------------------------------------------------------------------------------------

/// What a kernel is compiled for.
template <Level the_level>
struct CompiledFor {
  static constexpr Level level = the_level;
  static constexpr std::size_t bytes = level >= Level::avx512 ? 64 : level == Level::avx2 ? 32 : 16;  // of a register
};

#if defined(__x86_64__)
#define LOCKSTEP_AVX2 "avx2,bmi,bmi2,lzcnt,popcnt"
#define LOCKSTEP_AVX512 LOCKSTEP_AVX2 ",avx512f,avx512bw,avx512dq,avx512vl"
#define LOCKSTEP_AVX512VBMI LOCKSTEP_AVX512 ",avx512vbmi,avx512vbmi2,avx512bitalg,avx512vpopcntdq,gfni"

[[gnu::noinline, gnu::target(LOCKSTEP_AVX2)]] void compiled_for_avx2(const auto& kernel) {
  kernel(CompiledFor<Level::avx2>{});
}
[[gnu::noinline, gnu::target(LOCKSTEP_AVX512)]] void compiled_for_avx512(const auto& kernel) {
  kernel(CompiledFor<Level::avx512>{});
}
[[gnu::noinline, gnu::target(LOCKSTEP_AVX512VBMI)]] void compiled_for_avx512vbmi(const auto& kernel) {
  kernel(CompiledFor<Level::avx512vbmi>{});
}
#endif
[[gnu::noinline]] void compiled_for_baseline(const auto& kernel) { kernel(CompiledFor<Level::baseline>{}); }

/// Calls the kernel compiled for a level that the processor has: not inlined, also inside of another kernel.
template <Level level>
[[gnu::always_inline]] inline void at_level(const auto& kernel) {
#if defined(__x86_64__)
  if constexpr (level == Level::avx512vbmi) return compiled_for_avx512vbmi(kernel);
  if constexpr (level == Level::avx512) return compiled_for_avx512(kernel);
  if constexpr (level == Level::avx2) return compiled_for_avx2(kernel);
#endif
  if constexpr (level == Level::baseline) return compiled_for_baseline(kernel);
}

inline void at_level_in_use(const auto& kernel) {
#if defined(__x86_64__)
  switch (level_in_use()) {
    case Level::avx512vbmi: return at_level<Level::avx512vbmi>(kernel);
    case Level::avx512: return at_level<Level::avx512>(kernel);
    case Level::avx2: return at_level<Level::avx2>(kernel);
    case Level::baseline: break;
  }
#endif
  at_level<Level::baseline>(kernel);
}

/// A register of numbers. (Inside of a class, because g++ 12 drops the attribute of a template alias where the alias is
/// an argument of another template.)
template <class Number, std::size_t bytes>
struct VectorOf {
  using Type [[gnu::vector_size(bytes)]] = Number;
};
template <class Number, std::size_t bytes>
using Vector = typename VectorOf<Number, bytes>::Type;

[[gnu::always_inline]] inline void load(auto& to, const void* from) { std::memcpy(&to, from, sizeof to); }
[[gnu::always_inline]] inline void store(void* to, const auto& from) { std::memcpy(to, &from, sizeof from); }

/// A bit for each byte of a comparison's result, all ones or all zeros: the bit of byte 0 is the lowest.
[[gnu::always_inline]] inline std::uint64_t bits_of(const Vector<std::int8_t, 16>& answers) {
#if defined(__x86_64__)
  return static_cast<std::uint16_t>(__builtin_ia32_pmovmskb128(reinterpret_cast<Vector<char, 16>>(answers)));
#else
  // Each byte keeps a different bit of its half. The product adds all eight into the highest byte; nothing carries.
  constexpr Vector<std::int8_t, 16> own = {1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128};
  constexpr std::uint64_t sum = 0x0101010101010101;
  const auto halves = std::bit_cast<std::array<std::uint64_t, 2>>(answers & own);
  return (halves[0] * sum >> 56) | (halves[1] * sum >> 56 << 8);
#endif
}
#if defined(__x86_64__)
[[gnu::target(LOCKSTEP_AVX2)]] inline std::uint64_t bits_of(const Vector<std::int8_t, 32>& answers) {
  return static_cast<std::uint32_t>(__builtin_ia32_pmovmskb256(reinterpret_cast<Vector<char, 32>>(answers)));
}
[[gnu::target(LOCKSTEP_AVX512)]] inline std::uint64_t bits_of(const Vector<std::int8_t, 64>& answers) {
  return __builtin_ia32_cvtb2mask512(reinterpret_cast<Vector<char, 64>>(answers));
}
#endif

}  // namespace lockstep
