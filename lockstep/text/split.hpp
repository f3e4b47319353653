// A scenario's text (text.hpp) as lines and words, each with its place.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

inline constexpr std::size_t text_actions_max = 1'000'000;

namespace text {

struct Word {
  std::string_view text;
  int column = 1;  // counts from 1
};

struct Line {
  int number = 1;
  std::string_view text;  // without comment
  std::vector<Word> words;
};

/// The section of a finding: its heading, and the indented lines below, between which comments may stand; empty if there is
/// none.
std::string_view finding_section(std::string_view text);

/// The comments, each from its '#' to the end of its line.
std::vector<std::string_view> comments_of(std::string_view text);

/// The lines that contain more than white space and comments, but those of a finding's section. White space and '#' inside
/// the quotes, brackets and braces of a value do not end a word. At most `most`: a hostile text must not cost more than a
/// valid one.
std::vector<Line> lines_of(std::string_view text, std::size_t most = text_actions_max + 10'000);

/// The parts of a text between separators outside of quotes, brackets and braces. Around a blank, which stands for any
/// white space, they are never empty; around another separator they may be, but an empty text has no part. `column` is
/// that of the text.
std::vector<Word> parts_of(std::string_view text, char separator, int column = 1);

/// A word as errors show it.
std::string quoted(std::string_view word);

}  // namespace text
}  // namespace lockstep
