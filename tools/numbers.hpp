// Numbers and tables as text.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/base/words.hpp"

namespace lockstep {

/// 1234567 → "1.23 M". A number that rounds to 1000 of a unit is printed in the next unit.
inline std::string short_number(double value) {
  if (value >= 999'995e3) return fmt::format("{:.2f} G", value / 1e9);
  if (value >= 999'950) return fmt::format("{:.2f} M", value / 1e6);
  if (value >= 1e4) return fmt::format("{:.1f} k", value / 1e3);
  return fmt::format("{:.0f}", value);
}

/// Three digits, never more after the point than that needs: "0.0461", "3.61", "277", "12345".
inline std::string three_digits(double value) {
  const double size = std::abs(value);
  const int decimals = size >= 99.95 || size == 0 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3;
  return fmt::format("{:.{}f}", value, decimals);
}

/// "1 scenario", "1.23 M scenarios".
inline std::string short_count(std::uint64_t count, std::string_view noun) {
  return short_number(static_cast<double>(count)) + " " + plural(count, noun);
}

/// In characters: the bytes that do not continue a UTF-8 character.
inline std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

/// A table whose first row is the heading. The first `words` columns and column `also` are aligned left, all others right.
inline std::string table_text(const std::vector<std::vector<std::string>>& rows, std::size_t words, std::size_t also) {
  std::vector<std::size_t> widths(rows[0].size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  std::string out;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool number = i >= words && i != also;
      line += number ? fmt::format("{:>{}}  ", row[i], widths[i]) : fmt::format("{:<{}}  ", row[i], widths[i]);
    }
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return out;
}

}  // namespace lockstep
