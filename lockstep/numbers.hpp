// Numbers of a description: one integer type that holds the bounds of every integral type, and the order from simple to
// complicated.
//
// The simplest number of a range is the one nearest to 0: engines decode missing bytes to it, and the shrinker moves
// towards it. The rank of a number counts the simpler ones:
//
//   range 3 … 9     3 has rank 0, 4 rank 1, …
//   range −2 … 5    0, 1, −1, 2, −2, 3, 4, 5 have ranks 0 … 7
//   range −9 … −3   −3 has rank 0, −4 rank 1, …
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace lockstep {

/// Holds every value of every integral type of up to 64 bits.
__extension__ using Number = __int128;

/// The number nearest to 0 in a range.
constexpr Number simplest(Number lo, Number hi) { return std::clamp<Number>(0, lo, hi); }

/// The number of simpler numbers in a range of at most 2⁶⁴ numbers. N must hold the length of the range.
template <class N>
constexpr std::uint64_t rank_of(N value, N lo, N hi) {
  if (lo >= 0) return static_cast<std::uint64_t>(value - lo);
  if (hi <= 0) return static_cast<std::uint64_t>(hi - value);
  // Both signs alternate as far as the shorter side reaches; the longer side continues alone.
  const N both = std::min<N>(-lo, hi);
  const N distance = value < 0 ? -value : value;
  if (distance > both) return static_cast<std::uint64_t>(both + distance);
  return static_cast<std::uint64_t>(value > 0 ? 2 * distance - 1 : 2 * distance);
}

/// The number with a rank, which is at most hi − lo. Inverse of rank_of.
template <class N>
constexpr N number_of_rank(std::uint64_t rank, N lo, N hi) {
  const auto wide = static_cast<N>(rank);
  if (lo >= 0) return lo + wide;
  if (hi <= 0) return hi - wide;
  const N both = std::min<N>(-lo, hi);
  if (wide > 2 * both) return hi > both ? wide - both : both - wide;
  return wide % 2 == 1 ? (wide + 1) / 2 : -(wide / 2);
}

std::string to_text(Number value);

/// A decimal number with an optional minus; nullopt if the text is anything else, or has more than 38 digits.
std::optional<Number> number_in(std::string_view text);

// Floating point -------------------------------------------------------------------------------
//
// A floating-point value is visited as two numbers: its sign, and the rank of its magnitude in an order that people call
// simple to complicated: 0, 1, 2, 3, … first, then fractions (by ascending exponent distance from 1, few digits first),
// then infinity and NaN. The order is that of Hypothesis (hypothesis/internal/conjecture/floats.py, "lexicographic
// encoding"): bit 63 clear: the low 56 bits are an integer; bit 63 set: exponent, then the reversed mantissa.

namespace floating {

inline constexpr std::uint64_t fraction_flag = std::uint64_t{1} << 63;
inline constexpr unsigned mantissa_bits = 52;
inline constexpr std::uint64_t mantissa_mask = (std::uint64_t{1} << mantissa_bits) - 1;
inline constexpr std::uint64_t exponent_max = 0x7ff;
inline constexpr std::uint64_t exponent_bias = 1023;
inline constexpr std::uint64_t integers = std::uint64_t{1} << 56;

/// Exponents in the order 1 … 2¹⁰²³ (ascending), ½ … 2⁻¹⁰²² (descending), subnormal, and last infinity and NaN.
constexpr std::uint64_t exponent_rank(std::uint64_t exponent) {
  if (exponent == exponent_max) return exponent_max;
  return exponent >= exponent_bias ? exponent - exponent_bias : exponent_max - 1 - exponent;
}
constexpr std::uint64_t exponent_of_rank(std::uint64_t rank) {
  if (rank == exponent_max) return exponent_max;
  return rank <= exponent_max - 1 - exponent_bias ? rank + exponent_bias : exponent_max - 1 - rank;
}

constexpr std::uint64_t reversed(std::uint64_t bits, unsigned count) {
  std::uint64_t out = 0;
  for (unsigned i = 0; i < count; ++i, bits >>= 1) out = out << 1 | (bits & 1);
  return out;
}

/// The rank of a magnitude (a value without sign).
constexpr std::uint64_t rank_of(double magnitude) {
  if (magnitude < static_cast<double>(integers)) {
    const auto whole = static_cast<std::uint64_t>(magnitude);
    if (static_cast<double>(whole) == magnitude) return whole;
  }
  const auto bits = std::bit_cast<std::uint64_t>(magnitude) & ~fraction_flag;
  return fraction_flag | exponent_rank(bits >> mantissa_bits) << mantissa_bits |
         reversed(bits & mantissa_mask, mantissa_bits);
}

/// Total: every rank is a magnitude, some are two ranks' (0.5 · 2 has the rank of an integer).
constexpr double of_rank(std::uint64_t rank) {
  if ((rank & fraction_flag) == 0) return static_cast<double>(rank & (integers - 1));
  const std::uint64_t exponent = exponent_of_rank(rank >> mantissa_bits & exponent_max);
  return std::bit_cast<double>(exponent << mantissa_bits | reversed(rank & mantissa_mask, mantissa_bits));
}

/// The value inside its bounds, if it has any; NaN becomes the lower bound.
constexpr double real_within(double value, std::optional<std::pair<double, double>> bounds) {
  if (!bounds) return value;
  return value >= bounds->first ? std::min(value, bounds->second) : bounds->first;
}

/// The shortest text that reads back as the same value; "nan", or "nan:BITS" for a NaN with another payload.
std::string text_of(float value);
std::string text_of(double value);

/// Inverse of text_of; nullopt if the text is no number.
std::optional<double> in_text(std::string_view text);

}  // namespace floating

// Comparisons of floating-point results, for compare(…).equal and Laws::equal.

/// Every bit: 0.0 differs from −0.0, and NaNs differ by their payload.
struct SameBits {
  bool operator()(float one, float other) const {
    return std::bit_cast<std::uint32_t>(one) == std::bit_cast<std::uint32_t>(other);
  }
  bool operator()(double one, double other) const {
    return std::bit_cast<std::uint64_t>(one) == std::bit_cast<std::uint64_t>(other);
  }
};
inline constexpr SameBits same_bits;

/// At most so many steps from one value of the type to the next lie between them. 0.0 and −0.0 are equal, all NaNs are,
/// and an infinity equals itself only.
class WithinUlps {
 public:
  constexpr explicit WithinUlps(std::uint64_t most) : most_{most} {}
  bool operator()(float one, float other) const;
  bool operator()(double one, double other) const;

 private:
  std::uint64_t most_;
};
constexpr WithinUlps within_ulps(std::uint64_t most) { return WithinUlps{most}; }

}  // namespace lockstep
