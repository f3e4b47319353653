#include "lockstep/describe/texts.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace lockstep {
namespace {

constexpr std::uint32_t code_points = 0x110000;
constexpr std::uint32_t surrogates_first = 0xd800;
constexpr std::uint32_t surrogates = 0x800;
constexpr std::uint32_t letters = 26;

/// Symbol 0 is 'a', 1 is 'b', …; after 'z' the other code points follow in their order.
std::uint32_t code_point_of(std::uint32_t symbol) {
  if (symbol < letters) return 'a' + symbol;
  std::uint32_t point = symbol - letters;
  if (point >= 'a') point += letters;
  if (point >= surrogates_first) point += surrogates;
  return point;
}
std::uint32_t symbol_of(std::uint32_t point) {
  if (point >= 'a' && point <= 'z') return point - 'a';
  if (point >= surrogates_first + surrogates) point -= surrogates;
  if (point > 'z') point -= letters;
  return point + letters;
}

void append_code_point(std::string& out, std::uint32_t point) {
  const auto byte = [&](std::uint32_t value) { out += static_cast<char>(value); };
  if (point < 0x80) return byte(point);
  const unsigned after = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;  // bytes after the first one, of six bits each
  byte((0xff00u >> (after + 1) & 0xff) | point >> (6 * after));
  for (unsigned left = after; left-- > 0;) byte(0x80 | (point >> (6 * left) & 0x3f));
}

struct Decoded {
  std::uint32_t point = 0;
  std::size_t bytes = 0;  // 0: the text does not begin with well-formed UTF-8 (Unicode 15, table 3-7)
};

Decoded first_code_point(std::string_view text) {
  const auto at = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
  const std::uint32_t lead = at(0);
  if (lead < 0x80) return {lead, 1};
  const auto count = static_cast<std::size_t>(std::countl_one(static_cast<unsigned char>(lead)));
  if (lead < 0xc2 || lead > 0xf4 || text.size() < count) return {};
  std::uint32_t point = lead & (0xffu >> (count + 1));
  for (std::size_t i = 1; i < count; ++i) {
    if ((at(i) & 0xc0) != 0x80) return {};
    point = point << 6 | (at(i) & 0x3f);
  }
  constexpr std::array<std::uint32_t, 5> least = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = point >= surrogates_first && point < surrogates_first + surrogates;
  if (point < least[count] || point >= code_points || surrogate) return {};
  return {point, count};
}

constexpr std::string_view hex_digits = "0123456789abcdef";
/// Characters that have an escape of their own, and what follows its backslash.
constexpr std::string_view escaped = "\"\\\n\t";
constexpr std::string_view escapes = "\"\\nt";

}  // namespace

std::uint32_t Text::size() const {
  switch (kind_) {
    case Kind::alphabet: return static_cast<std::uint32_t>(alphabet_.size());
    case Kind::utf8: return code_points - surrogates;
    case Kind::bytes: return 256;
  }
  return 0;
}

std::vector<std::uint32_t> Text::symbols_of(std::string_view text) const {
  std::vector<std::uint32_t> out;
  out.reserve(text.size());
  while (!text.empty()) {
    std::size_t taken = 1;
    if (kind_ == Kind::utf8) {
      const Decoded decoded = first_code_point(text);
      out.push_back(decoded.bytes == 0 ? 0 : symbol_of(decoded.point));
      taken = std::max<std::size_t>(decoded.bytes, 1);
    } else if (kind_ == Kind::bytes) {
      out.push_back(static_cast<unsigned char>(text[0]));
    } else {
      const std::size_t symbol = alphabet_.find(text[0]);
      out.push_back(symbol == std::string_view::npos ? 0 : static_cast<std::uint32_t>(symbol));
    }
    text.remove_prefix(taken);
  }
  return out;
}

std::string Text::text_of(std::span<const std::uint32_t> symbols) const {
  std::string out;
  out.reserve(symbols.size());
  for (const std::uint32_t symbol : symbols) {
    if (kind_ == Kind::utf8) append_code_point(out, code_point_of(symbol));
    else out += kind_ == Kind::bytes ? static_cast<char>(symbol) : alphabet_[symbol];
  }
  return out;
}

std::string Text::about() const {
  if (kind_ == Kind::utf8) return "UTF-8";
  if (kind_ == Kind::bytes) return "bytes";
  return alphabet_ == ascii.alphabet_ ? "printable ASCII" : "the characters " + quoted_text(alphabet_);
}

std::string quoted_text(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const char c = text[0];
    const Decoded decoded = first_code_point(text);
    std::size_t taken = 1;
    if (const std::size_t at = escaped.find(c); at != std::string_view::npos) {
      out.append("\\").append(1, escapes[at]);
    } else if (decoded.bytes == 0 || static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      const auto byte = static_cast<unsigned char>(c);
      out.append("\\x").append(1, hex_digits[byte >> 4]).append(1, hex_digits[byte & 15]);
    } else {
      taken = decoded.bytes;
      out += text.substr(0, taken);
    }
    text.remove_prefix(taken);
  }
  return out + "\"";
}

Unquoted unquoted_text(std::string_view quoted) {
  Unquoted out;
  const auto fail = [&](std::size_t at, std::string why) {
    out.fault_at = at;
    out.fault = std::move(why);
    return out;
  };
  if (!quoted.starts_with('"')) return fail(0, "expected a text in quotes");
  for (std::size_t i = 1; i < quoted.size(); ++i) {
    const char c = quoted[i];
    if (c == '"') return i + 1 == quoted.size() ? out : fail(i + 1, "expected nothing after the closing quote");
    if (c != '\\') {
      out.text += c;
      continue;
    }
    const char escape = ++i < quoted.size() ? quoted[i] : '\0';
    if (const std::size_t at = escapes.find(escape); at != std::string_view::npos) {
      out.text += escaped[at];
    } else if (escape == 'x' && i + 2 < quoted.size()) {
      const std::size_t high = hex_digits.find(quoted[i + 1]);
      const std::size_t low = hex_digits.find(quoted[i + 2]);
      if (high == std::string_view::npos || low == std::string_view::npos)
        return fail(i, "expected two digits 0-9a-f after \\x");
      out.text += static_cast<char>(high << 4 | low);
      i += 2;
    } else {
      return fail(i, "expected \\n, \\t, \\\\, \\\" or \\xHH");
    }
  }
  return fail(quoted.size(), "the closing quote is missing");
}

}  // namespace lockstep
