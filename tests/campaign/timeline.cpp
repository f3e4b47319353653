#include <gtest/gtest.h>

#include "campaign/result_json.hpp"

namespace lockstep {
namespace {

using nlohmann::ordered_json;

/// A timeline of a campaign that was asked each tenth of a second.
Timeline of_seconds(int tenths) {
  Timeline out;
  for (int i = 0; i < tenths; ++i) {
    const double seconds = i * 0.1;
    const auto count = static_cast<std::uint64_t>(i);
    if (out.due(seconds))
      out.add(seconds, count, {{"uniform", {.scenarios = count, .steps = 2 * count, .features = count}}});
  }
  return out;
}

TEST(Timeline, HasABoundedNumberOfSamplesHoweverLongTheCampaign) {
  for (const int tenths : {1, 199, 200, 201, 999, 100'000}) {
    const auto [interval, seconds, features, engines] = of_seconds(tenths);
    EXPECT_LE(seconds.size(), Timeline::samples_max);
    EXPECT_GE(seconds.size(), std::min<std::size_t>(static_cast<std::size_t>(tenths), Timeline::samples_max / 2));
    for (std::size_t i = 1; i < seconds.size(); ++i) {
      EXPECT_GT(seconds[i], seconds[i - 1]);
      EXPECT_GT(features[i], features[i - 1]);
    }
    EXPECT_EQ(engines.at("uniform").features_first, features);
    // From the beginning to the end.
    EXPECT_LT(seconds.front(), 0.003 * tenths + 0.01);
    EXPECT_NEAR(seconds.back(), 0.1 * tenths, 0.003 * tenths + 0.11);
  }
}

TEST(Timeline, SurvivesWritingAndReadingAndGoesOnAtTheSamePace) {
  Timeline before = of_seconds(1000);
  const Timeline after = ordered_json(before).get<Timeline>();
  EXPECT_EQ(ordered_json(after), ordered_json(before));
  const double next = after.seconds.back() + 0.2;
  EXPECT_FALSE(after.due(next));
  EXPECT_EQ(after.due(next + 10), before.due(next + 10));
}

TEST(Timeline, AnEngineThatBeganLaterHasZeroesBefore) {
  Timeline timeline;
  timeline.add(1, 1, {});
  timeline.add(2, 2, {{"late", {.scenarios = 5, .steps = 6, .features = 1, .findings = 1}}});
  EXPECT_EQ(ordered_json(timeline)["engines"].dump(),
            R"({"late":{"scenarios":[0,5],"steps":[0,6],"features_first":[0,1],"findings":[0,1]}})");
}

TEST(Timeline, ListsOfADamagedFileGetOneLengthAgain) {
  auto timeline = ordered_json::parse(R"({"interval":1,"seconds":[1,2],"features":[],"engines":{}})").get<Timeline>();
  timeline.add(2, 7, {});
  EXPECT_EQ(timeline.features, (std::vector<std::uint64_t>{0, 7}));
}

TEST(Timeline, AnythingElseIsRefused) {
  for (const char* const text : {"[]", "{}", R"({"interval":1,"seconds":[1],"features":["x"],"engines":{}})",
                                 R"({"interval":1,"seconds":[1],"features":[1],"engines":{"a":{"steps":[1]}}})"}) {
    EXPECT_THROW(ordered_json::parse(text).get<Timeline>(), nlohmann::json::exception) << text;
  }
}

}  // namespace
}  // namespace lockstep
