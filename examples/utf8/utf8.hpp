// One sequence of UTF-8 twice: table 3-7 of the Unicode standard read byte by byte, and an automaton in a table. Mistakes
// are planted, as canaries.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

inline std::uint8_t byte_of(char c) { return static_cast<std::uint8_t>(c); }

// Slow, and obviously right ---------------------------------------------------------------------

/// Unicode 15.0, table 3-7: well-formed UTF-8 byte sequences.
struct Range {
  std::uint8_t first, last;
};
struct Row {
  std::size_t bytes;
  Range ranges[4];
};
constexpr Row table_3_7[] = {
    {1, {{0x00, 0x7f}}},
    {2, {{0xc2, 0xdf}, {0x80, 0xbf}}},
    {3, {{0xe0, 0xe0}, {0xa0, 0xbf}, {0x80, 0xbf}}},
    {3, {{0xe1, 0xec}, {0x80, 0xbf}, {0x80, 0xbf}}},
    {3, {{0xed, 0xed}, {0x80, 0x9f}, {0x80, 0xbf}}},
    {3, {{0xee, 0xef}, {0x80, 0xbf}, {0x80, 0xbf}}},
    {4, {{0xf0, 0xf0}, {0x90, 0xbf}, {0x80, 0xbf}, {0x80, 0xbf}}},
    {4, {{0xf1, 0xf3}, {0x80, 0xbf}, {0x80, 0xbf}, {0x80, 0xbf}}},
    {4, {{0xf4, 0xf4}, {0x80, 0x8f}, {0x80, 0xbf}, {0x80, 0xbf}}},
};

/// The bytes of the well-formed sequence that the text begins with; 0 if there is none.
inline std::size_t well_formed_length(std::string_view text) {
  for (const Row& row : table_3_7) {
    if (std::ranges::equal(std::span{row.ranges}.first(row.bytes), text.substr(0, row.bytes),
                           [](Range range, char c) { return range.first <= byte_of(c) && byte_of(c) <= range.last; }))
      return row.bytes;
  }
  return 0;
}

/// Table 3-6: the value of a sequence. A lead byte of n bytes is 0xc0, 0xe0, 0xf0 and the highest bits; each other byte
/// is 0x80 and six bits.
inline std::uint32_t value_of(std::string_view sequence) {
  constexpr std::array<std::uint32_t, 5> lead = {0, 0, 0xc0, 0xe0, 0xf0};
  std::uint32_t value = byte_of(sequence[0]) - lead[sequence.size()];
  for (const char c : sequence.substr(1)) value = value * 64 + (byte_of(c) - 0x80u);
  return value;
}

// Fast ------------------------------------------------------------------------------------------

enum class Mistake { none, overlong, surrogates, beyond, seven_of_eight, reads_past };

// An automaton: a state is what must follow, and a text is well-formed if its bytes lead from `whole` to `whole`.
//
//   whole --00..7f------------------------------------------------------> whole
//   whole --c2..df---------------------------------------> one --80..bf-> whole
//   whole --e0-----> after_e0 --a0..bf-------------------> one
//   whole --e1..ec-> two -------80..bf-------------------> one
//   whole --ed-----> after_ed --80..9f-------------------> one
//   whole --ee..ef-> two -------80..bf-------------------> one
//   whole --f0-----> after_f0 --90..bf--> two --80..bf---> one
//   whole --f1..f3-> three -----80..bf--> two
//   whole --f4-----> after_f4 --80..8f--> two
//
// All other edges lead to `refused`, which none leaves. Its paths from `whole` to the next `whole` are the rows of table
// 3-7, in their order: a row is known by its lead byte, and only the rows of e0, ed, f0 and f4 narrow what follows, the
// second byte, for which they have states of their own. From the second byte on, only the number of bytes that are left
// matters: `two` or `one`.
//
// All edges of one byte are in one word of nine fields of six bits: the field at bit `state` is the next state. So the
// states are 0, 6, 12, … 48, each fits its field, and `edges[byte] >> state & 63` is a step without a branch.
enum State : std::uint8_t {
  whole = 0,
  one = 6,
  two = 12,
  three = 18,
  after_e0 = 24,
  after_ed = 30,
  after_f0 = 36,
  after_f4 = 42,
  refused = 48
};

template <Mistake mistake>
constexpr auto edges = [] {
  std::array<std::uint64_t, 256> out{};
  for (auto& edges_of_byte : out) {
    for (unsigned from = whole; from <= refused; from += 6) edges_of_byte |= std::uint64_t{refused} << from;
  }
  const auto edge = [&](State from, unsigned first, unsigned last, State to) {
    for (unsigned byte = first; byte <= last; ++byte) out[byte] ^= std::uint64_t{unsigned{refused} ^ to} << from;
  };
  edge(whole, 0x00, 0x7f, whole);
  edge(whole, 0xc2, 0xdf, one);
  edge(whole, 0xe0, 0xe0, after_e0);
  edge(whole, 0xe1, 0xec, two);
  edge(whole, 0xed, 0xed, after_ed);
  edge(whole, 0xee, 0xef, two);
  edge(whole, 0xf0, 0xf0, after_f0);
  edge(whole, 0xf1, 0xf3, three);
  edge(whole, 0xf4, 0xf4, after_f4);
  edge(after_e0, mistake == Mistake::overlong ? 0x80 : 0xa0, 0xbf, one);
  edge(after_ed, 0x80, mistake == Mistake::surrogates ? 0xbf : 0x9f, one);
  edge(after_f0, 0x90, 0xbf, two);
  edge(after_f4, 0x80, mistake == Mistake::beyond ? 0xbf : 0x8f, two);
  edge(three, 0x80, 0xbf, two);
  edge(two, 0x80, 0xbf, one);
  edge(one, 0x80, 0xbf, whole);
  return out;
}();

/// The sequence that a text begins with; without bytes if it is not well-formed.
struct Sequence {
  std::size_t bytes;
  std::uint32_t point;
};

/// Precondition: the text is not empty.
template <Mistake mistake = Mistake::none>
Sequence first_sequence(std::string_view text) {
  Sequence out{};
  unsigned state = whole;
  do {
    if (out.bytes == text.size() && mistake != Mistake::reads_past) return {};
    const std::uint8_t byte = byte_of(text.data()[out.bytes++]);
    // A lead byte begins with as many ones as the sequence has bytes (none for ASCII), and a zero; its value follows.
    out.point = state == whole ? byte & 0x7fu >> std::countl_one(byte) : out.point << 6 | (byte & 0x3fu);
    state = edges<mistake>[byte] >> state & 63;
    if (state == refused) return {};
  } while (state != whole);
  return out;
}
