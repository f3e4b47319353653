// The law of strict texts.
#pragma once

#include <string>
#include <string_view>

#include "lockstep/text/text.hpp"

namespace lockstep::laws {

/// A text with one byte removed is refused or is another scenario. Exempt is white space beside other white space, or at
/// an end of the text. "", or what breaks the law.
inline std::string fault_of_strictness(const Vocabulary& system, const std::string& text) {
  const auto read = parse_scenario(system, text);
  if (!read) return read.error().message("text");
  const std::string meaning = scenario_text(*read);
  const auto white = [&](std::size_t i) { return i >= text.size() || text[i] == ' ' || text[i] == '\n'; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (white(i) && (white(i - 1) || white(i + 1))) continue;
    const auto other = parse_scenario(system, std::string{text}.erase(i, 1));
    if (other && scenario_text(*other) == meaning)
      return "byte " + std::to_string(i) + ", '" + text[i] + "', says nothing:\n" + text;
  }
  return "";
}

}  // namespace lockstep::laws
