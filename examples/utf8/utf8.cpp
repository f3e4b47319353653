// UTF-8 three times: table 3-7 of the Unicode standard read byte by byte; an automaton in a table, and eight ASCII
// characters at once; and utfcpp (Debian: libutfcpp-dev), a library that many programs use.
//
// It shows a third-party library as one implementation among others; hostile bytes; a comparison of what two
// specifications both promise (.equal); bytes after the end of a text, so that reading past it changes the answer; and a
// difference that is known, as a canary. Seven mistakes are planted, one more is the library's own (FOUND.md).
//
//   utf8 fuzz --seconds 10                                     searches all four comparisons; they agree
//   utf8 fuzz decode --with surrogates --seconds 5             finds a planted mistake
#include "utf8.hpp"

#include <utf8.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/lockstep.hpp"
#include "lockstep/system/typed.hpp"

using CodePoints = std::vector<std::uint32_t>;

/// A text up to the first sequence that is not well-formed.
struct Decoded {
  CodePoints points;
  std::optional<std::size_t> invalid;  // where that sequence begins; none: the whole text is well-formed
  bool operator==(const Decoded&) const = default;
  static void describe(auto& io, Decoded& d) {
    io.field("points", d.points);
    io.field("invalid", d.invalid);
  }
};

// Slow, and obviously right ---------------------------------------------------------------------

Decoded naive_decode(std::string_view text) {
  Decoded out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = well_formed_length(text.substr(at));
    if (length == 0) return {out.points, at};
    out.points.push_back(value_of(text.substr(at, length)));
    at += length;
  }
  return out;
}

// Fast ------------------------------------------------------------------------------------------

template <Mistake mistake = Mistake::none>
Decoded decode(std::string_view text) {
  // Eight bytes are ASCII if no byte has its highest bit: eight steps from `whole` to `whole`.
  constexpr std::uint64_t highest = mistake == Mistake::seven_of_eight ? 0x0080808080808080 : 0x8080808080808080;
  Decoded out;
  out.points.reserve(text.size());
  std::size_t at = 0;
  while (at < text.size()) {
    std::uint64_t eight = highest;
    if (text.size() - at >= 8) std::memcpy(&eight, text.data() + at, 8);
    if ((eight & highest) == 0) {
      for (std::size_t i = 0; i < 8; ++i) out.points.push_back(byte_of(text[at + i]));
      at += 8;
      continue;
    }
    const Sequence sequence = first_sequence<mistake>(text.substr(at));
    if (sequence.bytes == 0) return {out.points, at};
    out.points.push_back(sequence.point);
    at += sequence.bytes;
  }
  return out;
}

// utfcpp ----------------------------------------------------------------------------------------

/// Its manual calls the position that of "the first invalid octet", and leaves open which one that is inside of a
/// sequence. It is the first byte of the sequence, so that is what Decoded says; the standard has no such position.
Decoded utfcpp_decode(std::string_view text) {
  const auto end = utf8::find_invalid(text.begin(), text.end());
  Decoded out;
  utf8::utf8to32(text.begin(), end, std::back_inserter(out.points));
  if (end != text.end()) out.invalid = static_cast<std::size_t>(end - text.begin());
  return out;
}

// There and back, on well-formed texts ----------------------------------------------------------

std::string identity(std::string_view text) { return std::string{text}; }

template <class Unit = std::uint32_t>
std::string forwards(std::string_view text) {
  std::vector<Unit> points;
  for (const std::uint32_t point : decode(text).points) points.push_back(static_cast<Unit>(point));
  std::string out;
  utf8::utf32to8(points.begin(), points.end(), std::back_inserter(out));
  return out;
}

/// Only here: on other texts utf8::prior skips what its manual calls superfluous trail octets.
std::string backwards(std::string_view text) {
  CodePoints points;
  for (auto at = text.end(); at != text.begin();) points.push_back(utf8::prior(at, text.begin()));
  std::string out;
  utf8::utf32to8(points.rbegin(), points.rend(), std::back_inserter(out));
  return out;
}

std::string through_utf16(std::string_view text) {
  std::u16string units;
  utf8::utf8to16(text.begin(), text.end(), std::back_inserter(units));
  std::string out;
  utf8::utf16to8(units.begin(), units.end(), std::back_inserter(out));
  return out;
}

// Replacing what is not well-formed -------------------------------------------------------------

constexpr std::string_view marker = "\xef\xbf\xbd";  // U+FFFD

/// One marker for each byte that begins no well-formed sequence.
template <bool skips_the_sequence = false>
std::string replace(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = well_formed_length(text);
    out += length > 0 ? text.substr(0, length) : marker;
    // The lead byte announces a length, but the bytes after a broken sequence are the text's own.
    const int announced = skips_the_sequence ? std::countl_one(byte_of(text[0])) : 1;
    text.remove_prefix(length > 0 ? length : std::min(text.size(), static_cast<std::size_t>(std::max(announced, 1))));
  }
  return out;
}

std::string utfcpp_replace(std::string_view text) {
  std::string out;
  utf8::replace_invalid(text.begin(), text.end(), std::back_inserter(out));
  return out;
}

/// How many markers stand for a broken sequence is open: the standard recommends one for each of its maximal subparts
/// (Unicode 15.0, 3.9), utfcpp writes one for most sequences, ours one for each byte. All promise what is left besides.
bool same_up_to_repeated_markers(std::string_view a, std::string_view b) {
  const auto once = [](std::string_view text) {
    std::string out;
    while (!text.empty()) {
      const bool repeated = text.starts_with(marker) && out.ends_with(marker);
      if (!repeated) out += text[0];
      text.remove_prefix(repeated ? marker.size() : 1);
    }
    return out;
  };
  return once(a) == once(b);
}

// The code point that a refusal names -----------------------------------------------------------

using Named = std::optional<std::uint32_t>;

/// The value of the first sequence that is not well-formed, if it has the bytes that its lead byte announces, and fails
/// only because no character has the value: a surrogate, or one above U+10FFFF.
Named naive_refusal(std::string_view text) {
  const Named none;
  const auto at = naive_decode(text).invalid;
  if (!at) return none;
  const auto announced = static_cast<std::size_t>(std::countl_one(byte_of(text[*at])));
  const std::string_view sequence = text.substr(*at, announced);
  if (announced < 2 || announced > 4 || sequence.size() < announced) return none;
  if (std::ranges::any_of(sequence.substr(1), [](char c) { return byte_of(c) < 0x80 || byte_of(c) > 0xbf; }))
    return none;
  const std::uint32_t value = value_of(sequence);
  return (value >= 0xd800 && value <= 0xdfff) || value > 0x10ffff ? Named{value} : none;
}

/// `mended` asks the unchecked decoder, which is safe here: the exception says that the sequence has all its bytes.
template <bool mended>
Named utfcpp_refusal(std::string_view text) {
  auto at = text.begin();
  try {
    while (at != text.end()) utf8::next(at, text.end());
  } catch (const utf8::invalid_code_point& error) {
    return mended ? utf8::unchecked::next(at) : error.code_point();
  } catch (const utf8::exception&) {  // broken in another way
  }
  return std::nullopt;
}

// The comparisons -------------------------------------------------------------------------------

/// Calls the function with the text, followed by bytes that would complete a sequence: reading past the end shows.
template <auto function>
auto in_a_buffer(std::string_view text) {
  const std::string buffer = std::string{text} + "\x80\x80\x80";
  return function(std::string_view{buffer}.substr(0, text.size()));
}

/// The first and the last sequence of each row of table 3-7: broken ones are a byte away.
constexpr auto ends_of_rows = std::to_array<std::string_view>({
    "aaaaaaaa",
    "\xc2\x80",
    "\xdf\xbf",
    "\xe0\xa0\x80",
    "\xe0\xbf\xbf",
    "\xe1\x80\x80",
    "\xec\xbf\xbf",
    "\xed\x80\x80",
    "\xed\x9f\xbf",
    "\xee\x80\x80",
    "\xef\xbf\xbf",
    "\xf0\x90\x80\x80",
    "\xf0\xbf\xbf\xbf",
    "\xf1\x80\x80\x80",
    "\xf3\xbf\xbf\xbf",
    "\xf4\x80\x80\x80",
    "\xf4\x8f\xbf\xbf",
});
constexpr auto hostile = lockstep::Text::bytes.with(ends_of_rows);

constexpr auto hostile_text = [](auto& io, std::string& text) { io.text("text", text, 0, 24, hostile); };

int main(int argc, char** argv) {
  const auto decoders =
      lockstep::compare("decode", in_a_buffer<naive_decode>, in_a_buffer<decode<>>)
          .implementation("utfcpp", in_a_buffer<utfcpp_decode>, "utf8::find_invalid and utf8::utf8to32")
          .with(hostile_text)
          .canary("overlong", in_a_buffer<decode<Mistake::overlong>>, "e0 80..9f, which need two bytes only")
          .canary("surrogates", in_a_buffer<decode<Mistake::surrogates>>, "ed a0..bf, which are halves of UTF-16 pairs")
          .canary("beyond", in_a_buffer<decode<Mistake::beyond>>, "f4 90..bf, beyond U+10FFFF (as in utfcpp 4.1.0)")
          .canary("seven_of_eight", in_a_buffer<decode<Mistake::seven_of_eight>>, "the mask for ASCII misses a byte")
          .canary("reads_past", in_a_buffer<decode<Mistake::reads_past>>, "a sequence may continue after the end");
#ifdef LOCKSTEP_FUZZ_TARGET
  return decoders.main(argc, argv);  // a fuzz target has one system
#else
  decoders.add_to_program();

  lockstep::compare("round_trip", identity, forwards<>)
      .implementation("backwards", backwards, "utf8::prior")
      .implementation("through_utf16", through_utf16, "utf8::utf8to16 and utf8::utf16to8")
      .with([](auto& io, std::string& text) { io.text("text", text, 0, 16, lockstep::Text::utf8); })
      .canary("sixteen_bits", forwards<std::uint16_t>, "code points from U+10000 lose their highest bits")
      .add_to_program();

  lockstep::compare("replace", in_a_buffer<replace<>>, in_a_buffer<utfcpp_replace>)
      .with(hostile_text)
      .equal(same_up_to_repeated_markers)
      .canary("swallows", in_a_buffer<replace<true>>, "skips as many bytes as a broken lead byte announces")
      .add_to_program();

  lockstep::compare("refusal", naive_refusal, utfcpp_refusal<true>)
      .with(hostile_text)
      .canary("nameless", utfcpp_refusal<false>,
              "not planted: utfcpp's exception does not hold the code point, FOUND.md")
      .add_to_program();

  return lockstep::program_main(argc, argv);
#endif
}
