// Reads texts line by line, and lines word by word.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace lockstep {

/// Removes the first line from the text and returns it without its newline. The last line may have none.
inline std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

/// The words between blanks.
inline std::vector<std::string_view> words_in(std::string_view line) {
  std::vector<std::string_view> out;
  for (std::size_t at = line.find_first_not_of(' '); at < line.size(); at = line.find_first_not_of(' ', at)) {
    const std::size_t end = std::min(line.find(' ', at), line.size());
    out.push_back(line.substr(at, end - at));
    at = end;
  }
  return out;
}

}  // namespace lockstep
