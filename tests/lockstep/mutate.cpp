#include "lockstep/mutate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "props/typed.hpp"
#include "tests/lockstep/garden.hpp"

namespace lockstep {
namespace {

TEST(Mutate, ReachesEveryPartOfAScenario) {
  Scenario<Garden> start{.setup = plot(3, 3), .actions = {Garden::Plant{1, 1, 2}, Garden::Rain{3}, Garden::Wait{}}};
  start.setup.moles = {{1, 1, false}};
  std::set<std::string> changed;
  Random random{7};
  for (int i = 0; i < 3'000; ++i) {
    Scenario<Garden> mutant = start;
    mutate<Garden>(random, mutant);
    if (mutant.actions.size() < start.actions.size()) changed.insert("fewer actions");
    if (mutant.actions.size() > start.actions.size()) changed.insert("more actions");
    if (mutant.actions != start.actions) changed.insert("actions");
    if (mutant.setup.rows != start.setup.rows) changed.insert("rows");
    if (mutant.setup.columns != start.setup.columns) changed.insert("columns");
    if (mutant.setup.water != start.setup.water) changed.insert("water");
    if (mutant.setup.season != start.setup.season) changed.insert("season");
    if (mutant.setup.fence != start.setup.fence) changed.insert("fence");
    if (mutant.setup.beds.rows == start.setup.rows && mutant.setup.beds != start.setup.beds) changed.insert("beds");
    if (mutant.setup.moles != start.setup.moles) changed.insert("moles");
  }
  EXPECT_EQ(changed.size(), 10u) << testing::PrintToString(changed);
}

TEST(Crossover, TakesTheSetupAndHeadOfOneAndTheTailOfTheOther) {
  const Scenario<Garden> one{.setup = {}, .actions = std::vector<Garden::Action>(20, Garden::Rain{1})};
  const Scenario<Garden> other{.setup = {}, .actions = std::vector<Garden::Action>(20, Garden::Rain{2})};
  Random random{8};
  std::set<std::size_t> lengths;
  for (int i = 0; i < 5'000; ++i) {
    const Scenario<Garden> child = crossover<Garden>(random, one, other);
    lengths.insert(child.actions.size());
    EXPECT_TRUE(std::ranges::is_partitioned(child.actions, [&](const auto& a) { return a == one.actions[0]; }));
  }
  EXPECT_EQ(*lengths.begin(), 0u);
  EXPECT_EQ(*lengths.rbegin(), 40u);
}

}  // namespace
}  // namespace lockstep
