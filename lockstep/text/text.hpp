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

#include "lockstep/base/error.hpp"
#include "lockstep/base/lines.hpp"
#include "lockstep/base/words.hpp"
#include "lockstep/describe/codec.hpp"
#include "lockstep/describe/describe.hpp"
#include "lockstep/describe/fields.hpp"
#include "lockstep/describe/scenario.hpp"
#include "lockstep/text/split.hpp"

namespace lockstep {

inline constexpr int text_version = 1;

namespace text {

/// Prints what `read(io)` describes, a field per line. Each board is a picture, an empty one too, so that two texts can be
/// compared line by line.
std::string picture(FunctionRef<void(Fields&)> read);

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
