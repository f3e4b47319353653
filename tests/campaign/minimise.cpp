#include "campaign/minimise.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "lockstep/base/random.hpp"
#include "lockstep/system/typed.hpp"
#include "tests/campaign/garden_system.hpp"

namespace lockstep {
namespace {

using Places = std::vector<std::size_t>;

CoverCandidate of_size(std::uint64_t actions, std::vector<std::uint32_t> coverage, bool required = false) {
  return {.size = {.actions = actions}, .coverage = std::move(coverage), .required = required};
}

std::set<std::uint32_t> reached_by(const std::vector<CoverCandidate>& all, const Places& places) {
  std::set<std::uint32_t> out;
  for (const std::size_t place : places) out.insert(all[place].coverage.begin(), all[place].coverage.end());
  return out;
}

Places all_places(const std::vector<CoverCandidate>& all) {
  Places out;
  for (std::size_t i = 0; i < all.size(); ++i) out.push_back(i);
  return out;
}

std::vector<CoverCandidate> random_candidates(Random& random) {
  std::vector<CoverCandidate> out;
  for (std::uint64_t left = random.below(12); left > 0; --left) {
    CoverCandidate one = of_size(random.below(4), {}, random.chance(1, 8));
    for (std::uint32_t element = 0; element < 9; ++element) {
      if (random.chance(1, 3)) one.coverage.push_back(element);
    }
    out.push_back(std::move(one));
  }
  return out;
}

TEST(SmallCover, TakesTheOneThatAddsMost) {
  EXPECT_EQ(small_cover(std::vector{of_size(1, {0}), of_size(9, {0, 1, 2}), of_size(1, {1, 2})}), Places{1});
}

TEST(SmallCover, TakesTheSmallestOfEqualsAndTheFirstOfTheSmallest) {
  EXPECT_EQ(small_cover(std::vector{of_size(3, {0, 1}), of_size(2, {0, 1}), of_size(2, {0, 1})}), Places{1});
}

TEST(SmallCover, ReachesAllAndEachThatIsNotRequiredReachesSomethingAlone) {
  Random random{7};
  for (int i = 0; i < 2'000; ++i) {
    const auto all = random_candidates(random);
    const Places chosen = small_cover(all);
    EXPECT_TRUE(std::ranges::is_sorted(chosen));
    EXPECT_EQ(reached_by(all, chosen), reached_by(all, all_places(all)));
    for (const std::size_t place : all_places(all)) {
      if (all[place].required) {
        EXPECT_TRUE(std::ranges::binary_search(chosen, place));
      }
    }
    for (const std::size_t place : chosen) {
      Places others = chosen;
      std::erase(others, place);
      if (!all[place].required) {
        EXPECT_LT(reached_by(all, others).size(), reached_by(all, chosen).size());
      }
    }
  }
}

TEST(SmallCover, ASecondChoiceChangesNothing) {
  Random random{8};
  for (int i = 0; i < 2'000; ++i) {
    const auto all = random_candidates(random);
    std::vector<CoverCandidate> kept;
    for (const std::size_t place : small_cover(all)) kept.push_back(all[place]);
    EXPECT_EQ(small_cover(kept), all_places(kept));
  }
}

// Features of a rain are the buckets of the water after it: 3 and 4 have one each, 100 and 150 share one.
std::string rain_of(const std::vector<int>& amounts, const std::string& comment = {}) {
  Scenario<Garden> scenario{.setup = {.moles = {}}, .actions = {}};
  for (const int amount : amounts) scenario.actions.emplace_back(Garden::Rain{amount});
  return scenario_text<Garden>(scenario, comment);
}

bool always(std::size_t) { return true; }

Minimised minimised(const std::vector<std::string>& texts, const std::vector<std::string>& names = {}) {
  return minimise(garden(), texts, names, Guard{std::chrono::seconds{20}}, always);
}

TEST(Minimise, KeepsTheFewestThatReachAllFeatures) {
  const Minimised out = minimised({rain_of({3}), rain_of({150}), rain_of({3, 1, 96}), rain_of({100}), rain_of({5})});
  EXPECT_EQ(out.kept, (Places{2, 4}));
  EXPECT_EQ(out.findings, Places{});
  EXPECT_EQ(out.judged, 5u);
  // No flowers; water 3, 4, 100 and 5.
  EXPECT_EQ(out.features, 5u);
}

TEST(Minimise, TakesTheSmallerOfTwoThatReachTheSame) {
  EXPECT_EQ(minimised({rain_of({100, 20}), rain_of({100})}).kept, Places{1});
}

TEST(Minimise, TakesTheFirstOfEqualScenarios) {
  const Minimised out = minimised({rain_of({3}, "one"), rain_of({3}, "other"), rain_of({3})});
  EXPECT_EQ(out.kept, Places{0});
  EXPECT_EQ(out.judged, 1u);
}

TEST(Minimise, KeepsWhatDivergesWhateverItReaches) {
  const std::string rain = rain_of({107});
  for (const std::string implementation : {"crashes", "exits", "dozes", "throws"}) {
    const Minimised out = minimised({rain_of({100}), rain, rain_of({200})}, {"rulebook", implementation});
    // The answers of dozes are right, it takes its time.
    EXPECT_EQ(out.findings, implementation == "dozes" ? Places{} : Places{1}) << implementation;
    EXPECT_EQ(out.kept.size(), 1 + out.findings.size()) << implementation;
  }
}

TEST(Minimise, KeepsWhatHangs) {
  const Minimised out = minimise(garden(), std::vector{rain_of({100}), rain_of({107}), rain_of({200})},
                                 {"rulebook", "hangs"}, Guard{std::chrono::seconds{3}}, always);
  EXPECT_EQ(out.findings, Places{1});
  EXPECT_EQ(out.kept, (Places{0, 1}));
}

TEST(Minimise, JudgesWithTheImplementationsThatATextNames) {
  EXPECT_EQ(minimised({rain_of({100}), rain_of({107})}).kept, Places{0});
  EXPECT_EQ(minimised({rain_of({100}), rain_of({107}, "simulators: rulebook,crashes")}).kept, (Places{0, 1}));
  EXPECT_EQ(minimised({rain_of({100}), rain_of({107}, "simulators: rulebook,gone")}).kept, Places{0});
}

TEST(Minimise, KeepsTheScenarioOfAFindingThatIsMended) {
  const std::string mended = rain_of({150}, "signature: garden honest crash rain");
  const Minimised out = minimised({rain_of({100}), rain_of({150}), mended});
  EXPECT_EQ(out.kept, Places{2}) << "it is kept in any case, and reaches all that the others reach";
  EXPECT_EQ(out.findings, Places{2});
}

TEST(Minimise, NamesTextsThatAreNoScenarios) {
  const Minimised out = minimised({"lockstep 1 garden\nbeds\n", rain_of({3})});
  EXPECT_EQ(out.kept, Places{1});
  ASSERT_EQ(out.bad.size(), 1u);
  EXPECT_EQ(out.bad[0].place, 0u);
  EXPECT_GT(out.bad[0].error.line, 0);
  EXPECT_EQ(minimised({"lockstep 1 garden\nbeds\n"}).judged, 0u);
}

TEST(Minimise, LosesNothingWhenItIsStopped) {
  std::vector<std::string> texts;
  for (int i = 0; i < 100; ++i) texts.push_back(rain_of({100 + i}));
  const auto once = [](std::size_t done) { return done == 0; };
  const Minimised out = minimise(garden(), texts, {}, Guard{}, once);
  EXPECT_EQ(out.judged, 64u);
  EXPECT_EQ(out.kept.size(), 37u) << "one of those that were judged, and all others";
}

}  // namespace
}  // namespace lockstep
