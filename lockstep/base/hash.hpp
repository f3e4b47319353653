// 64-bit FNV-1a, for file names, swarms, and tests that recognise a stream.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lockstep {

constexpr std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

/// The hash as 16 hexadecimal digits.
inline std::string hash_text(std::string_view text) {
  const std::uint64_t hash = fnv1a(text);
  std::string out;
  for (int shift = 60; shift >= 0; shift -= 4) out += "0123456789abcdef"[(hash >> shift) & 15u];
  return out;
}

}  // namespace lockstep
