#include "lockstep/draw/portfolio.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>

#include "lockstep/base/hash.hpp"
#include "lockstep/judge/judge.hpp"
#include "lockstep/text/text.hpp"
#include "props/golden.hpp"
#include "props/typed.hpp"
#include "tests/lockstep/garden.hpp"

namespace lockstep {
namespace {

const std::vector<Generator> all_generators{generators.begin(), generators.end()};

/// A garden with suggestions.
struct Advised : Garden {
  struct Suggestions {
    explicit Suggestions(Random&) {}
    Setup setup(Random& random) {
      return made<Garden>([&](AnyScenario& out) { draw_setup(random, out); }).setup;
    }
    Action action(Random&, const Setup&) { return Wait{}; }
  };
};

Portfolio garden_portfolio(const std::vector<Generator>& from, const std::vector<Scenario<Garden>>& corpus = {}) {
  std::vector<AnyScenario> any;
  for (const auto& each : corpus) any.push_back(any_of<Garden>(each));
  return {vocabulary<Garden>(), from, std::move(any)};
}

/// The first scenarios of a portfolio with their generators; an honest gardener runs each of them.
template <class G = Garden>
std::vector<std::pair<Generator, std::string>> stream(Portfolio& portfolio, std::uint64_t seed, std::uint64_t count) {
  std::vector<std::pair<Generator, std::string>> out;
  AnyTrace trace = vocabulary<G>().trace();
  for (std::uint64_t i = 0; i < count; ++i) {
    const AnyScenario& scenario = portfolio.next(seed_of(seed, i));
    run_trace<Gardener<Slip::none>, G>(typed<G>(scenario), Cadence{}, typed<G>(trace));
    out.emplace_back(portfolio.generator(), scenario_text(scenario));
    portfolio.learn({&trace, 1});
  }
  return out;
}

TEST(Portfolio, OneSeedGivesOneStream) {
  Portfolio one = garden_portfolio(all_generators);
  Portfolio same = garden_portfolio(all_generators);
  Portfolio other = garden_portfolio(all_generators);
  const auto expected = stream(one, 1, 500);
  EXPECT_EQ(expected, stream(same, 1, 500));
  EXPECT_NE(expected, stream(other, 2, 500));
}

/// The share of the work that each generator has.
template <class G>
std::map<Generator, double> shares() {
  Portfolio portfolio{vocabulary<G>(), all_generators, {}};
  std::map<Generator, double> work;
  double total = 0;
  for (const auto& [generator, text] : stream<G>(portfolio, 3, 4'000)) {
    const auto cost = static_cast<double>(cost_of(any_of<Garden>(scenario_of(text))));
    work[generator] += cost;
    total += cost;
  }
  for (auto& [generator, of_total] : work) of_total /= total;
  return work;
}

TEST(Portfolio, GeneratorsHaveFixedSharesOfTheWork) {
  auto work = shares<Advised>();
  for (const Generator generator : generators) {
    EXPECT_NEAR(work[generator], generator == Generator::suggested ? 0.75 : 1.0 / 12, 0.01) << to_string(generator);
  }
}

TEST(Portfolio, WithoutSuggestionsAllShareTheWork) {
  for (const auto& [generator, share] : shares<Garden>()) EXPECT_NEAR(share, 0.25, 0.02) << to_string(generator);
}

TEST(Portfolio, OnlyTheChosenGeneratorsAreUsed) {
  Portfolio portfolio = garden_portfolio({Generator::swarm});
  for (const auto& [generator, text] : stream(portfolio, 4, 100)) ASSERT_EQ(generator, Generator::swarm);
}

TEST(Portfolio, ADrawnScenarioDependsOnItsPlaceInTheStreamAlone) {
  Portfolio portfolio = garden_portfolio({Generator::uniform});
  const auto texts = stream(portfolio, 5, 50);
  for (std::uint64_t i = 0; i < texts.size(); ++i) {
    Random random{seed_of(5, i)};
    EXPECT_EQ(texts[i].second, scenario_text<Garden>(draw_scenario<Garden>(random, Style::uniform)));
  }
}

TEST(Portfolio, MutationStartsWithTheUnchangedCorpus) {
  const Scenario<Garden> one{.setup = plot(3, 2), .actions = {Garden::Rain{7}}};
  const Scenario<Garden> two{.setup = plot(1, 9), .actions = {Garden::Wait{}, Garden::Wait{}}};
  Portfolio portfolio = garden_portfolio({Generator::mutated}, {one, two});
  const auto texts = stream(portfolio, 6, 40);
  EXPECT_EQ(texts[0].second, scenario_text<Garden>(one));
  EXPECT_EQ(texts[1].second, scenario_text<Garden>(two));
  int changed = 0;
  for (std::size_t i = 2; i < texts.size(); ++i) changed += texts[i].second != texts[0].second ? 1 : 0;
  EXPECT_GT(changed, 20);
}

TEST(Portfolio, AnOfferedScenarioIsNext) {
  Portfolio portfolio = garden_portfolio({Generator::mutated});
  stream(portfolio, 7, 10);
  const Scenario<Garden> guest{.setup = plot(2, 2), .actions = {Garden::Rain{123}}};
  portfolio.offer(any_of<Garden>(guest));
  EXPECT_EQ(typed<Garden>(portfolio.next(1)), guest);
}

TEST(Portfolio, EveryScenarioIsLawful) {
  Portfolio portfolio = garden_portfolio(all_generators);
  AnyTrace trace = vocabulary<Garden>().trace();
  for (std::uint64_t i = 0; i < 2'000; ++i) {
    const auto& scenario = typed<Garden>(portfolio.next(seed_of(8, i)));
    ASSERT_FALSE(flaw<Garden>(scenario.setup)) << scenario_text<Garden>(scenario);
    ASSERT_LE(scenario.actions.size(), 2'000u);
    run_trace<Gardener<Slip::none>>(scenario, Cadence{}, typed<Garden>(trace));
    portfolio.learn({&trace, 1});
  }
}

/// Scenarios get longer after 2¹⁶ that reach nothing new, at the same work for each; a bound that is given stays.
TEST(Portfolio, ScenariosGetLongerWhileNothingNewIsReached) {
  for (const std::uint64_t given : {0u, 2'000u}) {
    Portfolio portfolio{vocabulary<Garden>(), {Generator::uniform}, {}, nullptr, {.actions_max = given}};
    AnyTrace trace = vocabulary<Garden>().trace();
    std::array<std::uint64_t, 2> longest{};
    std::array<std::uint64_t, 2> actions{};
    std::array<std::uint64_t, 2> scenarios{};
    std::uint64_t since_new = 0;
    for (std::uint64_t i = 0; since_new < 80'000; ++i) {
      const AnyScenario& scenario = portfolio.next(seed_of(10, i));
      const bool dry = since_new >= std::uint64_t{1} << 16;
      longest[dry] = std::max<std::uint64_t>(longest[dry], scenario.size());
      actions[dry] += scenario.size();
      ++scenarios[dry];
      run_trace<Gardener<Slip::none>>(typed<Garden>(scenario), Cadence{}, typed<Garden>(trace));
      since_new = portfolio.learn({&trace, 1}) ? 0 : since_new + 1;
    }
    EXPECT_LE(longest[false], 2'000u);
    EXPECT_EQ(longest[true] > 2'000u, given == 0) << longest[true];
    EXPECT_LE(longest[true], 4'000u);
    const double grown =
        static_cast<double>(actions[true] * scenarios[false]) / static_cast<double>(actions[false] * scenarios[true]);
    EXPECT_NEAR(grown, 1, 0.1);
  }
}

TEST(Portfolio, ReportsNewFeatures) {
  const Scenario<Garden> dry{.setup = {}, .actions = {Garden::Plant{}}};
  const Scenario<Garden> wet{.setup = {}, .actions = {Garden::Rain{300}}};
  Portfolio portfolio = garden_portfolio({Generator::mutated}, {dry, dry, wet});
  std::vector<bool> news;
  AnyTrace trace = vocabulary<Garden>().trace();
  for (int i = 0; i < 3; ++i) {
    run_trace<Gardener<Slip::none>>(typed<Garden>(portfolio.next(1)), Cadence{}, typed<Garden>(trace));
    news.push_back(portfolio.learn({&trace, 1}));
  }
  EXPECT_EQ(news, (std::vector<bool>{true, false, true}));
}

/// A gardener that reports what no answer shows.
class Telling : public Gardener<Slip::none> {
 public:
  using Gardener::Gardener;
  Garden::Observation step(const Garden::Action& action) {
    ++steps_;
    return Gardener::step(action);
  }
  void features(auto&& emit) const { emit(own_features_max + 1, steps_); }  // counts as the last one

 private:
  int steps_ = 0;
};

TEST(Portfolio, FeaturesOfAnImplementationAreNewToo) {
  const Scenario<Garden> once{.setup = {}, .actions = {Garden::Wait{}}};
  const Scenario<Garden> often{.setup = {}, .actions = {20, Garden::Wait{}}};
  for (const bool telling : {false, true}) {
    Portfolio portfolio = garden_portfolio({Generator::mutated}, {once, once, often});
    std::vector<bool> news;
    std::array traces{vocabulary<Garden>().trace(), vocabulary<Garden>().trace()};
    for (int i = 0; i < 3; ++i) {
      const auto& scenario = typed<Garden>(portfolio.next(1));
      run_trace<Gardener<Slip::none>>(scenario, Cadence{}, typed<Garden>(traces[0]));
      if (telling) run_trace<Telling>(scenario, Cadence{}, typed<Garden>(traces[1]));
      news.push_back(portfolio.learn(traces));
    }
    EXPECT_EQ(news, (std::vector<bool>{true, false, telling}));
  }
}

TEST(Portfolio, AnEdgeCountsAsNewOnlyTheFirstTime) {
  const Scenario<Garden> dry{.setup = {}, .actions = {Garden::Plant{}}};
  Portfolio portfolio = garden_portfolio({Generator::mutated}, {dry, dry, dry});
  std::vector<bool> news;
  AnyTrace trace = vocabulary<Garden>().trace();
  for (const std::size_t edge : std::array<std::size_t, 3>{40, 40, 7}) {
    run_trace<Gardener<Slip::none>>(typed<Garden>(portfolio.next(1)), Cadence{}, typed<Garden>(trace));
    news.push_back(portfolio.learn({&trace, 1}, std::array{edge}));
  }
  EXPECT_EQ(news, (std::vector<bool>{true, false, true}));
}

/// Every compiler gives the same order of generators and the same mutations.
TEST(PortfolioStream, IsTheSameInEveryBuild) {
  Portfolio portfolio = garden_portfolio(all_generators);
  std::string hash;
  for (const auto& [generator, text] : stream(portfolio, 9, 3'000))
    hash = hash_text(hash + std::string{to_string(generator)} + text);
  EXPECT_TRUE(matches_golden_line("stream_hashes.txt", "garden portfolio", hash));
}

TEST(EdgePool, KeepsTheCheapestScenarioOfAnEdgeAndPrefersRareOnes) {
  Random random{1};
  EdgePool pool;
  const AnyScenario longer = any_of<Garden>({.setup = {.water = 1, .moles = {}}, .actions = {3, Garden::Wait{}}});
  const AnyScenario shorter = any_of<Garden>({.setup = {.water = 2, .moles = {}}, .actions = {Garden::Wait{}}});
  const AnyScenario rare = any_of<Garden>({.setup = {.water = 3, .moles = {}}, .actions = {}});
  const std::array<std::size_t, 2> common{5, 6};
  EXPECT_TRUE(pool.empty());
  EXPECT_TRUE(pool.add(longer, common));
  EXPECT_EQ(pool.pick(random), longer);
  EXPECT_FALSE(pool.add(shorter, common));
  EXPECT_FALSE(pool.add(longer, common));
  EXPECT_EQ(pool.pick(random), shorter);
  EXPECT_TRUE(pool.add(rare, std::array<std::size_t, 1>{2}));
  int picked = 0;
  for (int i = 0; i < 1'000; ++i) picked += pool.pick(random) == rare ? 1 : 0;
  EXPECT_GT(picked, 600);  // 1 − (2 / 3)³ of 1,000 are 704
}

TEST(Pool, PrefersRareFeatures) {
  Random random{1};
  Pool pool;
  const AnyScenario common = any_of<Garden>({.setup = {.water = 1, .moles = {}}, .actions = {}});
  const AnyScenario rare = any_of<Garden>({.setup = {.water = 2, .moles = {}}, .actions = {}});
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
    Pool pool;
    for (int i = 0; i < 10; ++i)
      pool.add(random, any_of<Garden>({.setup = {.water = i, .moles = {}}, .actions = {}}), bucket);
    ++kept[static_cast<std::size_t>(typed<Garden>(pool.pick(random)).setup.water)];
  }
  for (const int count : kept) EXPECT_NEAR(count, 300, 75);
}

}  // namespace
}  // namespace lockstep
