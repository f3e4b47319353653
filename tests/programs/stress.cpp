#include "programs/stress.hpp"

#include <gtest/gtest.h>

#include <set>

#include "lockstep/base/error.hpp"
#include "lockstep/process/files.hpp"
#include "lockstep/process/scratch.hpp"
#include "tests/lockstep/expected.hpp"
#include "tests/programs/checkers.hpp"
#include "tests/programs/squares.hpp"

namespace lockstep {
namespace {

StressOptions testing(const std::string& program, double seconds = 20) {
  return {.command = program, .seconds = seconds, .limits = {.processor_time = std::chrono::seconds{20}}};
}

StressResult run_stress(const StressOptions& options, std::uint64_t interrupt_after = UINT64_MAX) {
  std::uint64_t cases = 0;
  return stress(Squares{}, options,
                {.progress = [&](const StressResult& so_far) { cases = so_far.cases; },
                 .interrupted = [&] { return cases >= interrupt_after; }});
}

StressResult once(const StressOptions& options, const std::vector<InputCase>& cases) {
  return stress_once(Squares{}, options, cases, [] { return false; });
}

/// The only finding; it has this verdict.
StressFinding found(const StressResult& result, const std::string& verdict) {
  const StressFinding finding = only(result.findings);
  EXPECT_EQ(finding.verdict, verdict);
  return finding;
}

constexpr const char* right_program = "awk '{ print $1 * $1 }'";

TEST(Stress, ARightProgramIsNotFailed) {
  for (const Batch batch : {Batch::published, Batch::one, Batch::loop}) {
    for (const unsigned jobs : {1u, 3u}) {
      StressOptions options = testing(right_program, 0.2);
      options.batch = batch;
      options.jobs = jobs;
      const StressResult result = run_stress(options);
      EXPECT_TRUE(result.findings.empty());
      EXPECT_GE(result.cases, jobs);
      EXPECT_TRUE(result.unrepeated.empty());
      if (batch == Batch::loop) EXPECT_LT(result.processes, result.cases);
      else EXPECT_EQ(result.processes, result.cases);
    }
  }
}

TEST(Stress, AWrongProgramIsFailedByEachNumberOfJobs) {
  for (const unsigned jobs : {1u, 2u, 5u}) {
    StressOptions options = testing("awk '{ print $1 == 7 ? 0 : $1 * $1 }'");
    options.jobs = jobs;
    const StressFinding finding = found(run_stress(options), "wrong answer");
    EXPECT_EQ(finding.input, "7\n");
    EXPECT_EQ(finding.expected, "49\n");
    EXPECT_EQ(finding.got, "0\n");
  }
}

TEST(Stress, AProgramWithoutAFailureIsRunOnTheHeaviestCases) {
  EXPECT_TRUE(run_stress(testing(right_program, 0.6)).heaviest.has_value());
  StressOptions options = testing("awk '{ print $1 == 1003 ? 0 : $1 * $1 }'", 0.6);
  const StressResult result = run_stress(options);
  EXPECT_EQ(only(result.findings).input, "1003\n");
  EXPECT_FALSE(result.heaviest.has_value());
  options.heaviest = {Squares::number(1002)};
  EXPECT_TRUE(run_stress(options).findings.empty());
}

TEST(Stress, AProgramThatIsComparedWithAnotherIsNotRunOnTheHeaviestCases) {
  StressOptions options = testing(right_program, 0.2);
  options.rules.other = "awk '$1 > 999 { exit 5 } { print $1 * $1 }'";
  EXPECT_TRUE(run_stress(options).findings.empty());
}

TEST(Stress, ALimitThatTheSmallestInputExceedsOnlySometimesIsReportedWithTheFirstInput) {
  const ScratchFolder folder;
  const std::string runs = (folder.path() / "runs").string();
  // Exceeds its output limit in the first three runs: when it is found, and when it is repeated.
  StressOptions options =
      testing("echo >> " + runs + "; if [ $(wc -l < " + runs + ") -gt 3 ]; then " + right_program + "; else yes; fi");
  options.safety = Safety::limits;  // it writes a file
  options.limits.output = 1000;
  EXPECT_FALSE(found(run_stress(options), "output limit").minimal);
}

TEST(Stress, AMistakeOfSeveralCasesKeepsThem) {
  StressOptions options = testing("awk '{ if (last == 5) print 0; else print $1 * $1; last = $1 }'");
  options.batch = Batch::loop;
  const StressFinding finding = only(run_stress(options).findings);
  EXPECT_EQ(finding.input, "5\n6\n");
  EXPECT_EQ(finding.case_number, 1u);
}

TEST(Stress, AnInterruptionEndsIt) {
  const StressResult result = run_stress(testing(right_program, 600), 5);
  EXPECT_TRUE(result.findings.empty());
  EXPECT_GE(result.cases, 5u);
}

TEST(Stress, AProgramThatHangsIsNotRunForMuchLongerThanTheSearch) {
  const ScratchFolder folder;
  const std::string runs = (folder.path() / "runs").string();
  StressOptions options{.command = "echo >> " + runs + "; sleep 300", .seconds = 0.1, .safety = Safety::limits};
  options.limits.wall_time = std::chrono::milliseconds{700};
  EXPECT_FALSE(found(run_stress(options), "time limit").minimal);
  EXPECT_LE(read_file(runs).value().size(), 3u) << "found, and repeated for a second at most: not shrunk";
}

TEST(Stress, TheOutputOfAFindingIsItsBeginning) {
  const StressResult result = run_stress(testing("awk 'BEGIN { while (n++ < 100000) printf \"xx\" }'"));
  EXPECT_EQ(only(result.findings).got, std::string(1'000, 'x') + "\n… 199000 more bytes\n");
}

TEST(Stress, OneInputIsNotShrunk) {
  const std::vector cases{Squares::number(4), Squares::number(7), Squares::number(8)};
  const StressResult result = once(testing("awk '{ print $1 == 7 ? 0 : $1 * $1 }'"), cases);
  EXPECT_EQ(only(result.findings).cases.size(), 3u);
  EXPECT_EQ(only(result.findings).case_number, 1u);
  EXPECT_TRUE(once(testing(right_program), cases).findings.empty());
}

TEST(Stress, KeepsGoingUntilEachKindOfFailureIsFound) {
  StressOptions options = testing("awk '{ if ($1 == 12) exit 5; print $1 == 7 || $1 == 8 ? 0 : $1 * $1 }'", 2);
  options.keep_going = true;
  for (const Batch batch : {Batch::one, Batch::loop}) {
    options.batch = batch;
    const StressResult result = run_stress(options);
    ASSERT_EQ(result.findings.size(), 2u);
    std::set<std::string> found;
    for (const StressFinding& finding : result.findings) found.insert(finding.verdict + " " + finding.input);
    EXPECT_TRUE(found.contains("runtime error 12\n"));
    EXPECT_TRUE(found.contains("wrong answer 7\n") || found.contains("wrong answer 8\n"));
  }
}

TEST(Stress, WhatIsStoppedByTheFailureOfAnotherThreadIsRunAgainAndCounted) {
  const ScratchFolder folder;
  // The first run fails while the others are asleep.
  StressOptions options =
      testing("if mkdir " + (folder / "failed") + "; then exit 5; fi; sleep 0.05; " + right_program, 1);
  options.safety = Safety::limits;  // it writes a file
  options.batch = Batch::one;
  options.jobs = 3;
  options.keep_going = true;
  options.shrink_time = {};
  const StressResult result = run_stress(options);
  EXPECT_GT(result.cases, 3u);
  EXPECT_EQ(result.cases, result.processes);
}

TEST(Stress, AnErrorAfterAFindingDoesNotLoseIt) {
  StressOptions options = testing("awk '{ print $1 == 3 ? 1 : $1 == 7 ? 0 : $1 * $1 }'", 5);
  options.keep_going = true;
  options.rules.checker = "sh -c 'read y < $2; read z < $3; case $y in 0) exit 3;; $z) exit 0;; esac; exit 1' sh";
  std::vector<std::string> found;
  const StressCallbacks callbacks{.progress = [](const StressResult&) {},
                                  .interrupted = [] { return false; },
                                  .found = [&](const StressFinding& each) { found.push_back(each.input); }};
  EXPECT_THROW(stress(Squares{}, options, callbacks), BadInput);
  EXPECT_EQ(found, std::vector<std::string>{"3\n"});
}

TEST(Stress, AFailureInTheBatchOfAnotherIsFound) {
  // 20 and 25 are cases of one batch, and do not come again within the time.
  StressOptions options = testing("awk '$1 == 25 { exit 5 } { print $1 == 20 ? 0 : $1 * $1; fflush() }'", 1);
  options.batch = Batch::loop;
  options.keep_going = true;
  const StressResult result = run_stress(options);
  std::set<std::string> verdicts;
  for (const StressFinding& finding : result.findings) verdicts.insert(finding.verdict);
  EXPECT_EQ(verdicts, (std::set<std::string>{"runtime error", "wrong answer"}));
}

TEST(Stress, AnOtherProgramThatAnswersByChanceIsNonDeterministic) {
  StressOptions options = testing("awk '{ print 0 }'");
  options.rules.other = "sh -c 'od -An -N8 -tu8 /dev/urandom'";
  const StressFinding finding = found(run_stress(options), "non-deterministic");
  EXPECT_EQ(finding.reason, "two runs of the other program with this input gave different results");
  EXPECT_NE(finding.got, finding.other);
}

TEST(Stress, WhatACheckerAcceptsIsNotNonDeterministic) {
  StressOptions options = testing(
      "sh -c 'read x; s=$(od -An -N1 -tu1 /dev/urandom); "
      "test $x = 7 && echo 0 || echo $(((s % 2 * 2 - 1) * x * x))'");
  options.rules.checker = testlib_checker;
  found(run_stress(options), "wrong answer");
}

}  // namespace
}  // namespace lockstep
