// The original problem's text format, for input and output.
//
// A system that was published as a programming problem has the part
//
//   struct Nim::ProblemFormat {
//     static Parsed<std::vector<ProblemCase<Nim>>> read(std::string_view text);
//     static Parsed<std::string> print(const ProblemCase<Nim>&, std::span<const Nim::Observation>);
//     static std::string write(std::span<const Scenario<Nim>>);
//     static std::optional<std::string> outside(const Scenario<Nim>&, std::span<const Nim::Observation> answers);
//     static void bring_inside(Scenario<Nim>&, std::span<const Nim::Observation> answers);
//     static constexpr int cases_max = 1'000;  // only if an input holds several cases
//   };
//
// `read` enforces the published limits, accepts any white space, CRLF, a byte order mark and a missing final newline,
// and refuses surplus tokens; it returns at least one case. `print` turns the observations of the case's actions into the
// expected output. It returns an error if they show that the input broke a guarantee of the problem (a full column, for
// example).
//
// The last three functions are for the verbs that test a user's program; a system has all of them or none. A program may
// fail on inputs that the problem excludes, so each scenario that it gets must be inside the problem's domain: its limits
// and its guarantees.
//
//   write          the inverse of `read`; for a scenario outside of the domain, any text
//   outside        a sentence that says why a scenario is no case of the problem
//   bring_inside   one step towards the domain; problem_domain.hpp repeats it until `outside` returns nothing
//
// Some guarantees show only when the scenario runs. So the last two are given the reference's answers to the actions, or no
// answers: then a guarantee that needs them counts as kept.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "lockstep/base/error.hpp"
#include "lockstep/base/grid.hpp"
#include "lockstep/base/lines.hpp"
#include "lockstep/base/numbers.hpp"
#include "lockstep/base/words.hpp"
#include "lockstep/describe/system.hpp"

namespace lockstep {

template <class S>
struct ProblemCase {
  Scenario<S> scenario;
  /// The place (line, column) of each action in the text, for errors that appear only when the case runs.
  std::vector<std::pair<int, int>> places = {};
};

/// Whether the scenario asks this one question and does nothing else.
template <class Question, class S>
bool asks_only(const Scenario<S>& scenario) {
  return scenario.actions.size() == 1 && std::holds_alternative<Question>(scenario.actions[0]);
}

/// A board as most problems write it: a line for each row, its numbers separated by spaces.
inline std::string rows_of_numbers(const Grid& board) {
  std::string out;
  for (int row = 0; row < board.rows; ++row) {
    for (int column = 0; column < board.columns; ++column) {
      out += std::to_string(board.at(row, column)) + (column + 1 < board.columns ? " " : "\n");
    }
  }
  return out;
}

/// Tokens separated by white space, each with its line and column.
class TokenReader {
 public:
  explicit TokenReader(std::string_view text) : text_{without_mark(text)} { skip_space(); }

  bool at_end() const { return position_ == text_.size(); }
  /// The place of the next token, or of the end.
  int line() const { return line_; }
  int column() const { return static_cast<int>(position_ - line_start_) + 1; }

  /// The next character that is not white space; '\0' at the end. Consumes nothing.
  char peek() const { return at_end() ? '\0' : text_[position_]; }

  /// Consumes and returns the next token.
  Parsed<std::string_view> word(std::string_view what) {
    if (at_end()) return text_error(line(), column(), "expected " + std::string{what} + ", got the end of the input");
    return consumed(token());
  }

  /// Consumes the next token as an integer from lo to hi.
  Parsed<int> number(std::string_view what, int lo, int hi) {
    return integer(what, lo, hi, token(), number_in(token()));
  }

  /// Consumes one character, which must be `wanted`, and the white space after it.
  Parsed<char> character(char wanted) {
    if (peek() != wanted)
      return text_error(line(), column(), std::string{"expected '"} + wanted + "', got " + next_character());
    consumed(text_.substr(position_, 1));
    return wanted;
  }

  /// Consumes an integer from lo to hi in JSON's form: no sign but a minus, no leading zeros. Unlike for `number`, any
  /// character may follow.
  Parsed<int> digits(std::string_view what, int lo, int hi) {
    std::size_t end = position_;
    while (end < text_.size() && (is_digit(text_[end]) || (end == position_ && text_[end] == '-'))) ++end;
    const std::string_view given = text_.substr(position_, end - position_);
    const auto value = number_in(given);
    return integer(what, lo, hi, given, value && given == to_text(*value) ? value : std::nullopt);
  }

  /// An error unless all input is consumed.
  Parsed<bool> finish() {
    if (at_end()) return true;
    return text_error(line(), column(), "expected the end of the input, got '" + shown(token()) + "'");
  }

 private:
  static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  /// Up to the next white space; empty at the end.
  std::string_view token() const {
    std::size_t end = position_;
    while (end < text_.size() && !is_space(text_[end])) ++end;
    return text_.substr(position_, end - position_);
  }
  /// What comes next, for error messages.
  std::string next_character() const {
    return at_end() ? "the end of the input" : "'" + shown(text_.substr(position_, 1)) + "'";
  }
  std::string_view consumed(std::string_view next) {
    position_ += next.size();
    skip_space();
    return next;
  }
  /// Consumes a given text, if it has a value from lo to hi.
  Parsed<int> integer(std::string_view what, int lo, int hi, std::string_view given, std::optional<Number> value) {
    if (!value || *value < lo || *value > hi) {
      return text_error(line(), column(),
                        "expected " + std::string{what} + ", a number from " + std::to_string(lo) + " to " +
                            std::to_string(hi) + ", got " +
                            (given.empty() ? next_character() : "'" + shown(given) + "'"));
    }
    consumed(given);
    return static_cast<int>(*value);
  }
  void skip_space() {
    while (position_ < text_.size() && is_space(text_[position_])) {
      if (text_[position_] == '\n') {
        ++line_;
        line_start_ = position_ + 1;
      }
      ++position_;
    }
  }

  std::string_view text_;
  std::size_t position_ = 0;
  std::size_t line_start_ = 0;
  int line_ = 1;
};

}  // namespace lockstep
