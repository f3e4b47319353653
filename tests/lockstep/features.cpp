#include "lockstep/describe/features.hpp"

#include <gtest/gtest.h>

#include <map>

#include "lockstep/draw/portfolio.hpp"
#include "tests/lockstep/garden.hpp"

namespace lockstep {
namespace {

TEST(Features, EachSmallNumberHasItsOwnBucket) {
  for (std::int64_t value = 0; value < 10; ++value) {
    EXPECT_EQ(feature_bucket(value), static_cast<std::size_t>(value));
    EXPECT_EQ(feature_bucket_text(feature_bucket(value)), std::to_string(value));
  }
}

TEST(Features, LargeNumbersShareBucketsNamedByTheirBounds) {
  const std::map<std::int64_t, std::string_view> texts = {
      {10, "10–11"}, {11, "10–11"}, {12, "12–15"},  {15, "12–15"},   {16, "16–31"}, {31, "16–31"},
      {32, "32–63"}, {63, "32–63"}, {64, "64–255"}, {255, "64–255"}, {256, "≥256"}, {1'000'000'000'000, "≥256"}};
  for (const auto& [value, text] : texts) EXPECT_EQ(feature_bucket_text(feature_bucket(value)), text) << value;
}

TEST(Features, NegativeNumbersCountAsZero) { EXPECT_EQ(feature_bucket(-1), 0u); }

TEST(Features, BucketsGrowWithTheirNumbers) {
  for (std::int64_t value = -5; value < 2'000; ++value) {
    EXPECT_LE(feature_bucket(value), feature_bucket(value + 1));
    EXPECT_LT(feature_bucket(value), feature_buckets);
  }
}

TEST(Features, BucketsAroundALimitDistinguishItsNeighbours) {
  for (std::int64_t value = 194; value <= 206; ++value) {
    EXPECT_EQ(feature_bucket_text(feature_bucket(value, 200), 200), std::to_string(value));
  }
  EXPECT_EQ(feature_bucket_text(feature_bucket(0, 200), 200), "≤192");
  EXPECT_EQ(feature_bucket_text(feature_bucket(1'000, 200), 200), "≥207");
  EXPECT_EQ(feature_bucket(200, std::nullopt), feature_bucket(200));
}

TEST(Features, AreMarkedForEveryAnswerAndEverySnapshot) {
  const Scenario<Garden> scenario{.setup = {}, .actions = {Garden::Plant{}, Garden::Rain{12}, Garden::Plant{}}};
  Trace<Garden> trace;
  run_trace<Gardener<Slip::none>>(scenario, Cadence{}, trace);
  FeatureSet reached;
  mark_features(untyped<Garden>(scenario), untyped<Garden>(trace), [&](std::size_t index) { reached.set(index); });
  FeatureSet expected;
  expected.set(0 * feature_buckets + 1);   // the first plant was refused
  expected.set(1 * feature_buckets + 11);  // 12 measures of water, then
  expected.set(1 * feature_buckets + 10);  // 11
  expected.set(2 * feature_buckets + 0);   // no flower,
  expected.set(2 * feature_buckets + 1);   // and one
  EXPECT_EQ(reached, expected);
}

}  // namespace
}  // namespace lockstep
