#include "lockstep/services/labelling.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/system/typed.hpp"
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

/// Searches for so many measures of water.
LabelFound searched(std::int64_t measures, std::uint64_t tries_max, const std::vector<std::string>& corpus = {}) {
  return find_label(vocabulary<Garden>(), head_gardener, 1, measures, 1, tries_max, corpus);
}

TEST(LabelSearch, ReachesALabelThatGeneratorsMiss) {
  const LabelFound found = searched(777, 50'000);
  ASSERT_EQ(found.distance, 0u);
  EXPECT_EQ(searched(777, 1, {found.text}).distance, 0u) << "small as it is, it shows the value";
  EXPECT_LE(parse_scenario<Garden>(found.text)->actions.size(), 1u);
}

// The butt holds at most a thousand.
TEST(LabelSearch, ReportsTheNearestValue) { EXPECT_EQ(searched(1'010, 6'000).distance, 10u); }

TEST(LabelSearch, StopsAfterItsBudget) { EXPECT_LE(searched(1'010, 500).tries, 510u); }

}  // namespace
}  // namespace lockstep
