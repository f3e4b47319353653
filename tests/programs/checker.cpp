#include "programs/checker.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "lockstep/base/error.hpp"
#include "tests/lockstep/expected.hpp"
#include "tests/programs/checkers.hpp"

namespace lockstep {
namespace {

TEST(Checker, OfEitherProtocolAcceptsAndRefuses) {
  for (const std::string command : {testlib_checker, kattis_checker}) {
    Checker checker{command};
    EXPECT_FALSE(checker.refusal("7\n", "49\n", "49\n")) << command;
    EXPECT_FALSE(checker.refusal("7\n", "49\n", "-49\n")) << command;
    const auto refusal = checker.refusal("7\n", "49\n", "0\n");
    ASSERT_TRUE(refusal) << command;
    EXPECT_FALSE(refusal->malformed) << command;
    EXPECT_EQ(refusal->reason, "the checker refuses the output: for 7: 0");
    EXPECT_FALSE(checker.refusal("8\n", "64\n", "64\n")) << command;
  }
}

TEST(Checker, OfTestlibAloneFindsAnOutputMalformed) {
  EXPECT_TRUE(Checker{testlib_checker}.refusal("7\n", "49\n", "seven\n").value().malformed);
  EXPECT_FALSE(Checker{kattis_checker}.refusal("7\n", "49\n", "seven\n").value().malformed);
}

TEST(Checker, AMessageOfAnEarlierOutputIsNotRepeated) {
  Checker checker{
      "sh -c 'read y; read z < $2; case $y in $z) exit 42;; 1) echo one > $3/judgemessage.txt;; esac; exit 43' sh"};
  EXPECT_EQ(checker.refusal("7\n", "49\n", "1\n").value().reason, "the checker refuses the output: one");
  EXPECT_EQ(checker.refusal("7\n", "49\n", "2\n").value().reason, "the checker refuses the output");
}

TEST(Checker, OfAMessageTheBeginningOfTheFirstLineIsShown) {
  Checker checker{
      "sh -c 'read y < $2; read z < $3; case $y in $z) exit 0;; esac; printf \"\\n%050d\\nmore\\n\" 0 >&2; exit 1' sh"};
  EXPECT_EQ(checker.refusal("7\n", "49\n", "1\n").value().reason,
            "the checker refuses the output: " + std::string(40, '0') + "…");
}

std::string error_of_checker(const std::string& command, const std::string& output = "49\n") {
  return message_of([&] { static_cast<void>(Checker{command}.refusal("7\n", "49\n", output)); });
}

TEST(Checker, ThatFailsIsBadInput) {
  const std::string fails_on_0 = "sh -c 'read y < $2; case $y in 0) echo oh >&2; exit 3;; \"\") exit 1;; esac' sh";
  const std::vector<std::pair<std::string, std::string>> parts{
      {error_of_checker("/no/such/checker"), "/no/such/checker"},
      {error_of_checker(""), "the command is empty"},
      {error_of_checker("sh -c 'exit 1'"), "refuses the expected answer"},
      {error_of_checker("sh -c 'exit 1'"), "exited with status 1"},
      {error_of_checker("sh -c 'kill $$'"), "died of signal 15"},
      {error_of_checker("true"), "accepts an empty output, too"},
      {error_of_checker("sh -c 'exit 42'"), "accepts an empty output, too"},
      {error_of_checker(fails_on_0, "0\n"), "exited with status 3: oh"},
      {error_of_checker(fails_on_0, "0\n"), "the input\n7\n"},
  };
  for (const auto& [error, part] : parts) EXPECT_NE(error.find(part), std::string::npos) << error;
}

TEST(Checker, OfTestlibMayCrashOnKattisArguments) {
  Checker checker{
      "sh -c 'test -f $3 || kill $$; read y < $2; read z < $3; case $y in $z | -$z) exit 0;; esac; exit 1' sh"};
  EXPECT_FALSE(checker.refusal("7\n", "49\n", "-49\n"));
  EXPECT_TRUE(checker.refusal("7\n", "49\n", "0\n"));
}

}  // namespace
}  // namespace lockstep
