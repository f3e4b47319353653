#include <gtest/gtest.h>

#include "campaign/timeline_json.hpp"

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
      out.add({.seconds = seconds,
               .features = count,
               .engines = {{"uniform", {.scenarios = count, .steps = 2 * count, .features = count}}}});
  }
  return out;
}

TEST(Timeline, HasABoundedNumberOfSamplesHoweverLongTheCampaign) {
  for (const int tenths : {1, 199, 200, 201, 999, 100'000}) {
    const auto samples = of_seconds(tenths).samples();
    EXPECT_LE(samples.size(), Timeline::samples_max);
    EXPECT_GE(samples.size(), std::min<std::size_t>(static_cast<std::size_t>(tenths), Timeline::samples_max / 2));
    for (std::size_t i = 1; i < samples.size(); ++i) {
      EXPECT_GT(samples[i].seconds, samples[i - 1].seconds);
      EXPECT_GT(samples[i].features, samples[i - 1].features);
    }
    // From the beginning to the end.
    EXPECT_LT(samples.front().seconds, 0.003 * tenths + 0.01);
    EXPECT_NEAR(samples.back().seconds, 0.1 * tenths, 0.003 * tenths + 0.11);
  }
}

TEST(Timeline, SurvivesWritingAndReadingAndGoesOnAtTheSamePace) {
  Timeline before = of_seconds(1000);
  const Timeline after = ordered_json(before).get<Timeline>();
  EXPECT_EQ(ordered_json(after), ordered_json(before));
  const double next = after.samples().back().seconds + 0.2;
  EXPECT_FALSE(after.due(next));
  EXPECT_EQ(after.due(next + 10), before.due(next + 10));
}

TEST(Timeline, AnEngineThatBeganLaterHasZeroesBefore) {
  Timeline timeline;
  timeline.add({.seconds = 1, .features = 1, .engines = {}});
  timeline.add(
      {.seconds = 2, .features = 2, .engines = {{"late", {.scenarios = 5, .steps = 6, .features = 1, .findings = 1}}}});
  EXPECT_EQ(ordered_json(timeline)["engines"].dump(),
            R"({"late":{"scenarios":[0,5],"steps":[0,6],"features_first":[0,1],"findings":[0,1]}})");
}

TEST(Timeline, AnythingElseIsRefused) {
  for (const char* const text : {"[]", "{}", R"({"interval":1,"seconds":[1,2],"features":[1],"engines":{}})",
                                 R"({"interval":1,"seconds":[1],"features":["x"],"engines":{}})",
                                 R"({"interval":1,"seconds":[1],"features":[1],"engines":{"a":{"steps":[1]}}})"}) {
    EXPECT_THROW(ordered_json::parse(text).get<Timeline>(), nlohmann::json::exception) << text;
  }
}

}  // namespace
}  // namespace lockstep
