#include "campaign/compared.hpp"

#include <array>
#include <atomic>

namespace lockstep {
namespace {

/// The number of each place, by a hash of its distance from here, which is the same in each run of a program. 0, which is drawn
/// often anyway: none yet.
std::array<std::atomic<std::int64_t>, 1024> at_places{};
std::atomic<bool> any_place{false};
std::atomic<unsigned> turn{0};

void compares(const void* place, std::int64_t number) {
  const auto distance = reinterpret_cast<std::uintptr_t>(place) - reinterpret_cast<std::uintptr_t>(&at_places);
  at_places[(distance * 0x9E3779B97F4A7C15u) >> 54].store(number, std::memory_order_relaxed);
  any_place.store(true, std::memory_order_relaxed);
}

/// Of two variables, now one and now the other.
void compares(const void* place, std::int64_t one, std::int64_t other) {
  if (one != other) compares(place, turn.fetch_add(1, std::memory_order_relaxed) % 2 == 0 ? one : other);
}

}  // namespace

std::vector<std::int64_t> compared_numbers() {
  std::vector<std::int64_t> out;
  if (!any_place.load(std::memory_order_relaxed)) return out;
  for (const auto& number : at_places) {
    if (const std::int64_t value = number.load(std::memory_order_relaxed); value != 0) out.push_back(value);
  }
  return out;
}

void forget_compared_numbers() {
  for (auto& number : at_places) number.store(0, std::memory_order_relaxed);
  turn.store(0, std::memory_order_relaxed);
}

}  // namespace lockstep

// https://clang.llvm.org/docs/SanitizerCoverage.html#tracing-data-flow. Numbers count as signed.
extern "C" {

// NOLINTBEGIN(bugprone-reserved-identifier): the names are the compiler's
#define LOCKSTEP_COMPARES(bytes, Type)                               \
  void __sanitizer_cov_trace_cmp##bytes(Type one, Type other) {      \
    lockstep::compares(__builtin_return_address(0), one, other);     \
  }                                                                  \
  void __sanitizer_cov_trace_const_cmp##bytes(Type constant, Type) { \
    lockstep::compares(__builtin_return_address(0), constant);       \
  }
LOCKSTEP_COMPARES(1, std::int8_t)
LOCKSTEP_COMPARES(2, std::int16_t)
LOCKSTEP_COMPARES(4, std::int32_t)
LOCKSTEP_COMPARES(8, std::int64_t)

// cases: how many there are, of how many bits they are, and each.
void __sanitizer_cov_trace_switch(std::uint64_t value, const std::uint64_t* cases) {
  if (cases[0] != 0) lockstep::compares(cases, static_cast<std::int64_t>(cases[2 + value % cases[0]]));
}
// NOLINTEND(bugprone-reserved-identifier)
}
