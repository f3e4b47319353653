#include "lockstep/labelling.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/lockstep/garden_labels.hpp"

namespace lockstep {
namespace {

TEST(Labels, CountEachScenarioOncePerValue) {
  const LabelTable table = counts_of_a_run();
  std::vector<std::string> generators;
  for (const auto& generator : table.generators) {
    generators.push_back(generator.name);
    EXPECT_EQ(generator.scenarios, generator.name == "corpus" ? 1u : 300u);
    for (const std::uint64_t showing : generator.showing) EXPECT_LE(showing, generator.scenarios);
  }
  EXPECT_EQ(generators, (std::vector<std::string>{"uniform", "swarm", "suggested", "mutated", "corpus"}));
  EXPECT_EQ(table.generators.back().showing[1 * feature_buckets + 9], 1u);  // nine measures of water
}

TEST(Labels, AreTheSameForTheSameSeedAndRuns) {
  const LabelTable one = counts_of_a_run();
  const LabelTable two = counts_of_a_run();
  for (std::size_t i = 0; i < one.generators.size(); ++i)
    EXPECT_EQ(one.generators[i].showing, two.generators[i].showing);
  EXPECT_NE(one.generators[0].showing, counts_of_a_run(2).generators[0].showing);
}

TEST(LabelSearch, ReachesALabelThatGeneratorsMiss) {
  LabelSearch search{vocabulary<Garden>(), head_gardener, 1, 777};  // exactly 777 measures of water
  const AnyScenario found = search.climb(1, 50'000, {});
  ASSERT_EQ(search.best_distance(), 0u);
  EXPECT_EQ(search.distance(found), 0u);
  const AnyScenario small = search.shrunk(found, {.time = std::chrono::hours{1}});
  EXPECT_EQ(search.distance(small), 0u);
  EXPECT_LE(small.size(), 1u);
}

TEST(LabelSearch, ReportsTheNearestValue) {
  LabelSearch search{vocabulary<Garden>(), head_gardener, 1, 1'010};  // the butt holds at most a thousand
  search.climb(1, 6'000, {});
  EXPECT_EQ(search.best_distance(), 10u);
}

TEST(LabelSearch, StopsAfterItsBudget) {
  LabelSearch search{vocabulary<Garden>(), head_gardener, 1, 1'010};
  search.climb(1, 500, {});
  EXPECT_LE(search.tries(), 510u);
}

}  // namespace
}  // namespace lockstep
