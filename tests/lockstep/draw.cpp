#include "lockstep/draw.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "lockstep/mutate.hpp"
#include "props/laws.hpp"
#include "tests/lockstep/garden.hpp"

namespace lockstep {
namespace {

TEST(Draw, TheSameSeedDrawsTheSameScenario) {
  for (std::uint64_t index = 0; index < 300; ++index) {
    EXPECT_EQ(laws::scenario_at<Garden>(1, index), laws::scenario_at<Garden>(1, index));
  }
}

TEST(Draw, LengthsAreMostlyShortAndSometimesVeryLong) {
  Random random{1};
  std::map<std::size_t, int> decades;
  for (int i = 0; i < 20'000; ++i) {
    const std::size_t length = draw_length(random);
    ASSERT_LT(length, 2'000u);
    ++decades[length == 0 ? 0 : length < 10 ? 1 : length < 100 ? 2 : length < 512 ? 3 : 4];
  }
  EXPECT_GT(decades[0], 20'000 / 20);
  EXPECT_GT(decades[1], 20'000 / 5);
  EXPECT_GT(decades[2], 20'000 / 5);
  EXPECT_GT(decades[3], 20'000 / 20);
  EXPECT_GT(decades[4], 20);
}

TEST(Draw, BoardsAreMostlySmallAndSometimesLarge) {
  Random random{2};
  int small = 0;
  int large = 0;
  constexpr int draws = 10'000;
  for (int i = 0; i < draws; ++i) {
    const Garden::Setup setup = draw_setup<Garden>(random);
    (setup.rows <= 20 && setup.columns <= 20 ? small : large) += 1;
  }
  EXPECT_GT(small, draws * 19 / 20);
  EXPECT_GT(large, draws / 200);
}

TEST(Draw, SwarmsOmitSomeKindsOfActionsAndFavourOthers) {
  int without_a_kind = 0;
  int mostly_one = 0;
  constexpr std::uint64_t draws = 500;
  for (std::uint64_t i = 0; i < draws; ++i) {
    Random random{seed_of(4, i)};
    const Scenario<Garden> scenario = draw_swarm<Garden>(random);
    if (scenario.actions.size() < 60) continue;
    std::map<std::size_t, std::size_t> kinds;
    for (const auto& action : scenario.actions) ++kinds[action.index()];
    without_a_kind += kinds.size() < action_kinds<Garden::Action> ? 1 : 0;
    for (const auto& [kind, count] : kinds) mostly_one += count * 4 > scenario.actions.size() * 3 ? 1 : 0;
  }
  EXPECT_GT(without_a_kind, 20);
  EXPECT_GT(mostly_one, 5);
}

TEST(Draw, ASystemWithoutSuggestionsIsDrawnUniformly) {
  Random one{9};
  Random other{9};
  EXPECT_EQ(draw_suggested<Garden>(one), draw_uniform<Garden>(other));
}

TEST(Draw, DrawnMutatedAndCrossedScenariosAreLawful) {
  Random random{5};
  Scenario<Garden> scenario;
  for (std::uint64_t index = 0; index < 1'000; ++index) {
    const Scenario<Garden> drawn = laws::scenario_at<Garden>(6, index);
    ASSERT_EQ(laws::fault_of<Garden>(drawn), "");
    mutate<Garden>(random, scenario);
    ASSERT_EQ(laws::fault_of<Garden>(scenario), "");
    const Scenario<Garden> child = crossover<Garden>(random, drawn, scenario);
    ASSERT_EQ(laws::fault_of<Garden>(child), "");
    if (size_of<Garden>(child).area < 400 && child.actions.size() < 100) scenario = child;
  }
}

/// Two kinds of action, of which one is never drawn.
struct HalfWeighted {
  static constexpr std::string_view name = "half_weighted";
  using Setup = Nothing;
  template <unsigned its_weight>
  struct Get {
    static constexpr std::string_view name = its_weight == 0 ? "never" : "always";
    static constexpr unsigned weight = its_weight;
    bool operator==(const Get&) const = default;
  };
  using Action = std::variant<Get<0>, Get<1>>;
  struct Observation {
    bool operator==(const Observation&) const = default;
  };
  static void describe(auto&, Observation&) {}
};

TEST(Draw, AKindOfWeightZeroIsNeverDrawn) {
  Random random{1};
  std::size_t drawn = 0;
  for (int i = 0; i < 100; ++i) {
    for (const Style style : styles) {
      const auto scenario = draw_scenario<HalfWeighted>(random, style);
      drawn += scenario.actions.size();
      EXPECT_EQ(std::ranges::count(scenario.actions, 0u, &HalfWeighted::Action::index), 0);
    }
  }
  EXPECT_GT(drawn, 0u);
}

TEST(Mutate, ReachesEveryPartOfAScenario) {
  Scenario<Garden> start{.setup = {}, .actions = {Garden::Plant{1, 1, 2}, Garden::Rain{3}, Garden::Wait{}}};
  start.setup.rows = start.setup.columns = 3;
  start.setup.beds = Grid{3, 3};
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
