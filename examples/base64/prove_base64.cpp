// What the search cannot say: that a group is encoded and decoded right, whatever its bytes or characters are. A text is a
// sequence of groups, so a text of any length is, too; that the loops of base64.cpp take each group once is not proved.
//
//   prove_base64                              proves it
//   prove_base64 base64 leftover_bits         refutes a planted mistake, with the smallest characters
#include <algorithm>
#include <string>

#include "base64.hpp"
#include "proof/claim.hpp"

namespace {

struct Bytes {
  std::uint8_t at[3];
  std::uint8_t count;  // 0 … 3; the others are 0
};
struct Text {
  char at[4];
  std::uint8_t is_last;
};
struct Characters {
  char at[4];
};

/// RFC 4648, bit by bit: bit i of the group is bit 5 − i % 6 of character i / 6.
void spell(const Bytes& in, Characters& out) {
  for (int i = 0; i < 4; ++i) {
    int value = 0;
    for (int bit = 6 * i; bit < 6 * i + 6; ++bit) value = 2 * value + (in.at[bit / 8] >> (7 - bit % 8) & 1);
    out.at[i] = i <= in.count ? alphabet[static_cast<std::size_t>(value)] : '=';
  }
}

/// The bytes that `spell` writes as the text; count is 0 if there are none. Only a text's last group has less than three.
void read(const Text& in, Bytes& out) {
  out = {};
  bool bits[24] = {};
  int characters = 4;
  while (characters > 2 && in.at[characters - 1] == '=') --characters;
  for (int i = 0; i < characters; ++i) {
    int value = -1;
    for (int k = 0; k < 64; ++k) {
      if (in.at[i] == alphabet[static_cast<std::size_t>(k)]) value = k;
    }
    if (value < 0) return;
    for (int bit = 0; bit < 6; ++bit) bits[6 * i + bit] = (value >> (5 - bit) & 1) != 0;
  }
  if (characters < 4 && in.is_last == 0) return;
  for (int bit = 8 * (characters - 1); bit < 6 * characters; ++bit) {
    if (bits[bit]) return;  // of no byte
  }
  out.count = static_cast<std::uint8_t>(characters - 1);
  for (int bit = 0; bit < 8 * out.count; ++bit) {
    out.at[bit / 8] = static_cast<std::uint8_t>(2 * out.at[bit / 8] + (bits[bit] ? 1 : 0));
  }
}

template <Mistake mistake = Mistake::none>
void encoded(const Bytes& in, Characters& out) {
  const auto text = encode_group<mistake>({in.at[0], in.at[1], in.at[2]}, in.count);
  for (std::size_t i = 0; i < 4; ++i) out.at[i] = text[i];
}

template <Mistake mistake = Mistake::none>
void decoded(const Text& in, Bytes& out) {
  const Group group = decode_group<mistake>({in.at[0], in.at[1], in.at[2], in.at[3]}, in.is_last != 0);
  for (std::size_t i = 0; i < 3; ++i) out.at[i] = i < group.count ? group.bytes[i] : std::uint8_t{0};
  out.count = static_cast<std::uint8_t>(group.count);
}

std::string escaped(std::uint8_t byte) {
  return {'\\', 'x', "0123456789abcdef"[byte / 16], "0123456789abcdef"[byte % 16]};
}
std::string scenario_of_bytes(const Bytes& in) {
  std::string out = "lockstep 1 encode\nactions\ncall a=\"";
  for (int i = 0; i < in.count; ++i) out += escaped(in.at[i]);
  return out + "\"\n";
}
/// A group that is not the last one comes before another.
std::string scenario_of_text(const Text& in) {
  std::string out = "lockstep 1 decode\nactions\ncall text=\"";
  for (const char c : in.at) {
    const bool plain = c > ' ' && c <= 'z' && c != '"' && c != '\\';
    out += plain ? std::string(1, c) : escaped(static_cast<std::uint8_t>(c));
  }
  return out + (in.is_last != 0 ? "" : "AAAA") + "\"\n";
}

}  // namespace

extern "C" {

bool base64_any_bytes(const Bytes& in) {
  bool out = in.count <= 3;
  for (int i = 0; i < 3; ++i) out = out && (i < in.count || in.at[i] == 0);
  return out;
}
bool base64_any_text(const Text& in) { return in.is_last <= 1; }

void base64_spell(const Bytes& in, Characters& out) { spell(in, out); }
void base64_encode(const Bytes& in, Characters& out) { encoded(in, out); }
void base64_signed_bytes(const Bytes& in, Characters& out) { encoded<Mistake::signed_bytes>(in, out); }

void base64_read(const Text& in, Bytes& out) { read(in, out); }
void base64_decode(const Text& in, Bytes& out) { decoded(in, out); }
void base64_leftover_bits(const Text& in, Bytes& out) { decoded<Mistake::leftover_bits>(in, out); }
void base64_padding_inside(const Text& in, Bytes& out) { decoded<Mistake::padding_inside>(in, out); }

}  // extern "C"

namespace {

using lockstep::proof::claim;
using lockstep::proof::Draws;
using lockstep::proof::Symbol;

bool encodes(std::string_view name, Symbol<void(const Bytes&, Characters&)> kernel, std::string_view canary = "") {
  return claim<Bytes, Characters>({.game = "base64",
                                   .name = name,
                                   .says = "up to three bytes become the characters of RFC 4648",
                                   .kernel = kernel,
                                   .specification = LOCKSTEP_SYMBOL(base64_spell),
                                   .invariant = LOCKSTEP_SYMBOL(base64_any_bytes),
                                   .draw =
                                       [](Draws& draws, Bytes& in) {
                                         in.count = static_cast<std::uint8_t>(draws.below(4));
                                         for (int i = 0; i < in.count; ++i) {
                                           in.at[i] = static_cast<std::uint8_t>(draws());
                                         }
                                       },
                                   .scenario = scenario_of_bytes,
                                   .canary = canary});
}

bool decodes(std::string_view name, Symbol<void(const Text&, Bytes&)> kernel, std::string_view canary = "") {
  return claim<Text, Bytes>({.game = "base64",
                             .name = name,
                             .says = "four characters become their bytes, or are refused: all 2^32, last or not",
                             .kernel = kernel,
                             .specification = LOCKSTEP_SYMBOL(base64_read),
                             .invariant = LOCKSTEP_SYMBOL(base64_any_text),
                             .draw =
                                 [](Draws& draws, Text& in) {
                                   for (char& c : in.at) c = alphabet[draws.below(64)];
                                   for (std::uint64_t i = draws.below(4); i < 3 && i > 0; --i) in.at[4 - i] = '=';
                                   in.is_last = static_cast<std::uint8_t>(draws.below(2));
                                 },
                             .scenario = scenario_of_text,
                             .canary = canary});
}

const bool encode = encodes("encode", LOCKSTEP_SYMBOL(base64_encode));
const bool decode = decodes("decode", LOCKSTEP_SYMBOL(base64_decode));
const bool signed_bytes = encodes("signed_bytes", LOCKSTEP_SYMBOL(base64_signed_bytes), "signed_bytes");
const bool leftover_bits = decodes("leftover_bits", LOCKSTEP_SYMBOL(base64_leftover_bits), "leftover_bits");
const bool padding_inside = decodes("padding_inside", LOCKSTEP_SYMBOL(base64_padding_inside), "padding_inside");

}  // namespace
