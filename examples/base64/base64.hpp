// Three bytes as four characters of Base64 (RFC 4648), and back: all at once, and by a table. A text is a sequence of such
// groups. Five mistakes are planted, as canaries.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

enum class Mistake { none, signed_bytes, no_padding, leftover_bits, padding_inside, short_table };

/// Of a text's last group, `bytes` are there (up to three), the others 0. Without bytes there is one character.
template <Mistake mistake = Mistake::none>
std::array<char, 4> encode_group(const std::array<std::uint8_t, 3>& group, std::size_t bytes) {
  const auto byte_at = [&](std::size_t i) {
    return mistake == Mistake::signed_bytes ? static_cast<unsigned>(static_cast<signed char>(group[i])) : group[i];
  };
  const unsigned bits = byte_at(0) << 16 | byte_at(1) << 8 | byte_at(2);
  std::array<char, 4> out;
  for (std::size_t i = 0; i < 4; ++i) out[i] = i <= bytes ? alphabet[bits >> (18 - 6 * i) & 63] : '=';
  return out;
}

struct Group {
  std::array<std::uint8_t, 3> bytes;
  std::size_t count;  // of bytes; 0 if `encode_group` does not write such characters
};

/// `is_last`: the group is the text's last one.
template <Mistake mistake = Mistake::none>
Group decode_group(const std::array<char, 4>& text, bool is_last) {
  static constexpr std::size_t characters = mistake == Mistake::short_table ? 128 : 256;
  static constexpr std::uint8_t none = 255;
  static constexpr auto values = [] {
    std::array<std::uint8_t, characters> out;
    out.fill(none);
    for (std::size_t i = 0; i < alphabet.size(); ++i)
      out[static_cast<std::uint8_t>(alphabet[i])] = static_cast<std::uint8_t>(i);
    return out;
  }();

  const bool may_end = is_last || mistake == Mistake::padding_inside;
  const std::size_t padding = !may_end || text[3] != '=' ? 0 : text[2] != '=' ? 1 : 2;
  unsigned bits = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const std::uint8_t value = i < 4 - padding ? values.at(static_cast<std::uint8_t>(text[i])) : 0;
    if (value == none) return {};
    bits = bits << 6 | value;
  }
  if ((bits & ((1U << 8 * padding) - 1)) != 0 && mistake != Mistake::leftover_bits) return {};
  Group out{.bytes = {}, .count = 3 - padding};
  for (std::size_t i = 0; i < 3; ++i) out.bytes[i] = static_cast<std::uint8_t>(bits >> (16 - 8 * i));
  return out;
}
