// Base64 (RFC 4648) twice: through a string of bits, and by the groups of base64.hpp. A decoder gets input from strangers,
// so it must refuse everything that the encoder does not write.
//
// It shows three comparisons of functions in one program: bytes to text; a round trip, whose reference is the identity;
// and hostile text, where an exception is an answer. Five mistakes are planted, as canaries.
//
//   base64 fuzz --seconds 10                                     searches all three; the functions agree
//   base64 fuzz --with leftover_bits --seconds 5                 finds a planted mistake
#include "base64.hpp"

#include <array>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/lockstep.hpp"
#include "lockstep/system/typed.hpp"

using Bytes = std::vector<std::uint8_t>;

// Slow, and obviously right ---------------------------------------------------------------------

std::string naive_encode(const Bytes& bytes) {
  std::string bits;
  for (const std::uint8_t byte : bytes) {
    for (int bit = 7; bit >= 0; --bit) bits += (byte >> bit & 1) != 0 ? '1' : '0';
  }
  while (bits.size() % 6 != 0) bits += '0';
  std::string out;
  for (std::size_t i = 0; i < bits.size(); i += 6) out += alphabet[std::stoul(bits.substr(i, 6), nullptr, 2)];
  while (out.size() % 4 != 0) out += '=';
  return out;
}

Bytes naive_decode(std::string_view text) {
  std::string bits;
  for (const char c : text.substr(0, text.find('='))) {
    const std::size_t value = alphabet.find(c);
    if (value == alphabet.npos) throw std::invalid_argument{"not a base64 character"};
    for (int bit = 5; bit >= 0; --bit) bits += (value >> bit & 1) != 0 ? '1' : '0';
  }
  Bytes out;
  for (std::size_t i = 0; i + 8 <= bits.size(); i += 8) {
    out.push_back(static_cast<std::uint8_t>(std::stoul(bits.substr(i, 8), nullptr, 2)));
  }
  if (naive_encode(out) != text) throw std::invalid_argument{"no encoder writes this"};
  return out;
}

// Fast ------------------------------------------------------------------------------------------

template <Mistake mistake = Mistake::none>
std::string encode(const Bytes& bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte_at = [&](std::size_t k) { return k < bytes.size() ? bytes[k] : std::uint8_t{0}; };
    const auto group = encode_group<mistake>({byte_at(i), byte_at(i + 1), byte_at(i + 2)}, bytes.size() - i);
    out.append(group.data(), group.size());
  }
  if (mistake == Mistake::no_padding) out.resize((bytes.size() * 4 + 2) / 3);
  return out;
}

/// Nothing if the text is not what `encode` writes.
template <Mistake mistake = Mistake::none>
std::optional<Bytes> try_decode(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  Bytes out;
  out.reserve(text.size() / 4 * 3);
  for (std::size_t i = 0; i < text.size(); i += 4) {
    const auto group = decode_group<mistake>({text[i], text[i + 1], text[i + 2], text[i + 3]}, i + 4 == text.size());
    if (group.count == 0) return std::nullopt;
    for (std::size_t k = 0; k < group.count; ++k) out.push_back(group.bytes[k]);
  }
  return out;
}

template <Mistake mistake = Mistake::none>
Bytes decode(std::string_view text) {
  if (auto out = try_decode<mistake>(text)) return *std::move(out);
  throw std::invalid_argument{"not base64"};
}

// The comparisons -------------------------------------------------------------------------------

std::optional<Bytes> identity(const Bytes& bytes) { return bytes; }

template <Mistake mistake = Mistake::none>
std::optional<Bytes> there_and_back(const Bytes& bytes) {
  return try_decode(encode<mistake>(bytes));
}

/// What strangers send: also characters of other alphabets, blanks and bytes beyond ASCII; whole groups more often.
constexpr std::array<std::string_view, 3> words = {"AAAA", "AA==", "AAA="};
constexpr auto hostile =
    lockstep::Text::of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=-_ \n\x7f\x80\xff")
        .with(words);

int main(int argc, char** argv) {
  lockstep::compare("encode", naive_encode, encode<>)
      .canary("signed_bytes", encode<Mistake::signed_bytes>,
              "a byte from 128 is negative and fills the group with ones")
      .add_to_program();

  lockstep::compare("round_trip", identity, there_and_back<>)
      .canary("no_padding", there_and_back<Mistake::no_padding>, "the encoder writes no =, which the decoder requires")
      .add_to_program();

  lockstep::compare("decode", naive_decode, decode<>)
      .with([](auto& io, std::string& text) { io.text("text", text, 0, 24, hostile); })
      .canary("leftover_bits", decode<Mistake::leftover_bits>,
              "bits that no byte takes may be 1: two texts mean the same")
      .canary("padding_inside", decode<Mistake::padding_inside>, "= may end any group of four, not only the last")
      .canary("short_table", decode<Mistake::short_table>, "the table has no entries for characters from 128")
      .add_to_program();

  return lockstep::program_main(argc, argv);
}
