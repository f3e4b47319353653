// Compares a program's output with the expected answers as online judges do: token by token, white space aside.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// A word of a text, and the number of its line, from 0.
struct Token {
  std::string_view text;
  std::size_t line;
};
std::vector<Token> tokens_of(std::string_view text);

struct AnswerDifference {
  bool malformed = false;       // no answer at all: nothing, a word among numbers, too much or too little
  std::string reason;           // "line 2 of the output: expected '3', got '2'"
  std::size_t case_number = 0;  // the first case that is answered wrongly, from 0
  std::size_t line = 0;         // in the answer to that case, from 0
};

/// The first difference between the expected answers, by case, and the output to all cases; nullopt if all tokens are
/// equal.
std::optional<AnswerDifference> answer_difference(const std::vector<std::string>& expected, std::string_view output);

}  // namespace lockstep
