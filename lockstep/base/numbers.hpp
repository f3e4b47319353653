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
#include <vector>

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
// A floating-point value is visited as two numbers: its sign, and the rank of its magnitude in an order from simple to
// complicated, which is that of what people have to read:
//
//   0, 1, 2, …; halves; quarters; decimals of at most 15 digits, fewer places first: 0.1, 0.2, …, 0.01, …; then values with
//   few bits: 2⁵⁶, 2⁵⁷, …, 2⁻²², 2⁻²³, …, infinity, then those with one bit behind the first, and so on
//
// The last are those whose decimals are long: exponents from 0 upwards come before those downwards from −1.

namespace floating {

/// The rank of a magnitude (a value without sign). `single`: of a float, whose decimals have fewer digits.
std::uint64_t rank_of(double magnitude, bool single = false);

/// Total: every rank is a magnitude, some are several ranks' (two halves are an integer).
double of_rank(std::uint64_t rank);

/// The ranks of simpler magnitudes near one, the simplest first: the next whole number, half, quarter and decimals in both
/// directions, and those with fewer bits.
std::vector<std::uint64_t> simpler_ranks(std::uint64_t rank);

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
