#include "lockstep/draw/draw.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "lockstep/draw/mutate.hpp"
#include "props/laws.hpp"
#include "props/typed.hpp"
#include "tests/lockstep/garden.hpp"
#include "tests/lockstep/toy.hpp"

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
    const std::size_t length = draw_length(random, 2'000);
    ASSERT_LT(length, 2'000u);
    ++decades[length == 0 ? 0 : length < 10 ? 1 : length < 100 ? 2 : length < 512 ? 3 : 4];
  }
  EXPECT_GT(decades[0], 20'000 / 20);
  EXPECT_GT(decades[1], 20'000 / 5);
  EXPECT_GT(decades[2], 20'000 / 5);
  EXPECT_GT(decades[3], 20'000 / 20);
  EXPECT_GT(decades[4], 20);
}

TEST(Draw, LengthsKeepTheirBound) {
  Random random{3};
  std::size_t longest = 0;
  for (int i = 0; i < 20'000; ++i) longest = std::max(longest, draw_length(random, 10'000));
  EXPECT_GT(longest, 5'000u);
  EXPECT_LT(longest, 10'000u);
  for (int i = 0; i < 2'000; ++i) ASSERT_LE(draw_length(random, 3), 3u);
}

TEST(Draw, KindsThatAreLeftOutCostNoLength) {
  const Vocabulary& garden = vocabulary<Garden>();
  const DrawLimits rain{.weights = weights_without(garden, {"plant", "wait"})};
  for (const Style style : {Style::uniform, Style::swarm, Style::suggested}) {
    Random random{4};
    std::size_t actions = 0;
    for (int i = 0; i < 300; ++i) {
      const AnyScenario drawn = drawn_scenario(garden, random, style, rain);
      for (std::size_t a = 0; a < drawn.size(); ++a) ASSERT_EQ(drawn.action_name(a), "rain");
      actions += drawn.size();
    }
    EXPECT_GT(actions, 300u * 20) << to_string(style);
  }
  EXPECT_TRUE(weights_without(garden, {"plant", "rain", "wait"}).empty()) << "nothing would be left to draw";
}

TEST(Draw, BoardsAreMostlySmallAndSometimesLarge) {
  Random random{2};
  int small = 0;
  int large = 0;
  constexpr int draws = 10'000;
  for (int i = 0; i < draws; ++i) {
    const Garden::Setup setup = made<Garden>([&](AnyScenario& out) { draw_setup(random, out); }).setup;
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
    const Scenario<Garden> scenario = draw_scenario<Garden>(random, Style::swarm);
    if (scenario.actions.size() < 60) continue;
    std::map<std::size_t, std::size_t> kinds;
    for (const auto& action : scenario.actions) ++kinds[action.index()];
    without_a_kind += kinds.size() < action_kinds<Garden::Action> ? 1 : 0;
    for (const auto& [kind, count] : kinds) mostly_one += count * 4 > scenario.actions.size() * 3 ? 1 : 0;
  }
  EXPECT_GT(without_a_kind, 20);
  EXPECT_GT(mostly_one, 5);
}

/// Ranges of wide numbers, and many kinds of action.
struct Wide : NeverRun {
  static constexpr std::string_view name = "wide";
  struct Range {
    static constexpr std::string_view name = "range";
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    bool operator==(const Range&) const = default;
  };
  template <ActionName word>
  using Other = ActionOf<word, std::uint64_t>;
  using Action =
      std::variant<Range, Other<"a">, Other<"b">, Other<"c">, Other<"d">, Other<"e">, Other<"f">, Other<"g">>;
  using NeverRun::describe;
  static void describe(auto& io, const Setup&, Range& a) {
    io.number("first", a.first, 0, 0xffff'ffff);
    io.number("last", a.last, a.first, 0xffff'ffff);
  }
  template <ActionName word>
  static void describe(auto& io, const Setup&, Other<word>& a) {
    io.number("key", a.value, 0, Number{1} << 62);
  }
};

/// What mistakes need. Uniform drawing shows none of it in 20,000 scenarios.
TEST(Draw, WithoutSuggestionsNumbersRecurAndRunsAreLong) {
  std::map<std::string_view, int> scenarios;
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    Random random{seed_of(5, i)};
    const Scenario<Wide> scenario = draw_scenario<Wide>(random, Style::suggested);
    std::set<std::string_view> seen;
    std::size_t run = 0;
    for (std::size_t at = 0; at < scenario.actions.size(); ++at) {
      run = at > 0 && scenario.actions[at].index() == scenario.actions[at - 1].index() ? run + 1 : 1;
      if (run == 60) seen.insert("60 actions of a kind in a row");
      const auto* const range = std::get_if<Wide::Range>(&scenario.actions[at]);
      if (range == nullptr) continue;
      if (range->last - range->first == 0xffff) seen.insert("65536 numbers");
      if (range->last > 0xffff && range->last % 0x1'0000 == 0xffff) seen.insert("an end before a multiple of 65536");
      for (std::size_t before = at < 8 ? 0 : at - 8; before < at; ++before) {
        const auto* const other = std::get_if<Wide::Range>(&scenario.actions[before]);
        if (other == nullptr || other->last < 1'000'000) continue;
        if (*other == *range) seen.insert("the same range again");
        if (other->last + 1 == range->first) seen.insert("a range after another one");
      }
    }
    for (const auto what : seen) ++scenarios[what];
  }
  EXPECT_EQ(scenarios.size(), 5u);
  for (const auto& [what, count] : scenarios) EXPECT_GT(count, 10) << what;
}

TEST(Draw, DrawnMutatedAndCrossedScenariosAreLawful) {
  Random random{5};
  Scenario<Garden> scenario;
  for (std::uint64_t index = 0; index < 1'000; ++index) {
    const Scenario<Garden> drawn = laws::scenario_at<Garden>(6, index);
    ASSERT_EQ(laws::fault_of(untyped<Garden>(drawn)), "");
    mutate<Garden>(random, scenario);
    ASSERT_EQ(laws::fault_of(untyped<Garden>(scenario)), "");
    const Scenario<Garden> child = crossover<Garden>(random, drawn, scenario);
    ASSERT_EQ(laws::fault_of(untyped<Garden>(child)), "");
    if (size_of<Garden>(child).area < 400 && child.actions.size() < 100) scenario = child;
  }
}

/// Two kinds of action, of which one is never drawn.
struct HalfWeighted : NeverRun {
  static constexpr std::string_view name = "half_weighted";
  template <unsigned its_weight>
  struct Get {
    static constexpr std::string_view name = its_weight == 0 ? "never" : "always";
    static constexpr unsigned weight = its_weight;
    bool operator==(const Get&) const = default;
  };
  using Action = std::variant<Get<0>, Get<1>>;
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

}  // namespace
}  // namespace lockstep
