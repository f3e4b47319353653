#include <gtest/gtest.h>

#include <thread>

#include "campaign/engine.hpp"
#include "lockstep/files.hpp"
#include "tests/campaign/garden_system.hpp"

namespace lockstep {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

struct WorkerOutcome {
  std::vector<FindingText> findings;
  std::vector<std::string> faults;
  std::uint64_t scenarios = 0;
  Clock::time_point diverged_at;
};

/// Runs one worker for this implementation; asks it to end after `patience` and polls it until it has ended.
WorkerOutcome work(const std::string& implementation, std::chrono::milliseconds patience = 60s,
                   std::chrono::milliseconds timeout = 20s, std::uint64_t scenarios_max = UINT64_MAX,
                   bool keep_going = false) {
  const auto until = Clock::now() + patience;
  const auto worker = start_worker({.system = &garden(),
                                    .implementations = {"rulebook", implementation},
                                    .corpus = "/nowhere",
                                    .keep_going = keep_going,
                                    .timeout = timeout},
                                   {.end = scenarios_max,
                                    .generators = {generators.begin(), generators.end()},
                                    .deadline = until,
                                    .shrink_time = 2s,
                                    .keep_going = keep_going});
  while (worker->poll()) {
    if (Clock::now() >= until) worker->stop();
    std::this_thread::sleep_for(2ms);
  }
  return {worker->take_findings(), worker->faults(), worker->stats().scenarios.load(),
          Clock::time_point{std::chrono::nanoseconds{worker->stats().diverged_at_ns.load()}}};
}

/// The processes that run `sleep ARGUMENT`.
int sleepers(std::string_view argument) {
  int count = 0;
  for (const auto& process : std::filesystem::directory_iterator{"/proc"}) {
    const auto line = read_file(process.path() / "cmdline");
    if (line && *line == std::string{"sleep"} + '\0' + std::string{argument} + '\0') ++count;
  }
  return count;
}

TEST(Worker, JudgesItsPartOfTheStream) {
  const WorkerOutcome outcome = work("honest", 60s, 20s, 200);
  EXPECT_EQ(outcome.scenarios, 200u);
  EXPECT_TRUE(outcome.findings.empty());
  EXPECT_TRUE(outcome.faults.empty());
}

TEST(Worker, ADifferenceIsAFindingOfItsGenerator) {
  const WorkerOutcome outcome = work("counts_short");
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_TRUE(outcome.findings[0].signature.starts_with("garden counts_short observation "));
  EXPECT_NE(outcome.findings[0].engine, "");
}

TEST(Worker, ACrashIsAFindingThatNamesTheImplementation) {
  const WorkerOutcome outcome = work("crashes");
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].signature, "garden crashes crash rain exit 5");
  EXPECT_TRUE(outcome.faults.empty());
}

TEST(Worker, TheTimeOfACrashIsBeforeItsShrinking) {
  static_cast<void>(last_crash());  // maps the shared memory before the worker is started
  const WorkerOutcome outcome = work("crashes");
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_LT(outcome.diverged_at, last_crash().load());
}

TEST(Worker, EveryFaultIsReported) {
  const WorkerOutcome outcome = work("wears_out", 60s, 20s, 100, true);
  EXPECT_TRUE(outcome.findings.empty());
  ASSERT_EQ(outcome.faults.size(), 2u);
  EXPECT_NE(outcome.faults[0].find("on scenario 39 of seed 1"), std::string::npos) << outcome.faults[0];
  EXPECT_NE(outcome.faults[1].find("on scenario 79 of seed 1"), std::string::npos) << outcome.faults[1];
}

TEST(Worker, AFlakyImplementationHasAFewFaultsOnly) {
  EXPECT_EQ(work("wears_out", 60s, 20s, 1'000, true).faults.size(), 10u);
}

TEST(Worker, AnImplementationThatExitsWithStatus0IsAFinding) {
  const WorkerOutcome outcome = work("exits");
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].signature, "garden exits crash rain exit 0");
}

TEST(Worker, AHangIsAFindingThatNamesTheImplementation) {
  const WorkerOutcome outcome = work("hangs", 60s, 300ms);
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].signature, "garden hangs hang rain timeout");
}

TEST(Worker, KilledAtTheDeadlineWhileStuckAtOneActionIsAHang) {
  const WorkerOutcome outcome = work("hangs", 500ms, 1s);
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].signature, "garden hangs hang rain timeout");
  EXPECT_EQ(outcome.findings[0].judgements, 1u);  // after the deadline nothing is shrunk
}

TEST(Worker, KilledAtTheDeadlineWhileSlowIsNoFinding) {
  const WorkerOutcome outcome = work("slow", 300ms);
  EXPECT_TRUE(outcome.findings.empty());
  EXPECT_TRUE(outcome.faults.empty());
}

TEST(Worker, ProcessesOfAnImplementationEndWithTheWorker) {
  ASSERT_EQ(sleepers(left_behind), 0);
  const WorkerOutcome outcome = work("starts_processes", 60s, 20s, 50);
  EXPECT_EQ(outcome.scenarios, 50u);
  const auto until = Clock::now() + 5s;
  while (sleepers(left_behind) > 0 && Clock::now() < until) std::this_thread::sleep_for(10ms);
  EXPECT_EQ(sleepers(left_behind), 0);
}

}  // namespace
}  // namespace lockstep
