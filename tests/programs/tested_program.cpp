#include "programs/tested_program.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>

#include "lockstep/base/error.hpp"
#include "lockstep/process/files.hpp"
#include "lockstep/process/scratch.hpp"
#include "tests/programs/checkers.hpp"
#include "tests/programs/scripts.hpp"
#include "tests/programs/squares.hpp"

namespace lockstep {
namespace {

TEST(TestedProgram, ARightOutputHasNoVerdict) {
  TestedProgram program{"awk '{ print $1 * $1 }'"};
  const JudgedRun run = program.run("7\n8\n", {"49\n", "64\n"});
  EXPECT_TRUE(run.right());
  EXPECT_EQ(run.verdict, "");
  EXPECT_EQ(run.expected, "49\n64\n");
  EXPECT_EQ(run.run.output, "49\n64\n");
  EXPECT_FALSE(run.other);
  EXPECT_EQ(program.processes(), 1u);
}

TEST(TestedProgram, AWrongAnswerNamesItsCaseAndLine) {
  TestedProgram program{"awk '{ print $1 == 8 ? 0 : $1 * $1 }'"};
  const JudgedRun run = program.run("7\n8\n9\n", {"49\n", "64\n", "81\n"});
  EXPECT_FALSE(run.right());
  EXPECT_EQ(run.verdict, "wrong answer");
  EXPECT_EQ(run.what.kind, "wrong answer");
  EXPECT_EQ(run.what.case_number, 1u);
  EXPECT_EQ(run.what.line, 0u);
  EXPECT_EQ(run.reason, "line 2 of the output: expected '64', got '0'");
  EXPECT_FALSE(run.exceeds_limit());
}

TEST(TestedProgram, AnOutputThatIsNoAnswerHasABadFormat) {
  const JudgedRun run = TestedProgram{"echo seven"}.run("7\n", {"49\n"});
  EXPECT_EQ(run.verdict, "bad output format");
  EXPECT_EQ(run.what.kind, "bad output format");
}

constexpr ProgramLimits tight{
    .processor_time = std::chrono::milliseconds{200}, .wall_time = std::chrono::seconds{60}, .output = 1000};

struct Failing {
  const char* command;
  const char* verdict;
  const char* kind;
  bool exceeds_limit;
};

TEST(TestedProgram, AProgramThatDoesNotAnswerHasAVerdictAndItsKind) {
  for (const auto& [command, verdict, kind, exceeds_limit] :
       {Failing{"sh -c 'exit 5'", "runtime error", "runtime error, exit 5", false},
        Failing{"sh -c 'kill -6 $$'", "runtime error", "runtime error, signal 6", false},
        Failing{"sh -c 'while :; do :; done'", "time limit", "time limit", true},
        Failing{"yes", "output limit", "output limit", true}}) {
    const JudgedRun run = TestedProgram{command, tight}.run("1\n2\n", {"1\n", "4\n"});
    EXPECT_EQ(run.verdict, verdict) << command;
    EXPECT_EQ(run.what.kind, kind) << command;
    EXPECT_EQ(run.what.case_number, 1u) << command;
    EXPECT_EQ(run.what.line, std::nullopt) << command;
    EXPECT_EQ(run.exceeds_limit(), exceeds_limit) << command;
    EXPECT_EQ(run.reason, run.run.reason) << command;
  }
}

TEST(TestedProgram, ThatCannotBeRunIsBadInput) {
  EXPECT_THROW(TestedProgram{"/no/such/program"}, BadInput);
  EXPECT_THROW((TestedProgram{"true", {}, Safety::automatic, {.other = "/no/such/program"}}), BadInput);
  EXPECT_THROW((TestedProgram{"true", {}, Safety::automatic, {.checker = "/no/such/program"}}), BadInput);
}

TEST(TestedProgram, AnotherProgramStandsForTheReference) {
  TestedProgram program{
      "awk '{ print $1 + 1 }'", {}, Safety::automatic, {.other = "awk '{ print $1 == 7 ? 0 : $1 + 1 }'"}};
  EXPECT_TRUE(program.run("3\n", {"9\n"}).right());
  const JudgedRun run = program.run("7\n", {"49\n"});
  EXPECT_EQ(run.verdict, "wrong answer");
  EXPECT_EQ(run.expected, "0\n");
  EXPECT_EQ(run.run.output, "8\n");
  ASSERT_TRUE(run.other);
  EXPECT_EQ(run.other->output, "0\n");
}

TEST(TestedProgram, AnotherProgramThatDoesNotAnswerIsAFailureOfItsOwn) {
  const auto beside = [](const std::string& command, const std::string& other) {
    return TestedProgram{command, tight, Safety::automatic, {.other = other}}.run("3\n", {"9\n"});
  };
  const JudgedRun exits = beside("echo 4", "sh -c 'exit 5'");
  EXPECT_EQ(exits.verdict, "no answer to compare with");
  EXPECT_EQ(exits.what.kind, "no answer to compare with, exit 5");
  EXPECT_EQ(exits.reason, "the other program exited with status 5");
  EXPECT_FALSE(exits.exceeds_limit());
  EXPECT_TRUE(beside("echo 4", "yes").exceeds_limit());
  EXPECT_EQ(beside("sh -c 'exit 4'", "yes").what.kind, "runtime error, exit 4") << "its own failure comes first";
  EXPECT_FALSE(beside("sh -c 'exit 4'", "yes").exceeds_limit());
}

TEST(TestedProgram, ACheckerDecidesWhetherAnOutputIsRight) {
  for (const std::string checker : {testlib_checker, kattis_checker}) {
    const auto judged = [&](const std::string& command, const std::string& input, const std::string& answer) {
      return TestedProgram{command, {}, Safety::automatic, {.checker = checker}}.run(input, {answer});
    };
    const std::string negative = "awk '{ print $1 == 7 ? 0 : -$1 * $1 }'";
    EXPECT_TRUE(judged(negative, "8\n", "64\n").right());
    const JudgedRun wrong = judged(negative, "7\n", "49\n");
    EXPECT_EQ(wrong.verdict, "wrong answer");
    EXPECT_EQ(wrong.reason, "the checker refuses the output: for 7: 0");
    EXPECT_EQ(wrong.what.line, std::nullopt) << "a checker does not say where";
    const bool malformed = checker == testlib_checker;
    EXPECT_EQ(judged("echo seven", "7\n", "49\n").verdict, malformed ? "bad output format" : "wrong answer");
  }
}

TEST(TestedProgram, ResultsAreTheSameIfTheirWordsAreOrIfACheckerSaysTheSame) {
  const auto run_of = [](TestedProgram& program, const std::string& output) { return program.run(output, {"49\n"}); };
  TestedProgram words{"cat"};
  EXPECT_TRUE(words.same_result(run_of(words, "50\n"), run_of(words, " 50 \n\n")));
  EXPECT_FALSE(words.same_result(run_of(words, "50\n"), run_of(words, "51\n")));
  EXPECT_FALSE(words.same_result(run_of(words, "50\n"), run_of(words, "49\n")));
  TestedProgram checked{"cat", {}, Safety::automatic, {.checker = testlib_checker}};
  EXPECT_TRUE(checked.same_result(run_of(checked, "50\n"), run_of(checked, "51\n")));
  EXPECT_TRUE(checked.same_result(run_of(checked, "49\n"), run_of(checked, "-49\n")));
  EXPECT_FALSE(checked.same_result(run_of(checked, "50\n"), run_of(checked, "fifty\n")));
}

TEST(TestedProgram, BubblewrapIsStartedOnceForAProgram) {
  const ScratchFolder folder;
  ScriptsInPath scripts;
  scripts.add("bwrap", "echo >> " + (folder / "starts") + "; exec /usr/bin/bwrap \"$@\"");
  TestedProgram program{"cat"};
  program.run("1\n", {"1\n"});
  EXPECT_EQ(read_file(folder / "starts"), "\n");
}

TEST(TestedProgram, RemembersTheTimeOfItsSlowestRun) {
  TestedProgram program{"awk '{ while (i < $1) ++i; print i }'"};
  const auto slow = program.run("2000000\n", {"2000000\n"}).run.processor_time;
  EXPECT_GT(slow, std::chrono::milliseconds{0});
  EXPECT_LT(program.run("1\n", {"1\n"}).run.processor_time, slow);
  EXPECT_EQ(program.slowest(), slow);
}

TEST(CheckAnswer, AnAnswerThatTheReferenceDoesNotGiveIsAnInternalError) {
  InputCase one = Squares::number(7);
  EXPECT_NO_THROW(check_answer(Squares{}, one));
  one.answer = "48\n";
  EXPECT_THROW(check_answer(Squares{}, one), InternalError);
}

}  // namespace
}  // namespace lockstep
