// Scenarios as text, for people and for git.
//
//   lockstep 1 ts_tetris      format version and system
//   finding                   only in a finding: what is known of it, in indented lines (report.hpp), which are no
//     signature: …              part of the scenario
//   width 10                  the setup, one field per line, in the described order;
//   height 4                    an omitted field takes its lowest value
//   board                     a board as a picture, top row first;
//   ..........                  "board empty" if it has no occupied cell
//   ..........
//   1.........
//   1222......
//   actions
//   drop column=4             one action per line, with all its fields, in any order
//   result                    '#' starts a comment that runs to the end of the line
//
// Compound values are one word each:
//   "a \"text\"\n"   [1,2,3]   {row=1 column=2}   none   market:{size=3}   order=place.2 (the result of the second place)
//
// Printing is canonical: parsing printed text and printing it again gives the same bytes. Parsing is strict: a setup
// outside its bounds or against a law of its system is refused, never repaired. The error has line and column.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/codec.hpp"
#include "lockstep/describe.hpp"
#include "lockstep/error.hpp"
#include "lockstep/fields.hpp"
#include "lockstep/lines.hpp"
#include "lockstep/scenario.hpp"
#include "lockstep/words.hpp"

namespace lockstep {

inline constexpr int text_version = 1;
inline constexpr std::size_t text_actions_max = 1'000'000;

namespace text {

/// What `read(io)` describes, a field per line, with boards as pictures, empty ones too: for people who compare them.
std::string picture(FunctionRef<void(Fields&)> read);

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

/// The parts of a text between separators outside of quotes, brackets and braces.
std::vector<Word> parts_of(std::string_view text, char separator);

/// Parses one row of a board into the grid. With a numeric alphabet the line's words are the cells. The error for a row
/// of the wrong width ends with `hint`.
Parsed<bool> row_from(const Line& line, std::string_view what, Grid& grid, int row, const Alphabet& alphabet,
                      std::string_view hint = {});

/// The system's name in the first line.
Parsed<std::string> system_of(const std::vector<Line>& lines);

}  // namespace text

std::string setup_text(const AnyScenario& scenario);

/// A snapshot's fields, with boards as pictures, for `show`.
std::string snapshot_text(const AnyTrace& trace, std::size_t taken);

/// "drop column=4"; for people (not `whole`), long values are shortened (fields.hpp).
std::string action_text(const AnyScenario& scenario, std::size_t action, bool whole = true);

/// The canonical text. Lines of `comment` follow the first line, each after "# ".
std::string scenario_text(const AnyScenario& scenario, std::string_view comment = {});

/// The name of the system in a scenario's text.
Parsed<std::string> scenario_system(std::string_view text);

Parsed<AnyScenario> parse_scenario(const Vocabulary& vocabulary, std::string_view source);

}  // namespace lockstep
