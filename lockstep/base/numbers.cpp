#include "lockstep/base/numbers.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <limits>

namespace lockstep {

std::string to_text(Number value) {
  std::string reversed;
  const bool negative = value < 0;
  do {
    const auto digit = static_cast<int>(value % 10);
    reversed += static_cast<char>('0' + (digit < 0 ? -digit : digit));
    value /= 10;
  } while (value != 0);
  if (negative) reversed += '-';
  return {reversed.rbegin(), reversed.rend()};
}

std::optional<Number> number_in(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text.empty() || text.size() > 38) return std::nullopt;
  Number value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return negative ? -value : value;
}

namespace floating {
namespace {

// Ranks: whole numbers below 2⁵⁶, halves and quarters of numbers below 2⁵⁵, and decimals n / 10^places, for which n has
// `digits_bits` bits; then, with the highest bit, all others.
constexpr std::uint64_t whole_end = std::uint64_t{1} << 56;
constexpr std::uint64_t fractions = std::uint64_t{1} << 55;  // of each kind
constexpr std::uint64_t decimals = whole_end + 2 * fractions;
constexpr unsigned digits_bits = 50;
constexpr std::uint64_t digits_end = 1'000'000'000'000'000;  // 10¹⁵
constexpr std::uint64_t others = std::uint64_t{1} << 63;

// Exactly representable, so that a quotient is the value nearest to the decimal.
constexpr double powers_of_ten[] = {1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr std::uint64_t places_max = std::size(powers_of_ten);

constexpr unsigned mantissa_bits = 52;
constexpr std::uint64_t mantissa_mask = (std::uint64_t{1} << mantissa_bits) - 1;
constexpr std::uint64_t exponent_max = 0x7ff;
constexpr std::uint64_t exponent_bias = 1023;

/// Exponents in the order 1 … 2¹⁰²³ (ascending), ½ … 2⁻¹⁰²² (descending), subnormal, and last infinity and NaN.
std::uint64_t exponent_rank(std::uint64_t exponent) {
  if (exponent == exponent_max) return exponent_max;
  return exponent >= exponent_bias ? exponent - exponent_bias : exponent_max - 1 - exponent;
}
std::uint64_t exponent_of_rank(std::uint64_t rank) {
  if (rank == exponent_max) return exponent_max;
  return rank <= exponent_max - 1 - exponent_bias ? rank + exponent_bias : exponent_max - 1 - rank;
}

/// With the number of bits that the mantissa uses behind the point: 2^(bits + 10) begins those with so many, the exponent
/// follows, and then the bits but the last, which is set.
std::uint64_t rank_by_bits(double magnitude) {
  const auto pattern = std::bit_cast<std::uint64_t>(magnitude) & ~others;
  const std::uint64_t exponent = exponent_rank(pattern >> mantissa_bits);
  const std::uint64_t mantissa = pattern & mantissa_mask;
  if (mantissa == 0) return others | exponent;
  const unsigned bits = mantissa_bits - static_cast<unsigned>(std::countr_zero(mantissa));
  return others | std::uint64_t{1} << (bits + 10) | exponent << (bits - 1) | mantissa >> (mantissa_bits - bits) >> 1;
}
double of_rank_by_bits(std::uint64_t rank) {
  rank &= ~others;
  if (rank <= exponent_max) return std::bit_cast<double>(exponent_of_rank(rank) << mantissa_bits);
  const auto bits = static_cast<unsigned>(std::bit_width(rank)) - 11;
  const std::uint64_t mantissa = (rank << 1 | 1) << (mantissa_bits - bits) & mantissa_mask;
  return std::bit_cast<double>(exponent_of_rank(rank >> (bits - 1) & exponent_max) << mantissa_bits | mantissa);
}

/// If the magnitude is a number below `end`, that number.
std::optional<std::uint64_t> whole(double magnitude, std::uint64_t end) {
  if (!(magnitude < static_cast<double>(end))) return std::nullopt;
  const auto value = static_cast<std::uint64_t>(magnitude);
  return static_cast<double>(value) == magnitude ? std::optional{value} : std::nullopt;
}

std::uint64_t decimal_rank(std::uint64_t places, std::uint64_t digits) {
  return decimals + ((places - 1) << digits_bits) + digits;
}

template <class T>
std::string text(T value) {
  const auto wide = static_cast<double>(value);
  if (std::isnan(wide)) {
    const auto bits = std::bit_cast<std::uint64_t>(wide);
    if (bits == 0x7ff8'0000'0000'0000u) return "nan";
    char hex[17] = {};
    std::to_chars(hex, hex + sizeof hex, bits, 16);
    return std::string{"nan:"} + hex;
  }
  char buffer[64];
  const auto [end, fault] = std::to_chars(buffer, buffer + sizeof buffer, value);
  return {buffer, end};
}

}  // namespace

std::uint64_t rank_of(double magnitude, bool single) {
  if (const auto number = whole(magnitude, whole_end)) return *number;
  if (const auto number = whole(2 * magnitude, fractions)) return whole_end + *number;
  if (const auto number = whole(4 * magnitude, fractions)) return whole_end + fractions + *number;
  for (std::uint64_t places = 1; places <= places_max; ++places) {
    const double power = powers_of_ten[places - 1];
    const double digits = std::nearbyint(magnitude * power);
    if (!(digits < static_cast<double>(digits_end))) break;
    const double nearest = digits / power;
    const bool same = single ? static_cast<float>(nearest) == static_cast<float>(magnitude) : nearest == magnitude;
    if (same) return decimal_rank(places, static_cast<std::uint64_t>(digits));
  }
  return rank_by_bits(magnitude);
}

double of_rank(std::uint64_t rank) {
  if (rank >= others) return of_rank_by_bits(rank);
  rank &= 2 * decimals - 1;
  if (rank < whole_end) return static_cast<double>(rank);
  if (rank < whole_end + fractions) return static_cast<double>(rank - whole_end) / 2;
  if (rank < decimals) return static_cast<double>(rank - whole_end - fractions) / 4;
  const std::uint64_t digits = rank & ((std::uint64_t{1} << digits_bits) - 1);
  return static_cast<double>(digits) / powers_of_ten[((rank - decimals) >> digits_bits) % places_max];
}

std::vector<std::uint64_t> simpler_ranks(std::uint64_t rank) {
  const double magnitude = of_rank(rank);
  std::vector<std::uint64_t> out;
  const auto add = [&](double near) {
    if (const std::uint64_t other = rank_of(near); other < rank) out.push_back(other);
  };
  const auto both = [&](double power) {
    if (!(magnitude * power < static_cast<double>(digits_end))) return;
    add(std::floor(magnitude * power) / power);
    add(std::ceil(magnitude * power) / power);
  };
  for (const double power : {1.0, 2.0, 4.0}) both(power);
  for (const double power : powers_of_ten) both(power);
  const auto pattern = std::bit_cast<std::uint64_t>(magnitude);
  for (unsigned bit = 0; bit < mantissa_bits; ++bit) {
    const std::uint64_t shorter = pattern >> bit << bit;
    if (shorter == pattern) continue;
    add(std::bit_cast<double>(shorter));
    add(std::bit_cast<double>(shorter + (std::uint64_t{1} << bit)));
  }
  std::ranges::sort(out);
  out.erase(std::ranges::unique(out).begin(), out.end());
  return out;
}

std::string text_of(float value) { return text(value); }
std::string text_of(double value) { return text(value); }

std::optional<double> in_text(std::string_view text) {
  if (text == "nan") return std::bit_cast<double>(std::uint64_t{0x7ff8'0000'0000'0000u});
  if (text.starts_with("nan:")) {
    std::uint64_t bits = 0;
    const char* const last = text.data() + text.size();
    const auto [end, fault] = std::from_chars(text.data() + 4, last, bits, 16);
    if (fault != std::errc{} || end != last || !std::isnan(std::bit_cast<double>(bits))) return std::nullopt;
    return std::bit_cast<double>(bits);
  }
#ifdef __cpp_lib_to_chars
  double value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, fault] = std::from_chars(text.data(), last, value);
  if (fault != std::errc{} || end != last || std::isnan(value)) return std::nullopt;
#else  // libc++ before 20 has no std::from_chars for double
  const std::string copy{text};  // ends with '\0'
  char* end = nullptr;
  const double value = std::strtod(copy.c_str(), &end);
  if (copy.empty() || end != copy.c_str() + copy.size() || std::isnan(value)) return std::nullopt;
#endif
  return value;
}

}  // namespace floating

namespace {

/// The bits of a magnitude count the values below it.
template <class Bits, class T>
bool near(T one, T other, std::uint64_t most) {
  if (std::isnan(one) || std::isnan(other)) return std::isnan(one) && std::isnan(other);
  if (std::isinf(one) || std::isinf(other)) return one == other;
  const auto place = [](T value) {
    const Number magnitude = std::bit_cast<Bits>(std::abs(value));
    return std::signbit(value) ? -magnitude : magnitude;
  };
  const Number distance = place(one) - place(other);
  return (distance < 0 ? -distance : distance) <= most;
}

}  // namespace

bool WithinUlps::operator()(float one, float other) const { return near<std::uint32_t>(one, other, most_); }
bool WithinUlps::operator()(double one, double other) const { return near<std::uint64_t>(one, other, most_); }

}  // namespace lockstep
