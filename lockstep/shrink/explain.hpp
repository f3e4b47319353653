// Explains a failure: which of a scenario's actions, fields and cells it depends on.
//
// Each part is changed alone; the scenario is made lawful again (fit.hpp) and judged. A part
//   matters       when some change of it makes the failure vanish, or fail with another signature;
//   is free       when the scenario fails with the same signature after every change that was tried;
//   is fixed      when no lawful scenario differs in it (an empty cell without support, for example);
//   is untested   when the budget was spent before it was reached.
// A number or cell with at most sixteen other values is tried with all of them; otherwise with its lowest and highest
// value, the two neighbours of its own, and eight drawn values. An action is removed, and replaced by two drawn actions
// of each kind; if it is free, so are its fields. A list item is removed, and its fields are changed like any others.
// If the repair of some changes leaves all other parts alone, only those changes count.
//
// So "free" holds for each part alone. How far it holds for all free parts together is measured: they are all redrawn
// at once, several times, and the explanation says how many of those scenarios fail in the same way.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/describe/scenario.hpp"
#include "lockstep/judge/judge.hpp"

namespace lockstep {

/// In order of priority: a line takes the first of these that one of its words has.
enum class Matter : std::uint8_t { matters, untested, free, fixed };

/// One character for it, as texts and pages show it.
constexpr char mark_of(Matter matter) {
  constexpr std::string_view in_order = "*?. ";
  return in_order[static_cast<std::size_t>(matter)];
}

/// A word of a line. Names and white space share the classification of their line.
struct ExplainedWord {
  std::string name;  // the field's; "" for a cell or for an action's own name
  std::string text;
  Matter matter = Matter::untested;
};

/// One line of the scenario's text.
struct ExplainedLine {
  enum class Kind : std::uint8_t { field, board, row, item, action };
  Kind kind = Kind::field;
  std::string name;                  // of the field, board, list or action
  Matter matter = Matter::untested;  // of the line as a whole: that of its most important word
  std::vector<ExplainedWord> words;
};

struct Explanation {
  std::string signature;
  std::string system;
  std::vector<ExplainedLine> lines;
  bool complete = false;  // every part was tested
  std::uint64_t judgements = 0;
  int redrawn = 0;            // number of scenarios with all free parts redrawn at once
  int redrawn_that_fail = 0;  // how many of those fail in the same way
};

/// The scenario's text with marks: lines that matter begin with '*', the cells that matter are marked to the right of
/// each row, and free fields of an action that matters are in parentheses. With colour, parts that do not matter are
/// grey instead.
std::string explanation_text(const Explanation& explanation, bool colour);

/// Tests for so long at most. Empty if the scenario does not diverge.
std::optional<Explanation> explain(const JudgeFunction& judge, std::chrono::milliseconds time,
                                   const AnyScenario& failing);

}  // namespace lockstep
