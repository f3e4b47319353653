#include "campaign/stress.hpp"

#include <gtest/gtest.h>

#include "lockstep/error.hpp"
#include "lockstep/files.hpp"
#include "lockstep/scratch.hpp"
#include "tests/campaign/squares.hpp"

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

constexpr const char* right_program = "awk '{ print $1 * $1 }'";

TEST(Stress, ARightProgramIsNotFailed) {
  for (const Batch batch : {Batch::published, Batch::one, Batch::loop}) {
    for (const unsigned jobs : {1u, 3u}) {
      StressOptions options = testing(right_program, 0.2);
      options.batch = batch;
      options.jobs = jobs;
      const StressResult result = run_stress(options);
      EXPECT_FALSE(result.finding);
      EXPECT_GE(result.cases, jobs);
      EXPECT_EQ(result.unrepeated, 0u);
      if (batch == Batch::loop) EXPECT_LT(result.processes, result.cases);
      else EXPECT_EQ(result.processes, result.cases);
    }
  }
}

TEST(Stress, AWrongProgramIsFailedByEachNumberOfJobs) {
  for (const unsigned jobs : {1u, 2u, 5u}) {
    StressOptions options = testing("awk '{ print $1 == 7 ? 0 : $1 * $1 }'");
    options.jobs = jobs;
    const StressResult result = run_stress(options);
    ASSERT_TRUE(result.finding) << jobs;
    EXPECT_EQ(result.finding->verdict, "wrong answer");
    EXPECT_EQ(result.finding->input, "7\n");
    EXPECT_EQ(result.finding->expected, "49\n");
    EXPECT_EQ(result.finding->got, "0\n");
  }
}

TEST(Stress, AMistakeOfSeveralCasesKeepsThem) {
  StressOptions options = testing("awk '{ if (last == 5) print 0; else print $1 * $1; last = $1 }'");
  options.batch = Batch::loop;
  const StressResult result = run_stress(options);
  ASSERT_TRUE(result.finding);
  EXPECT_EQ(result.finding->input, "5\n6\n");
  EXPECT_EQ(result.finding->case_number, 1u);
}

TEST(Stress, ACrashHasNoLineOfTheAnswer) {
  const StressResult result = run_stress(testing("awk '{ if ($1 == 3) exit 5; print $1 * $1 }'"));
  ASSERT_TRUE(result.finding);
  EXPECT_EQ(result.finding->verdict, "runtime error");
  EXPECT_EQ(result.finding->line, std::nullopt);
}

TEST(Stress, AFailureThatDoesNotAppearAgainIsCounted) {
  const ScratchFolder folder;
  const std::string file = (folder.path() / "failed").string();
  // Exceeds its output limit once.
  StressOptions options =
      testing("if [ -e " + file + " ]; then " + right_program + "; else touch " + file + "; yes; fi", 0.3);
  options.safety = Safety::limits;  // it writes a file
  options.limits.output = 1000;
  const StressResult result = run_stress(options);
  EXPECT_FALSE(result.finding);
  EXPECT_EQ(result.unrepeated, 1u);
  EXPECT_GT(result.cases, 1u);
}

TEST(Stress, AnInterruptionEndsIt) {
  const StressResult result = run_stress(testing(right_program, 600), 5);
  EXPECT_FALSE(result.finding);
  EXPECT_GE(result.cases, 5u);
}

TEST(Stress, AProgramThatCannotBeRunIsBadInput) {
  const ScratchFolder folder;
  const auto file = folder.path() / "no_program";
  ASSERT_TRUE(write_file(file,
                         "\x7f"
                         "ELF"));
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  for (const std::string& command : {std::string{"/no/such/program"}, file.string()}) {
    EXPECT_THROW(run_stress(testing(command)), BadInput);
    EXPECT_THROW(stress_once(Squares{}, testing(command), {Squares::number(3)}), BadInput);
  }
}

TEST(Stress, OneInputIsNotShrunk) {
  const std::vector cases{Squares::number(4), Squares::number(7), Squares::number(8)};
  const StressResult result = stress_once(Squares{}, testing("awk '{ print $1 == 7 ? 0 : $1 * $1 }'"), cases);
  ASSERT_TRUE(result.finding);
  EXPECT_EQ(result.finding->cases.size(), 3u);
  EXPECT_EQ(result.finding->case_number, 1u);
  EXPECT_FALSE(stress_once(Squares{}, testing(right_program), cases).finding);
}

}  // namespace
}  // namespace lockstep
