// Reads texts line by line.
#pragma once

#include <algorithm>
#include <string_view>

namespace lockstep {

/// Removes the first line from the text and returns it without its newline. The last line may have none.
inline std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

}  // namespace lockstep
