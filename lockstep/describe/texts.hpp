// Domains of text: which characters a text may contain, as symbols numbered from simple to complicated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// The characters of a text. Symbol 0 is the simplest.
class Text {
 public:
  /// The given characters (one byte each).
  static constexpr Text of(std::string_view alphabet) { return Text{Kind::alphabet, alphabet}; }
  /// Printable ASCII: letters, digits, then the rest.
  static const Text ascii;
  /// Every code point but surrogates; a symbol is a code point, so sizes count code points. 'a' is the simplest.
  static const Text utf8;
  /// Every byte, in the order of its value.
  static const Text bytes;
  /// Text::ascii(), as older programs write it.
  constexpr Text operator()() const { return *this; }

  /// With words that drawing inserts whole: keywords, separators, magic numbers.
  constexpr Text with(std::span<const std::string_view> words) const {
    Text out = *this;
    out.words_ = words;
    return out;
  }
  constexpr std::span<const std::string_view> words() const { return words_; }

  /// The number of symbols.
  std::uint32_t size() const;
  /// The symbols of a text. A character that is not in the alphabet counts as symbol 0.
  std::vector<std::uint32_t> symbols_of(std::string_view text) const;
  std::string text_of(std::span<const std::uint32_t> symbols) const;
  /// Whether the text consists of this alphabet's symbols: text_of(symbols_of(text)) == text.
  bool accepts(std::string_view text) const { return text_of(symbols_of(text)) == text; }
  /// "printable ASCII", for errors.
  std::string about() const;

 private:
  enum class Kind : std::uint8_t { alphabet, utf8, bytes };
  constexpr Text(Kind kind, std::string_view alphabet) : kind_{kind}, alphabet_{alphabet} {}

  Kind kind_;
  std::string_view alphabet_;
  std::span<const std::string_view> words_ = {};
};

inline constexpr Text Text::ascii =
    of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~");
inline constexpr Text Text::utf8{Kind::utf8, {}};
inline constexpr Text Text::bytes{Kind::bytes, {}};

/// The text in quotes, with escapes: \n, \t, \\, \", \xHH for control characters and bytes that are not UTF-8.
std::string quoted_text(std::string_view text);

/// Inverse of quoted_text. On an error, `fault` is the offset of the character and the reason.
struct Unquoted {
  std::string text;
  std::size_t fault_at = 0;
  std::string fault = {};  // "" if there is none
};
Unquoted unquoted_text(std::string_view quoted);

}  // namespace lockstep
