// Small functions, one for each operation that the executor knows, in the form of claims: their graph must compute what
// the processor computes. The kernel is its own specification.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "proof/claim.hpp"

namespace {

using lockstep::proof::claim;
using lockstep::proof::Draws;

struct In {
  std::uint64_t a;
  std::uint64_t b;
  std::uint64_t c;
};
struct Out {
  std::uint64_t x;
};
template <class T, int size>
using Vector = T __attribute__((vector_size(size)));

/// Numbers near the limits of all widths, and any.
void draw(Draws& draws, In& in) {
  for (std::uint64_t* word : {&in.a, &in.b, &in.c}) {
    *word = draws() >> draws.below(64);
    if (draws.below(4) == 0) *word = (std::uint64_t{1} << draws.below(64)) - draws.below(3);
    if (draws.below(4) == 0) *word = in.a + draws.below(2);
  }
}

const auto u32 = [](std::uint64_t word) { return static_cast<std::uint32_t>(word); };
const auto i32 = [](std::uint64_t word) { return static_cast<std::int32_t>(word); };
const auto i64 = [](std::uint64_t word) { return static_cast<std::int64_t>(word); };
const auto word_of = [](auto number) { return static_cast<std::uint64_t>(number); };

}  // namespace

extern "C" bool always(const In&) { return true; }

// The name, and what it computes from in.a, in.b and in.c.
#define OPERATION(NAME, ...)                                                                      \
  extern "C" void operation_##NAME(const In& in, Out& out) {                                      \
    const auto [a, b, c] = in;                                                                    \
    static_cast<void>(b), static_cast<void>(c);                                                   \
    out.x = [&]() -> std::uint64_t { __VA_ARGS__ }();                                             \
  }                                                                                               \
  const bool claimed_##NAME = claim<In, Out>({.game = "operations",                               \
                                              .name = #NAME,                                      \
                                              .says = #__VA_ARGS__,                               \
                                              .kernel = LOCKSTEP_SYMBOL(operation_##NAME),        \
                                              .specification = LOCKSTEP_SYMBOL(operation_##NAME), \
                                              .invariant = LOCKSTEP_SYMBOL(always),               \
                                              .draw = draw})

OPERATION(add, return a + b;);
OPERATION(add_signed, return word_of(i32(a >> 2) / 2 + i32(b >> 40)););
OPERATION(subtract, return a - b;);
OPERATION(multiply, return a * b;);
OPERATION(multiply_narrow, return static_cast<std::uint8_t>(a * b););
OPERATION(divide, return b == 0 ? 0 : u32(a) / static_cast<std::uint16_t>(b | 1););
OPERATION(remainder, return u32(a) % (static_cast<std::uint8_t>(b) | 1u););
OPERATION(divide_signed, return word_of(i32(a) / (i32(b) & 0xff | 1)););
OPERATION(remainder_signed, return word_of(i32(a) % (i32(b) & 0xff | 1)););
OPERATION(shift_left, return a << (b & 63););
OPERATION(shift_right, return a >> (b & 63););
OPERATION(shift_right_signed, return word_of(i64(a) >> (b & 63)););
OPERATION(conjunction, return a & b;);
OPERATION(disjunction, return a | b;);
OPERATION(exclusive_or, return a ^ b;);
OPERATION(complement, return ~a;);
OPERATION(equal, return a == b;);
OPERATION(unequal, return a != b;);
OPERATION(less, return a < b;);
OPERATION(at_most, return a <= b;);
OPERATION(less_signed, return i64(a) < i64(b););
OPERATION(at_most_signed, return i64(a) <= i64(b););
OPERATION(choice, return a < b ? c : a + 1;);
OPERATION(extend, return static_cast<std::uint8_t>(a););
OPERATION(extend_signed, return word_of(static_cast<std::int8_t>(a)););
OPERATION(ones, return word_of(std::popcount(a)););
OPERATION(leading_zeros, return word_of(std::countl_zero(a)););
OPERATION(trailing_zeros, return word_of(std::countr_zero(a)););
OPERATION(rotate, return std::rotl(a, static_cast<int>(b & 63)););
OPERATION(rotate_right, return std::rotr(u32(a), static_cast<int>(b & 31)););
OPERATION(funnel_left, return a << (c & 63) | b >> 1 >> (63 - (c & 63)););
OPERATION(funnel_right, return b >> (c & 63) | a << 1 << (63 - (c & 63)););
OPERATION(swap_bytes, return __builtin_bswap64(a););
OPERATION(reverse_bits, return __builtin_bitreverse64(a););
OPERATION(absolute, return i32(a) == INT32_MIN ? 0 : word_of(std::abs(i32(a))););
OPERATION(minimum, return std::min(a, b););
OPERATION(maximum, return std::max(a, b););
OPERATION(minimum_signed, return word_of(std::min(i64(a), i64(b))););
OPERATION(maximum_signed, return word_of(std::max(i64(a), i64(b))););
OPERATION(add_wraps, std::uint64_t x = 0; return __builtin_add_overflow(a, b, &x) ? c : x;);
OPERATION(add_wraps_signed, std::int64_t x = 0; return __builtin_add_overflow(i64(a), i64(b), &x) ? c : word_of(x););
OPERATION(subtract_wraps, std::uint32_t x = 0; return __builtin_sub_overflow(u32(a), u32(b), &x) ? c : x;);
OPERATION(subtract_wraps_signed, std::int32_t x = 0;
          return __builtin_sub_overflow(i32(a), i32(b), &x) ? c : word_of(x););
OPERATION(multiply_wraps, std::uint16_t x = 0;
          return __builtin_mul_overflow(static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b), &x) ? c : x;);
OPERATION(multiply_wraps_signed, std::int16_t x = 0;
          return __builtin_mul_overflow(static_cast<std::int16_t>(a), static_cast<std::int16_t>(b), &x) ? c
                                                                                                        : word_of(x););
OPERATION(add_saturated, return word_of(__builtin_elementwise_add_sat(a, b)););
OPERATION(add_saturated_signed, return word_of(__builtin_elementwise_add_sat(i32(a), i32(b))););
OPERATION(subtract_saturated, return word_of(__builtin_elementwise_sub_sat(a, b)););
OPERATION(subtract_saturated_signed, return word_of(__builtin_elementwise_sub_sat(i64(a), i64(b))););
OPERATION(lanes, const auto x = std::bit_cast<Vector<std::uint8_t, 8>>(a);
          const auto y = std::bit_cast<Vector<std::uint8_t, 8>>(b);
          return std::bit_cast<std::uint64_t>(x * y + (x >> 3) - (y << 1)););
OPERATION(lanes_compared, const auto x = std::bit_cast<Vector<std::int16_t, 8>>(a);
          const auto y = std::bit_cast<Vector<std::int16_t, 8>>(b);
          return std::bit_cast<std::uint64_t>((x < y) ? x : y););
OPERATION(shuffle, const auto x = std::bit_cast<Vector<std::uint8_t, 8>>(a);
          const auto y = std::bit_cast<Vector<std::uint8_t, 8>>(b);
          return std::bit_cast<std::uint64_t>(__builtin_shufflevector(x, y, 3, 0, 11, 14, 7, 7, 8, 1)););
OPERATION(element, const auto x = std::bit_cast<Vector<std::uint8_t, 8>>(a); return x[b & 7];);
OPERATION(element_set, auto x = std::bit_cast<Vector<std::uint8_t, 8>>(a); x[b & 7] = static_cast<std::uint8_t>(c);
          return std::bit_cast<std::uint64_t>(x););
OPERATION(lanes_summed, return __builtin_reduce_add(std::bit_cast<Vector<std::uint8_t, 8>>(a)););
OPERATION(lanes_maximum, return __builtin_reduce_max(std::bit_cast<Vector<std::uint8_t, 8>>(a)););
OPERATION(lanes_minimum_signed, return word_of(__builtin_reduce_min(std::bit_cast<Vector<std::int8_t, 8>>(a))););
OPERATION(array_read, std::uint64_t array[4] = {a, b, c, a + b}; return array[c & 3];);
OPERATION(array_written, std::array<std::uint8_t, 8> array{}; array[b & 7] = static_cast<std::uint8_t>(a);
          array[c & 7] ^= 5; return std::bit_cast<std::uint64_t>(array););
OPERATION(table, static constexpr std::uint16_t table[5] = {7, 0, 65535, 300, 2}; return table[a % 5];);
OPERATION(
    branches, switch (a & 7) {
      case 0: return b;
      case 1: return b * 3;
      case 4: return c / 7;
      case 6: return b > c ? c : 9;
      default: return a;
    });
OPERATION(loop, std::uint64_t sum = 0; for (std::uint64_t i = 0; i < (a & 15); ++i) sum = sum * 3 + (b >> i & 1) + i;
          return sum;);
OPERATION(
    nested_loops, std::uint64_t sum = 0; for (unsigned i = 0; i < 4; ++i) {
      for (unsigned k = 0; k < (a >> i & 3); ++k) {
        if ((b >> (i + k) & 1) == 0) continue;
        sum += i * 5 + k;
        if (sum > (c & 31)) return sum;
      }
    } return sum;);
OPERATION(copy, std::array<std::uint8_t, 24> bytes{}; std::memcpy(bytes.data() + 3, &in, 20); std::uint64_t x = 0;
          std::memcpy(&x, bytes.data() + (b & 15), 8); return x;);
OPERATION(pointers, const std::uint64_t* of[3] = {&in.a, &in.b, &in.c}; return *of[a % 3] - *(of[b % 3]););
