#include <gtest/gtest.h>

#include <set>

#include "tests/lockstep/garden.hpp"

namespace lockstep {
namespace {

std::set<std::size_t> taken(Cadence cadence, std::size_t total) {
  std::set<std::size_t> out;
  for (std::size_t done = 0; done <= total; ++done) {
    if (takes_snapshot(cadence, done, total)) out.insert(done);
  }
  return out;
}

TEST(Cadence, TakesTheFirstTenThePowersOfTwoAndTheLastEachWithItsPredecessor) {
  EXPECT_EQ(taken({}, 100), (std::set<std::size_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 16, 31, 32, 63, 64, 99, 100}));
}

TEST(Cadence, TakesEveryPositionOfAShortScenario) {
  EXPECT_EQ(taken({}, 0), (std::set<std::size_t>{0}));
  EXPECT_EQ(taken({}, 11).size(), 12u);
}

TEST(Cadence, TakesEveryPositionOfItsDenseWindow) {
  const auto sparse = taken({}, 1'000);
  const auto dense = taken({300, 305}, 1'000);
  for (std::size_t done = 300; done <= 305; ++done) EXPECT_TRUE(dense.contains(done));
  EXPECT_EQ(dense.size(), sparse.size() + 6);
}

TEST(Cadence, EveryTakesAll) { EXPECT_EQ(taken(Cadence::every(), 1'000).size(), 1'001u); }

Scenario<Garden> rainy(std::size_t length) {
  return {.setup = {}, .actions = std::vector<Garden::Action>(length, Garden::Rain{1})};
}

TEST(Trace, HoldsAnObservationPerActionAndTheSnapshotsOfItsCadence) {
  Trace<Garden> trace;
  run_trace<Gardener<Slip::none>>(rainy(100), Cadence{}, trace);
  ASSERT_EQ(trace.observations.size(), 100u);
  ASSERT_EQ(trace.snapshots.size(), taken({}, 100).size());
  std::size_t i = 0;
  for (const std::size_t done : taken({}, 100)) EXPECT_EQ(trace.snapshots[i++].water, static_cast<int>(done));
}

TEST(Trace, KeepsNothingOfThePreviousRun) {
  Trace<Garden> reused;
  run_trace<Gardener<Slip::none>>(rainy(100), Cadence::every(), reused);
  run_trace<Gardener<Slip::none>>(rainy(5), Cadence{}, reused);
  Trace<Garden> fresh;
  run_trace<Gardener<Slip::none>>(rainy(5), Cadence{}, fresh);
  EXPECT_EQ(reused.observations, fresh.observations);
  EXPECT_EQ(reused.snapshots, fresh.snapshots);
}

TEST(Trace, WritesTheNumberOfTheActionInFlight) {
  volatile std::uint32_t progress = 77;
  Trace<Garden> trace;
  trace.progress = &progress;
  run_trace<Gardener<Slip::none>>(rainy(9), Cadence{}, trace);
  EXPECT_EQ(progress, 8u);
}

}  // namespace
}  // namespace lockstep
