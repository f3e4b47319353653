#include "campaign/trials.hpp"

#include <gtest/gtest.h>

#include <map>

#include "tests/campaign/fragile_system.hpp"
#include "tests/campaign/garden_system.hpp"
#include "tests/lockstep/expected.hpp"

namespace lockstep {
namespace {

/// A search for this implementation's mistake.
Trial trial_of(const std::string& implementation, std::uint64_t seed = 1) {
  return {
      &garden(),
      {.seconds = 60, .runs = 200, .seed = seed, .with = {implementation}, .corpus = "/nowhere", .hunt_canary = false}};
}

struct TrialsOutcome {
  std::map<std::size_t, TrialResult> results;
  std::vector<std::string> errors;
};

TrialsOutcome run(const std::vector<Trial>& trials, unsigned jobs, std::size_t interrupt_after = SIZE_MAX) {
  TrialsOutcome out;
  out.errors = run_trials(
      trials, jobs,
      [&](const TrialResult& result) {
        EXPECT_FALSE(out.results.contains(result.trial));
        out.results[result.trial] = result;
      },
      [&] { return out.results.size() >= interrupt_after; });
  return out;
}

TEST(Trials, EachHasOneResult) {
  std::vector<Trial> trials(7, trial_of("honest"));
  trials[2] = trials[5] = trial_of("counts_short");
  for (const unsigned jobs : {1u, 3u, 20u}) {
    const TrialsOutcome outcome = run(trials, jobs);
    EXPECT_TRUE(outcome.errors.empty());
    ASSERT_EQ(outcome.results.size(), trials.size());
    for (const auto& [index, result] : outcome.results) {
      EXPECT_EQ(result.found.has_value(), index == 2 || index == 5) << index;
      EXPECT_TRUE(result.faults.empty());
    }
  }
}

TEST(Trials, AFindingIsCompleteAndRepeatsWithItsSeed) {
  const TrialsOutcome outcome = run({trial_of("counts_short", 7), trial_of("counts_short", 7)}, 2);
  ASSERT_EQ(outcome.results.size(), 2u);
  ASSERT_TRUE(outcome.results.at(0).found && outcome.results.at(1).found);
  const TrialFinding& one = *outcome.results.at(0).found;
  const TrialFinding& other = *outcome.results.at(1).found;
  EXPECT_TRUE(one.minimal);
  EXPECT_EQ(one.size.actions, 1u);
  EXPECT_GT(one.detection.scenarios, 0u);
  EXPECT_NE(one.engine, "");
  EXPECT_EQ(one.engine, other.engine);
  EXPECT_EQ(one.size, other.size);
  EXPECT_EQ(one.detection.scenarios, other.detection.scenarios);
}

TEST(Trials, ACrashIsDetected) { EXPECT_TRUE(run({trial_of("crashes")}, 1).results.at(0).found); }

TEST(Trials, AFindingThatBlamesAnotherImplementationIsNoDetection) {
  Trial trial = trial_of("right");
  trial.system = &fragile();
  const TrialResult result = run({trial}, 1).results.at(0);
  EXPECT_FALSE(result.found);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "fragile brittle crash add exit 5", only(result.faults));
}

TEST(Trials, AnErrorIsReturned) {
  Trial impossible = trial_of("honest");
  impossible.options.engines = {"libfuzzer"};  // not among its targets
  const TrialsOutcome outcome = run({impossible}, 1);
  EXPECT_TRUE(outcome.results.empty());
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "libfuzzer", only(outcome.errors));
}

TEST(Trials, AnInterruptionStartsNoMore) {
  const std::vector<Trial> trials(100'000, trial_of("honest"));
  const TrialsOutcome outcome = run(trials, 2, 3);
  EXPECT_TRUE(outcome.errors.empty());
  EXPECT_GE(outcome.results.size(), 3u);
  EXPECT_LT(outcome.results.size(), trials.size());
}

}  // namespace
}  // namespace lockstep
