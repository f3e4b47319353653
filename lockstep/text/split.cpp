#include "lockstep/text/split.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "lockstep/base/lines.hpp"
#include "lockstep/base/words.hpp"

namespace lockstep {
namespace text {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

// Hostile texts must not cost more than valid ones: a line longer than any valid one is not split further, and its parser
// refuses it.
constexpr std::size_t words_max = 1'000;  // per line; a row of a board has at most 200
constexpr int unclosed_max = 8;           // values per line without their closing mark

bool opens(char c) { return c == '"' || c == '[' || c == '{'; }

/// The end of the value that begins at `at`: the first place outside of quotes, brackets and braces at which `stops`
/// holds, or the end of the text. nullopt if one of them is not closed.
std::optional<std::size_t> value_end(std::string_view text, std::size_t at, auto&& stops) {
  std::string closing;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') {
      for (++at; at < text.size() && text[at] != '"'; ++at) at += text[at] == '\\' ? 1 : 0;
      if (at >= text.size()) return std::nullopt;
    } else if (c == '[' || c == '{') {
      closing += c == '[' ? ']' : '}';
    } else if (!closing.empty()) {
      if (c == closing.back()) closing.pop_back();
    } else if (stops(c)) {
      return at;
    }
  }
  return closing.empty() ? std::optional{at} : std::nullopt;
}

/// The words of a line up to its comment, whose place is returned too (or the end of the line).
std::pair<std::vector<Word>, std::size_t> words_of(std::string_view line) {
  std::vector<Word> words;
  std::size_t i = 0;
  int unclosed = 0;  // each costs a pass over the line
  while (i < line.size() && line[i] != '#' && words.size() < words_max) {
    if (is_space(line[i])) {
      ++i;
      continue;
    }
    const auto ends = [](char c) { return is_space(c) || c == '#'; };
    std::size_t end = i;
    while (end < line.size() && !ends(line[end])) {
      // A value in quotes, brackets or braces may contain white space. Without its closing mark it is an ordinary word.
      const bool value_begins = opens(line[end]) && (end == i || line[end - 1] == '=' || line[end - 1] == ':');
      if (value_begins && unclosed < unclosed_max) {
        if (const auto closed = value_end(line, end, ends)) {
          end = *closed;
          break;
        }
        ++unclosed;
      }
      ++end;
    }
    words.push_back({line.substr(i, end - i), static_cast<int>(i) + 1});
    i = end;
  }
  return {std::move(words), i < line.size() && line[i] == '#' ? i : std::min(line.find('#', i), line.size())};
}

}  // namespace

std::vector<Word> parts_of(std::string_view text, char separator, int column) {
  const bool blank = separator == ' ';
  const auto separates = [=](char c) { return blank ? is_space(c) : c == separator; };
  std::vector<Word> out;
  for (std::size_t i = 0; i <= text.size();) {
    while (i < text.size() && is_space(text[i])) ++i;
    const std::size_t end = value_end(text, i, separates).value_or(text.size());
    const bool may_be_empty = !blank && (!out.empty() || end < text.size());
    if (end > i || may_be_empty) out.push_back({text.substr(i, end - i), column + static_cast<int>(i)});
    i = end + 1;
  }
  return out;
}

std::string quoted(std::string_view word) { return "'" + shown(word) + "'"; }

std::string_view finding_section(std::string_view text) {
  text = without_mark(text);
  for (int lines = 0; !text.empty() && lines < 2;) {
    const std::string_view section = text;
    const auto words = words_of(take_line(text)).first;
    if (words.empty()) continue;
    if (++lines != 2 || words.size() != 1 || words[0].column != 1 || words[0].text != "finding") continue;
    std::size_t end = section.size() - text.size();
    while (!text.empty()) {
      const std::string_view line = take_line(text);
      if (line.starts_with("  ")) end = section.size() - text.size();
      else if (!words_of(line).first.empty()) break;
    }
    return section.substr(0, end);
  }
  return {};
}

std::vector<std::string_view> comments_of(std::string_view text) {
  std::vector<std::string_view> out;
  const std::string_view section = finding_section(text);
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    const bool inside = section.data() <= line.data() && line.data() < section.data() + section.size();
    const std::size_t comment = inside && line.starts_with("  ") ? line.size() : words_of(line).second;
    if (comment < line.size()) out.push_back(line.substr(comment));
  }
  return out;
}

std::vector<Line> lines_of(std::string_view text, std::size_t most) {
  std::vector<Line> lines;
  int number = 0;
  const std::string_view section = finding_section(text);
  text = without_mark(text);
  while (!text.empty() && lines.size() < most) {
    if (text.data() == section.data()) {
      number += static_cast<int>(std::ranges::count(section, '\n'));
      text.remove_prefix(section.size());
      continue;
    }
    const std::string_view line = take_line(text);
    ++number;
    auto [words, comment] = words_of(line);
    if (!words.empty()) lines.push_back({number, line.substr(0, comment), std::move(words)});
  }
  return lines;
}

}  // namespace text
}  // namespace lockstep
