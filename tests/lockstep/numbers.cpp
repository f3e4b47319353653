#include "lockstep/base/numbers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <vector>

#include "lockstep/base/random.hpp"

namespace lockstep {
namespace {

TEST(Ranks, CountTheSimplerNumbers) {
  const auto all = [](Number lo, Number hi) {
    std::vector<int> out;
    for (std::uint64_t rank = 0; rank <= static_cast<std::uint64_t>(hi - lo); ++rank) {
      const Number value = number_of_rank(rank, lo, hi);
      EXPECT_EQ(rank_of(value, lo, hi), rank);
      out.push_back(static_cast<int>(value));
    }
    return out;
  };
  EXPECT_EQ(all(3, 6), (std::vector{3, 4, 5, 6}));
  EXPECT_EQ(all(-2, 5), (std::vector{0, 1, -1, 2, -2, 3, 4, 5}));
  EXPECT_EQ(all(-4, 1), (std::vector{0, 1, -1, -2, -3, -4}));
  EXPECT_EQ(all(-6, -3), (std::vector{-3, -4, -5, -6}));
  EXPECT_EQ(number_of_rank<Number>(~std::uint64_t{0}, std::numeric_limits<std::int64_t>::min(),
                                   std::numeric_limits<std::int64_t>::max()),
            std::numeric_limits<std::int64_t>::min());
}

TEST(Ranks, OfRealsPutFewDigitsFirst) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double increasing[] = {0,    7,    1e15,  0.5,   99.5,   0.25,    99.75,   0.1,
                               99.7, 0.01, 99.71, 1e-22, 0x1p56, 0x1p-80, infinity};
  for (std::size_t i = 1; i < std::size(increasing); ++i) {
    EXPECT_LT(floating::rank_of(increasing[i - 1]), floating::rank_of(increasing[i])) << increasing[i];
  }
  EXPECT_EQ(floating::rank_of(7.0), 7u);
  EXPECT_EQ(floating::rank_of(0.1f, true), floating::rank_of(0.1));
  EXPECT_LT(floating::rank_of(99.5), floating::rank_of(99.70744346529246));
}

TEST(Ranks, OfRealsComeBack) {
  const auto same = [](double value) {
    const double again = floating::of_rank(floating::rank_of(value));
    EXPECT_EQ(std::bit_cast<std::uint64_t>(again), std::bit_cast<std::uint64_t>(value));
  };
  Random random{1};
  for (int i = 0; i < 10'000; ++i) {
    same(floating::of_rank(random.next()));
    same(std::bit_cast<double>(random.next() >> 1));  // any magnitude, NaN too
    const auto single = std::bit_cast<float>(static_cast<std::uint32_t>(random.next() >> 33));
    const auto again = static_cast<float>(floating::of_rank(floating::rank_of(single, true)));
    EXPECT_TRUE(same_bits(again, single) || std::isnan(single));
  }
}

TEST(Ranks, OfRealsThatAreSimplerAndNear) {
  for (const double value : {99.70744346529246, 0.1, 1e-300, 3e17}) {
    std::set<double> near;
    const std::vector<std::uint64_t> ranks = floating::simpler_ranks(floating::rank_of(value));
    ASSERT_FALSE(ranks.empty());
    EXPECT_TRUE(std::ranges::is_sorted(ranks));
    EXPECT_LT(ranks.back(), floating::rank_of(value));
    for (const std::uint64_t rank : ranks) near.insert(floating::of_rank(rank));
    for (const double each : near) EXPECT_LE(std::abs(each - value), std::max(1.0, value)) << each;
    if (value < 99 || value > 100) continue;
    for (const double each : {99.0, 100.0, 99.5, 99.75, 99.7, 99.8, 99.71}) EXPECT_TRUE(near.contains(each)) << each;
  }
}

TEST(Reals, AreEqualByBitsOrWithinStepsOfTheirType) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(same_bits(nan, nan));
  EXPECT_FALSE(same_bits(nan, -nan));
  EXPECT_FALSE(same_bits(0.0, -0.0));
  EXPECT_FALSE(same_bits(1.0f, std::nextafter(1.0f, 2.0f)));
  const auto steps = [](auto from, int count) {
    for (int i = 0; i < count; ++i) from = std::nextafter(from, std::numeric_limits<decltype(from)>::infinity());
    return from;
  };
  for (const double one : {-1.0, -steps(0.0, 2), 0.0, 0.1, 1e300}) {
    EXPECT_TRUE(within_ulps(3)(one, steps(one, 3))) << one;
    EXPECT_FALSE(within_ulps(3)(one, steps(one, 4))) << one;
  }
  EXPECT_TRUE(within_ulps(1)(0.1f, steps(0.1f, 1)));
  EXPECT_FALSE(within_ulps(1)(steps(0.1f, 2), 0.1f));
  EXPECT_TRUE(within_ulps(0)(0.0, -0.0));
  EXPECT_TRUE(within_ulps(0)(nan, -nan));
  EXPECT_FALSE(within_ulps(~std::uint64_t{0})(nan, 1.0));
  EXPECT_FALSE(within_ulps(1)(infinity, std::numeric_limits<double>::max()));
  EXPECT_TRUE(within_ulps(0)(infinity, infinity));
}

}  // namespace
}  // namespace lockstep
