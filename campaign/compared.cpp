#include "campaign/compared.hpp"

#include <algorithm>
#include <array>
#include <atomic>

// The linker defines these: the program's own code is between them.
extern "C" const char __executable_start, etext;  // NOLINT(bugprone-reserved-identifier)

// What the compiler calls must not be instrumented itself.
#if defined(__clang__)
#define LOCKSTEP_PLAIN __attribute__((no_sanitize("coverage")))
#else
#define LOCKSTEP_PLAIN
#endif

namespace lockstep {
namespace {

/// The number of each place, by a hash of its distance from the program's start, which is the same in each run. 0, which is
/// drawn often anyway: none yet.
std::array<std::atomic<std::uint64_t>, 1024> at_places{};
std::atomic<bool> any_place{false};
std::atomic<bool> recording{false};
std::atomic<unsigned> turn{0};

LOCKSTEP_PLAIN void note_compared(const void* place, std::uint64_t number) {
  const auto start = reinterpret_cast<std::uintptr_t>(&__executable_start);
  const auto at = reinterpret_cast<std::uintptr_t>(place);
  if (!recording.load(std::memory_order_relaxed) || at < start || at >= reinterpret_cast<std::uintptr_t>(&etext))
    return;
  at_places[((at - start) * 0x9E3779B97F4A7C15u) >> 54].store(number, std::memory_order_relaxed);
  any_place.store(true, std::memory_order_relaxed);
}

/// Now one of them and now the other.
LOCKSTEP_PLAIN void note_one_of(const void* place, std::uint64_t one, std::uint64_t other) {
  if (!recording.load(std::memory_order_relaxed)) return;
  note_compared(place, turn.fetch_add(1, std::memory_order_relaxed) % 2 == 0 ? one : other);
}

}  // namespace

void record_comparisons(bool on) { recording.store(on, std::memory_order_relaxed); }

std::vector<std::int64_t> compared_numbers() {
  std::vector<std::int64_t> out;
  if (!any_place.load(std::memory_order_relaxed)) return out;
  for (const auto& number : at_places) {
    if (const auto value = static_cast<std::int64_t>(number.load(std::memory_order_relaxed)); value != 0)
      out.push_back(value);
  }
  // Each once: most places compare small lengths, and would be picked most of the time.
  std::ranges::sort(out);
  out.erase(std::ranges::unique(out).begin(), out.end());
  return out;
}

void forget_compared_numbers() {
  for (auto& number : at_places) number.store(0, std::memory_order_relaxed);
  turn.store(0, std::memory_order_relaxed);
}

}  // namespace lockstep

// https://clang.llvm.org/docs/SanitizerCoverage.html#tracing-data-flow
extern "C" {

// NOLINTBEGIN(bugprone-reserved-identifier): the names are the compiler's
#define LOCKSTEP_COMPARES(bytes, Type)                                              \
  LOCKSTEP_PLAIN void __sanitizer_cov_trace_cmp##bytes(Type one, Type other) {      \
    lockstep::note_one_of(__builtin_return_address(0), one, other);                 \
  }                                                                                 \
  LOCKSTEP_PLAIN void __sanitizer_cov_trace_const_cmp##bytes(Type constant, Type) { \
    lockstep::note_compared(__builtin_return_address(0), constant);                 \
  }
LOCKSTEP_COMPARES(1, std::uint8_t)
LOCKSTEP_COMPARES(2, std::uint16_t)
LOCKSTEP_COMPARES(4, std::uint32_t)
LOCKSTEP_COMPARES(8, std::uint64_t)

// cases: how many there are, of how many bits they are, and each.
LOCKSTEP_PLAIN void __sanitizer_cov_trace_switch(std::uint64_t value, const std::uint64_t* cases) {
  if (cases[0] != 0) lockstep::note_compared(__builtin_return_address(0), cases[2 + value % cases[0]]);
}
// NOLINTEND(bugprone-reserved-identifier)
}
