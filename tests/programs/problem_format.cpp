#include "programs/problem_format.hpp"

#include <gtest/gtest.h>

#include "tests/lockstep/expected.hpp"

namespace lockstep {
namespace {

TEST(TokenReader, ReadsWordsAcrossAnyWhiteSpace) {
  TokenReader in{" \t one\r\n\n  two\vthree\f"};
  for (const std::string_view expected : {"one", "two", "three"}) EXPECT_EQ(in.word("a word"), expected);
  EXPECT_TRUE(in.at_end());
  EXPECT_TRUE(in.finish());
}

TEST(TokenReader, ReportsThePlaceOfTheNextToken) {
  TokenReader in{"one\r\n\n  two three"};
  const std::vector<std::pair<int, int>> places = {{1, 1}, {3, 3}, {3, 7}, {3, 12}};
  for (const auto& [line, column] : places) {
    EXPECT_EQ(in.line(), line);
    EXPECT_EQ(in.column(), column);
    if (!in.at_end()) static_cast<void>(in.word("a word"));
  }
}

TEST(TokenReader, ReadsNumbersInsideTheirBoundsOnly) {
  EXPECT_EQ(TokenReader{"10"}.number("the width", 10, 200), 10);
  EXPECT_EQ(TokenReader{"-5"}.number("the score", -5, 5), -5);
  const std::vector<std::pair<std::string_view, std::string>> bad = {
      {"9", "x:1:1: expected the width, a number from 10 to 200, got '9'"},
      {"201", "x:1:1: expected the width, a number from 10 to 200, got '201'"},
      {"\n  12x", "x:2:3: expected the width, a number from 10 to 200, got '12x'"},
      {"1e2", "x:1:1: expected the width, a number from 10 to 200, got '1e2'"},
      {"+12", "x:1:1: expected the width, a number from 10 to 200, got '+12'"},
      {"99999999999999999999", "x:1:1: expected the width, a number from 10 to 200, got '99999999999999999999'"},
      {"\x01\x80 12", "x:1:1: expected the width, a number from 10 to 200, got '?\?'"},
      {" \n ", "x:2:2: expected the width, a number from 10 to 200, got the end of the input"},
  };
  for (const auto& [text, error] : bad) {
    TokenReader in{text};
    EXPECT_EQ(error_of(in.number("the width", 10, 200)), error);
  }
}

TEST(TokenReader, AByteOrderMarkIsSkipped) {
  TokenReader in{"\xef\xbb\xbf 12"};
  EXPECT_EQ(in.number("the width", 10, 200), 12);
  EXPECT_TRUE(in.at_end());
}

TEST(TokenReader, ReadsNumbersThatTouchWhatFollows) {
  TokenReader in{"[ 12,-3]"};
  EXPECT_EQ(in.character('['), '[');
  EXPECT_EQ(in.digits("a cell", 0, 20), 12);
  EXPECT_EQ(in.character(','), ',');
  EXPECT_EQ(error_of(in.digits("a cell", 0, 20)), "x:1:6: expected a cell, a number from 0 to 20, got '-3'");
}

TEST(TokenReader, AnErrorQuotesTheUnexpectedToken) {
  TokenReader in{"x"};
  EXPECT_EQ(error_of(in.character('[')), "x:1:1: expected '[', got 'x'");
  EXPECT_EQ(error_of(in.digits("a cell", 0, 9)), "x:1:1: expected a cell, a number from 0 to 9, got 'x'");
  EXPECT_EQ(error_of(in.finish()), "x:1:1: expected the end of the input, got 'x'");
  TokenReader nothing{""};
  EXPECT_EQ(error_of(nothing.character('[')), "x:1:1: expected '[', got the end of the input");
  EXPECT_EQ(error_of(nothing.digits("a cell", 0, 9)),
            "x:1:1: expected a cell, a number from 0 to 9, got the end of the input");
  EXPECT_EQ(nothing.peek(), '\0');
}

TEST(TokenReader, ShowsFortyCharactersOfATokenAtMost) {
  EXPECT_EQ(shown(std::string(40, 'a')), std::string(40, 'a'));
  EXPECT_EQ(shown(std::string(41, 'a')), std::string(40, 'a') + "…");
  EXPECT_EQ(shown("a\tb\x7f"), "a?b?");
}

}  // namespace
}  // namespace lockstep
