#include "programs/answers.hpp"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

const std::vector<std::string> two_cases = {"7\n", "1\n3 -2\n"};

TEST(AnswerDifference, WhiteSpaceDoesNotMatter) {
  for (const std::string_view output : {"7\n1\n3 -2\n", "7 1 3 -2", " 7\r\n\r\n1\t3\n\n-2 \n\n"})
    EXPECT_FALSE(answer_difference(two_cases, output)) << output;
  EXPECT_FALSE(answer_difference({}, " \n"));
}

struct Wrong {
  std::string_view output;
  bool malformed;
  std::size_t case_number;
  std::size_t line;
  std::string reason;
};

void expect_difference(const Wrong& wrong) {
  const auto difference = answer_difference(two_cases, wrong.output);
  ASSERT_TRUE(difference) << wrong.output;
  EXPECT_EQ(difference->malformed, wrong.malformed) << wrong.output;
  EXPECT_EQ(difference->case_number, wrong.case_number) << wrong.output;
  EXPECT_EQ(difference->line, wrong.line) << wrong.output;
  EXPECT_EQ(difference->reason, wrong.reason);
}

TEST(AnswerDifference, NamesTheFirstTokenThatDiffersWithItsCaseAndLine) {
  const std::vector<Wrong> all = {
      {"8\n1\n3 -2\n", false, 0, 0, "line 1 of the output: expected '7', got '8'"},
      {"7\n2\n3 -2\n", false, 1, 0, "line 2 of the output: expected '1', got '2'"},
      {"7\n1\n3 2\n", false, 1, 1, "line 3 of the output: expected '-2', got '2'"},
      {"7\n0\n", false, 1, 0, "line 2 of the output: expected '1', got '0'"},
      {"07\n1\n3 -2\n", false, 0, 0, "line 1 of the output: expected '7', got '07'"},
  };
  for (const Wrong& wrong : all) expect_difference(wrong);
}

TEST(AnswerDifference, AnOutputThatIsNoAnswerIsMalformed) {
  const std::vector<Wrong> all = {
      {"", true, 0, 0, "the program printed nothing"},
      {"7\n", true, 1, 0, "the output ends after 1 word; expected '1'"},
      {"7\n1\n3", true, 1, 1, "the output ends after 3 words; expected '-2'"},
      {"seven\n", true, 0, 0, "line 1 of the output: expected '7', got 'seven'"},
      {"7\n1\n3 -2\n0\n", true, 1, 1, "line 4 of the output: expected the end, got '0'"},
      {"7\n1\n3 \x01\n", true, 1, 1, "line 3 of the output: expected '-2', got '?'"},
  };
  for (const Wrong& wrong : all) expect_difference(wrong);
}

}  // namespace
}  // namespace lockstep
