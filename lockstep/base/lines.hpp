// Reads texts line by line, and lines word by word.
#pragma once

#include <algorithm>
#include <string_view>

namespace lockstep {

/// The text without the byte order mark of UTF-8, which some editors insert.
constexpr std::string_view without_mark(std::string_view text) {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

/// Removes the beginning of the text up to the first `end`, which may be missing, and returns it without that.
inline std::string_view take_until(std::string_view& text, char end) {
  const std::size_t length = std::min(text.find(end), text.size());
  const std::string_view taken = text.substr(0, length);
  text.remove_prefix(std::min(length + 1, text.size()));
  return taken;
}

/// Takes the first line.
inline std::string_view take_line(std::string_view& text) { return take_until(text, '\n'); }
/// Takes the first word.
inline std::string_view take_word(std::string_view& text) { return take_until(text, ' '); }

}  // namespace lockstep
