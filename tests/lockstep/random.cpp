#include "lockstep/base/random.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <set>

namespace lockstep {
namespace {

/// The published outputs of SplitMix64 for the seeds 0 and 1234567.
TEST(Random, IsSplitMix64) {
  Random zero{0};
  for (const std::uint64_t expected :
       {0xe220a8397b1dcdafu, 0x6e789e6aa1b965f4u, 0x06c45d188009454fu, 0xf88bb8a8724c81ecu}) {
    EXPECT_EQ(zero.next(), expected);
  }
  Random other{1234567};
  for (const std::uint64_t expected : {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                       4593380528125082431u, 16408922859458223821u}) {
    EXPECT_EQ(other.next(), expected);
  }
}

TEST(Random, BelowStaysBelowAndReachesEveryNumber) {
  Random random{1};
  for (std::uint64_t count = 1; count <= 20; ++count) {
    std::set<std::uint64_t> seen;
    for (int i = 0; i < 2'000; ++i) seen.insert(random.below(count));
    EXPECT_EQ(seen.size(), count);
    EXPECT_EQ(*seen.rbegin(), count - 1);
  }
}

TEST(Random, BelowZeroIsZero) { EXPECT_EQ(Random{5}.below(0), 0u); }

TEST(Random, BetweenIncludesBothEnds) {
  Random random{2};
  std::set<std::int64_t> seen;
  for (int i = 0; i < 1'000; ++i) seen.insert(random.between(-3, 3));
  EXPECT_EQ(seen, (std::set<std::int64_t>{-3, -2, -1, 0, 1, 2, 3}));
  EXPECT_EQ(random.between(7, 7), 7);
}

TEST(Random, BetweenHoldsTheWidestRangeThatFieldsUse) {
  constexpr auto last = std::numeric_limits<std::int64_t>::max();
  Random random{3};
  for (int i = 0; i < 1'000; ++i) EXPECT_GE(random.between(0, last), 0);
}

TEST(Random, AChanceOfZeroNeverHappensAndOneOfAllAlways) {
  Random random{4};
  for (int i = 0; i < 1'000; ++i) {
    EXPECT_FALSE(random.chance(0, 8));
    EXPECT_TRUE(random.chance(8, 8));
  }
}

TEST(Random, PickReachesEveryItem) {
  Random random{5};
  const std::array<int, 3> items = {10, 20, 30};
  std::set<int> seen;
  for (int i = 0; i < 200; ++i) seen.insert(random.pick(items));
  EXPECT_EQ(seen.size(), items.size());
}

/// Golden values: a change of this function would move every stream of scenarios.
TEST(Random, SeedsOfAStreamAreFixed) {
  EXPECT_EQ(seed_of(0, 0), 7960286522194355700u);
  EXPECT_EQ(seed_of(1, 0), 13757245211066428519u);
  EXPECT_EQ(seed_of(1, 1), 18165282041465525782u);
  EXPECT_EQ(seed_of(42, 1'000'000), 1512664435348686621u);
}

TEST(Random, SeedsOfAStreamDiffer) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    for (std::uint64_t index = 0; index < 1'000; ++index) seen.insert(seed_of(seed, index));
  }
  EXPECT_EQ(seen.size(), 30'000u);
}

}  // namespace
}  // namespace lockstep
