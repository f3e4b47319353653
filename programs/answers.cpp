#include "programs/answers.hpp"

#include <algorithm>

#include "lockstep/base/lines.hpp"
#include "programs/problem_format.hpp"

namespace lockstep {
namespace {

bool is_number(std::string_view token) {
  if (token.starts_with('-')) token.remove_prefix(1);
  return !token.empty() && std::ranges::all_of(token, [](char c) { return c >= '0' && c <= '9'; });
}

std::string quoted(std::string_view token) { return "'" + shown(token) + "'"; }

}  // namespace

std::vector<Token> tokens_of(std::string_view text) {
  constexpr std::string_view space = " \t\r\v\f";
  std::vector<Token> out;
  for (std::size_t number = 0; !text.empty(); ++number) {
    const std::string_view line = take_line(text);
    for (std::size_t at = 0; (at = line.find_first_not_of(space, at)) != std::string_view::npos;) {
      const std::size_t end = std::min(line.find_first_of(space, at), line.size());
      out.push_back({line.substr(at, end - at), number});
      at = end;
    }
  }
  return out;
}

std::optional<AnswerDifference> answer_difference(const std::vector<std::string>& expected, std::string_view output) {
  const std::vector<Token> got = tokens_of(output);
  std::size_t at = 0;  // tokens that are equal
  AnswerDifference out;
  for (; out.case_number < expected.size(); ++out.case_number) {
    for (const Token& wanted : tokens_of(expected[out.case_number])) {
      out.line = wanted.line;
      if (at == got.size()) {
        out.malformed = true;
        out.reason = at == 0 ? "the program printed nothing"
                             : "the output ends after " + std::to_string(at) + (at == 1 ? " word" : " words") +
                                   "; expected " + quoted(wanted.text);
        return out;
      }
      const Token& actual = got[at++];
      if (actual.text == wanted.text) continue;
      out.malformed = is_number(wanted.text) && !is_number(actual.text);
      out.reason = "line " + std::to_string(actual.line + 1) + " of the output: expected " + quoted(wanted.text) +
                   ", got " + quoted(actual.text);
      return out;
    }
  }
  if (at == got.size()) return std::nullopt;
  out.malformed = true;
  out.case_number = expected.empty() ? 0 : expected.size() - 1;
  out.reason =
      "line " + std::to_string(got[at].line + 1) + " of the output: expected the end, got " + quoted(got[at].text);
  return out;
}

}  // namespace lockstep
