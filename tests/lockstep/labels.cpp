#include "lockstep/draw/labels.hpp"

#include <gtest/gtest.h>

#include "tests/lockstep/garden_labels.hpp"

namespace lockstep {
namespace {

/// With limits, whose values floors are for.
LabelTable limited() {
  LabelTable table = counts_of_a_run();
  table.limits = {{"three flowers", Garden::Features::flower_count, 3},
                  {"four flowers", Garden::Features::flower_count, 4},
                  {"no water", Garden::Features::water, 0, "fewer than none"}};
  return table;
}

TEST(Floors, HoldForTheTableThatTheyWereTakenFrom) {
  const LabelTable table = limited();
  const auto floors = parse_floors(floors_text(table));
  ASSERT_TRUE(floors) << floors.error().message("floors");
  EXPECT_EQ(floors->seed, table.seed);
  EXPECT_EQ(floors->runs, table.runs);
  EXPECT_EQ(floors_text(table).find("= 3:"), floors_text(table).rfind("= 3:")) << "two limits watch it";
  EXPECT_FALSE(floors_text(table).contains("-1")) << "nothing shows it";
  EXPECT_GT(floors->floors.size(), 4u);
  EXPECT_TRUE(below_floors(table, *floors).empty());
}

TEST(Floors, OfASystemAreAFileOfItsName) { EXPECT_EQ(floors_file("golden/floors", "lru"), "golden/floors/lru.txt"); }

TEST(Floors, AreMissedByAGeneratorThatReachesLess) {
  const auto floors = parse_floors(floors_text(limited()));
  ASSERT_TRUE(floors);
  LabelTable shallow = limited();
  for (auto& generator : shallow.generators) generator.showing.assign(generator.showing.size(), 0);
  EXPECT_EQ(below_floors(shallow, *floors).size(), floors->floors.size());

  LabelTable table = limited();
  auto& deep = table.generators[0].showing[Garden::Features::flower_count * feature_buckets + 3];
  ASSERT_GT(deep, 3u);
  const std::uint64_t was = deep;
  deep = was / 2 - 1;
  const auto missed = below_floors(table, *floors);
  ASSERT_EQ(missed.size(), 1u);
  EXPECT_EQ(missed[0], "uniform: flowers = 3 in " + std::to_string(was / 2 - 1) + " of 300 scenarios, the floor is " +
                           std::to_string(was / 2));
}

TEST(Floors, OfALabelThatIsNoLongerCountedAreMissed) {
  const auto floors =
      parse_floors("seed 1\nruns 300\nsunshine = 3: uniform 1\nwater = 3: telepathy 1\nwater = 10: uniform 1\n");
  ASSERT_TRUE(floors);
  EXPECT_EQ(below_floors(counts_of_a_run(), *floors).size(), 3u);
}

TEST(Floors, AnErrorNamesItsLine) {
  for (const std::string_view text : {"seed 1\nwater = 3: uniform many\n", "seed 1\nwater: uniform 3\n", "seed 1\nx\n",
                                      "seed 1\nwater = 3: uniform\n", "seed 1\nuniform 3 water = 3\n"}) {
    const auto floors = parse_floors(text);
    ASSERT_FALSE(floors) << text;
    EXPECT_EQ(floors.error().line, 2);
  }
}

// Limits ----------------------------------------------------------------------------------------

constexpr std::size_t beds = 3;  // after the features of the garden

LabelTable with_limits(std::vector<Limit> limits) {
  LabelTable table = counts_of_a_run();
  table.features.push_back(Feature{beds, "beds, around ten", 10});
  table.limits = std::move(limits);
  return table;
}

TEST(Limits, HaveALabelBelowAtAndBeyond) {
  const LabelTable table = with_limits({{"three flowers", Garden::Features::flower_count, 3},
                                        {"no water", Garden::Features::water, 0, "fewer than none"}});
  EXPECT_EQ(fault_of_limits(table), "");
  const auto labels = limit_labels(table);
  ASSERT_EQ(labels.size(), 6u);
  for (const std::size_t i : {0u, 1u, 2u}) {
    EXPECT_EQ(labels[i].value, static_cast<std::int64_t>(i) + 2);
    EXPECT_FALSE(labels[i].missing());
    EXPECT_FALSE(labels[i].generators.empty());
  }
  EXPECT_TRUE(labels[3].generators.empty());
  EXPECT_FALSE(labels[3].missing()) << "there is a reason";
}

TEST(Limits, ALimitThatNoScenarioReachesIsMissing) {
  LabelTable table = with_limits({{"three flowers", Garden::Features::flower_count, 3}});
  for (auto& generator : table.generators) generator.showing[2 * feature_buckets + 4] = 0;
  const auto labels = limit_labels(table);
  EXPECT_FALSE(labels[0].missing());
  EXPECT_FALSE(labels[1].missing());
  EXPECT_TRUE(labels[2].missing());
}

TEST(Limits, ALimitWhoseSidesShareABucketIsAnError) {
  const auto fault = [](std::size_t feature, std::int64_t at) {
    return fault_of_limits(with_limits({{"a limit", feature, at}}));
  };
  EXPECT_NE(fault(Garden::Features::water, 12), "");
  EXPECT_NE(fault(Garden::Features::water, 9), "") << "ten and eleven share a bucket";
  EXPECT_EQ(fault(Garden::Features::water, 8), "");
  EXPECT_EQ(fault(beds, 10), "");
}

}  // namespace
}  // namespace lockstep
