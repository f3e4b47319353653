#include "lockstep/bandit.hpp"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

constexpr std::uint64_t memory = 1'000;

/// How often each arm had its turn, when every turn costs 10 and `finds` says what an arm finds in its turn.
template <class Finds>
std::vector<int> turns(Bandit& bandit, int count, Finds&& finds) {
  std::vector<int> had(bandit.size());
  for (int i = 0; i < count; ++i) {
    const std::size_t arm = bandit.next();
    ++had[arm];
    bandit.pay(arm, 10, finds(arm));
  }
  return had;
}

constexpr auto nothing_found = [](std::size_t) { return std::uint64_t{0}; };

TEST(Bandit, EveryArmIsTriedOnceFirst) {
  Bandit bandit{{1, 1, 1, 1}, memory};
  for (std::size_t arm = 0; arm < 4; ++arm) {
    EXPECT_EQ(bandit.next(), arm);
    bandit.pay(arm, 10, arm == 0 ? 100 : 0);
  }
}

TEST(Bandit, WithoutFindingsTheWeightsDecide) {
  Bandit bandit{{1, 1, 2}, memory};
  const auto had = turns(bandit, 4'000, nothing_found);
  EXPECT_NEAR(had[0], 1'000, 20);
  EXPECT_NEAR(had[1], 1'000, 20);
  EXPECT_NEAR(had[2], 2'000, 20);
}

TEST(Bandit, AnArmThatFindsGetsMoreAndEveryArmKeepsItsFloor) {
  Bandit bandit{{1, 1, 1, 1}, memory};
  const auto had = turns(bandit, 4'000, [](std::size_t arm) { return std::uint64_t{arm == 2}; });
  EXPECT_NEAR(had[2], 4'000 * (1 + 4) / 8, 100);  // half of all, and a quarter of the other half
  for (const std::size_t arm : {0u, 1u, 3u}) EXPECT_NEAR(had[arm], 4'000 / 8, 50);
}

TEST(Bandit, TwiceTheYieldIsTwiceTheShareOfTheSecondHalf) {
  Bandit bandit{{1, 1}, memory};
  const auto had = turns(bandit, 6'000, [](std::size_t arm) { return std::uint64_t{1} + arm; });
  EXPECT_NEAR(had[1] - 1'500, 2 * (had[0] - 1'500), 150);
}

TEST(Bandit, SharesAreOfCostNotOfTurns) {
  Bandit bandit{{1, 1}, memory};
  std::vector<int> had(2);
  for (int i = 0; i < 1'100; ++i) {
    const std::size_t arm = bandit.next();
    ++had[arm];
    bandit.pay(arm, arm == 0 ? 10 : 100, 0);
  }
  EXPECT_NEAR(had[0], 1'000, 15);
  EXPECT_NEAR(had[1], 100, 15);
}

TEST(Bandit, OldFindingsAreForgotten) {
  Bandit bandit{{1, 1}, memory};
  turns(bandit, 100, [](std::size_t arm) { return std::uint64_t{arm == 0 ? 1u : 0u}; });
  EXPECT_GT(bandit.share(0), bandit.share(1) * 2);
  turns(bandit, 1'000, [](std::size_t arm) { return std::uint64_t{arm == 1 ? 1u : 0u}; });
  EXPECT_GT(bandit.share(1), bandit.share(0) * 2);
}

TEST(Bandit, IdleArmsAreSkipped) {
  Bandit bandit{{1, 1, 1}, memory};
  EXPECT_EQ(bandit.next([](std::size_t arm) { return arm == 0; }), 1u);
  EXPECT_EQ(bandit.next([](std::size_t) { return true; }), bandit.size());
}

TEST(Bandit, ADelayedArmStartsOnceTheOtherHasDoneItsWork) {
  Bandit bandit{{4, 1}, memory};
  bandit.delay(1, 0, 200);
  int before = 0;
  while (bandit.next() == 0) {
    ++before;
    bandit.pay(0, 10, 0);
  }
  EXPECT_NEAR(before, 20, 1);
  const auto had = turns(bandit, 1'000, nothing_found);  // it does not have to catch up, nor does the other
  EXPECT_NEAR(had[1], 200, 10);
}

}  // namespace
}  // namespace lockstep
