#include "harness/portfolio.hpp"

#include <gtest/gtest.h>

#include <map>

#include "harness/hash.hpp"
#include "harness/judge.hpp"
#include "harness/text.hpp"
#include "props/garden.hpp"
#include "props/golden.hpp"

namespace lockstep {
namespace {

using G = Garden;

const std::vector<Way> all_ways{ways.begin(), ways.end()};

/// The first scenarios of a portfolio, each played by an honest gardener, with whose they are.
std::vector<std::pair<Way, std::string>> stream(Portfolio<G>& portfolio, std::uint64_t seed, std::uint64_t count) {
  std::vector<std::pair<Way, std::string>> out;
  Trace<G> trace;
  for (std::uint64_t i = 0; i < count; ++i) {
    const Scenario<G>& scenario = portfolio.next(seed_of(seed, i));
    run_trace<Gardener<Slip::none>>(scenario, Cadence{}, trace);
    out.emplace_back(portfolio.way(), scenario_text<G>(scenario));
    portfolio.learn(trace);
  }
  return out;
}

TEST(Portfolio, OneSeedGivesOneStream) {
  Portfolio<G> one{all_ways, {}};
  Portfolio<G> same{all_ways, {}};
  Portfolio<G> other{all_ways, {}};
  const auto expected = stream(one, 1, 500);
  EXPECT_EQ(expected, stream(same, 1, 500));
  EXPECT_NE(expected, stream(other, 2, 500));
}

TEST(Portfolio, EveryWayHasItsFloor) {
  Portfolio<G> portfolio{all_ways, {}};
  std::map<Way, int> had;
  for (const auto& [way, text] : stream(portfolio, 3, 2'000)) ++had[way];
  for (const Way way : ways) EXPECT_GT(had[way], 100) << to_string(way);
}

TEST(Portfolio, OnlyTheWaysThatWereAskedForTakePart) {
  Portfolio<G> portfolio{{Way::swarm}, {}};
  for (const auto& [way, text] : stream(portfolio, 4, 100)) ASSERT_EQ(way, Way::swarm);
}

TEST(Portfolio, ADrawnScenarioDependsOnItsPlaceInTheStreamAlone) {
  Portfolio<G> portfolio{{Way::uniform}, {}};
  const auto texts = stream(portfolio, 5, 50);
  for (std::uint64_t i = 0; i < texts.size(); ++i) {
    Random random{seed_of(5, i)};
    EXPECT_EQ(texts[i].second, scenario_text<G>(draw_uniform<G>(random)));
  }
}

TEST(Portfolio, MutationBeginsWithTheCorpusAsItIs) {
  const Scenario<G> one{.setup = {.rows = 3, .columns = 2, .beds = Grid{3, 2}, .moles = {}}, .actions = {G::Rain{7}}};
  const Scenario<G> two{.setup = {.rows = 1, .columns = 9, .beds = Grid{1, 9}, .moles = {}}, .actions = {G::Wait{}, G::Wait{}}};
  Portfolio<G> portfolio{{Way::mutated}, {one, two}};
  const auto texts = stream(portfolio, 6, 40);
  EXPECT_EQ(texts[0].second, scenario_text<G>(one));
  EXPECT_EQ(texts[1].second, scenario_text<G>(two));
  int changed = 0;
  for (std::size_t i = 2; i < texts.size(); ++i) changed += texts[i].second != texts[0].second ? 1 : 0;
  EXPECT_GT(changed, 20);
}

TEST(Portfolio, WhatIsOfferedComesNext) {
  Portfolio<G> portfolio{{Way::mutated}, {}};
  stream(portfolio, 7, 10);
  const Scenario<G> guest{.setup = {.rows = 2, .columns = 2, .beds = Grid{2, 2}, .moles = {}}, .actions = {G::Rain{123}}};
  portfolio.offer(guest);
  EXPECT_EQ(portfolio.next(1), guest);
}

TEST(Portfolio, WhatItBringsIsLawful) {
  Portfolio<G> portfolio{all_ways, {}};
  Trace<G> trace;
  for (std::uint64_t i = 0; i < 2'000; ++i) {
    const Scenario<G>& scenario = portfolio.next(seed_of(8, i));
    ASSERT_FALSE(G::flaw(scenario.setup)) << scenario_text<G>(scenario);
    ASSERT_LE(scenario.actions.size(), 2'000u);
    run_trace<Gardener<Slip::none>>(scenario, Cadence{}, trace);
    portfolio.learn(trace);
  }
}

TEST(Portfolio, SaysWhenSomethingNewWasReached) {
  const Scenario<G> dry{.setup = {}, .actions = {G::Plant{}}};
  const Scenario<G> wet{.setup = {}, .actions = {G::Rain{300}}};
  Portfolio<G> portfolio{{Way::mutated}, {dry, dry, wet}};
  std::vector<bool> news;
  Trace<G> trace;
  for (int i = 0; i < 3; ++i) {
    run_trace<Gardener<Slip::none>>(portfolio.next(1), Cadence{}, trace);
    news.push_back(portfolio.learn(trace));
  }
  EXPECT_EQ(news, (std::vector<bool>{true, false, true}));
}

/// Another compiler, the same turns and the same mutations.
TEST(PortfolioStream, IsTheSameInEveryBuild) {
  Portfolio<G> portfolio{all_ways, {}};
  std::string hash;
  for (const auto& [way, text] : stream(portfolio, 9, 3'000)) hash = hash_text(hash + std::string{to_string(way)} + text);
  EXPECT_TRUE(matches_golden_line("stream_hashes.txt", "garden portfolio", hash));
}

TEST(Pool, PrefersWhatFewScenariosReach) {
  Random random{1};
  Pool<G> pool;
  const Scenario<G> common{.setup = {.water = 1, .moles = {}}, .actions = {}};
  const Scenario<G> rare{.setup = {.water = 2, .moles = {}}, .actions = {}};
  const std::size_t everywhere[] = {0, 1, 2};
  const std::size_t once[] = {3};
  EXPECT_TRUE(pool.add(random, common, everywhere));
  for (int i = 0; i < 1'000; ++i) EXPECT_FALSE(pool.add(random, common, everywhere));
  EXPECT_TRUE(pool.add(random, rare, once));
  int picked = 0;
  for (int i = 0; i < 1'000; ++i) picked += pool.pick(random) == rare ? 1 : 0;
  EXPECT_NEAR(picked, 1'000 * (1 - 27.0 / 64), 60);  // unless none of three draws of four buckets is the rare one
}

TEST(Pool, ABucketKeepsAFairSample) {
  Random random{2};
  const std::size_t bucket[] = {5};
  std::array<int, 10> kept{};
  for (int round = 0; round < 3'000; ++round) {
    Pool<G> pool;
    for (int i = 0; i < 10; ++i) pool.add(random, {.setup = {.water = i, .moles = {}}, .actions = {}}, bucket);
    ++kept[static_cast<std::size_t>(pool.pick(random).setup.water)];
  }
  for (const int count : kept) EXPECT_NEAR(count, 300, 75);
}

}  // namespace
}  // namespace lockstep
