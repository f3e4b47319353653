#include "lockstep/numbers.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "lockstep/random.hpp"

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

TEST(Ranks, OfRealsPutSmallIntegersFirst) {
  EXPECT_EQ(floating::rank_of(0.0), 0u);
  EXPECT_EQ(floating::rank_of(7.0), 7u);
  EXPECT_LT(floating::rank_of(1e15), floating::rank_of(0.5));
  EXPECT_LT(floating::rank_of(0.5), floating::rank_of(0.3));
  EXPECT_LT(floating::rank_of(0.3), floating::rank_of(std::numeric_limits<double>::infinity()));
  Random random{1};
  for (int i = 0; i < 10'000; ++i) {
    const double value = floating::of_rank(random.next());
    const double again = floating::of_rank(floating::rank_of(value));
    EXPECT_EQ(std::bit_cast<std::uint64_t>(again), std::bit_cast<std::uint64_t>(value));
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
