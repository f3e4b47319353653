#include "lockstep/numbers.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>

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
