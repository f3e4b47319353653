// Actions that depend on earlier ones: references to results, and models.
#include <gtest/gtest.h>

#include "lockstep/describe/reduce.hpp"
#include "lockstep/draw/mutate.hpp"
#include "props/typed.hpp"
#include "tests/lockstep/expected.hpp"
#include "tests/lockstep/toy.hpp"

namespace lockstep {
namespace {

/// Orders are placed, then cancelled or replaced by their handle. A replacement is an order too.
struct Orders : NeverRun {
  static constexpr std::string_view name = "orders";
  struct Place {
    static constexpr std::string_view name = "place";
    static constexpr bool has_result = true;
    int size = 0;
    bool operator==(const Place&) const = default;
  };
  struct Cancel {
    static constexpr std::string_view name = "cancel";
    static constexpr unsigned weight = 3;
    Result<Place> order;
    std::vector<Result<Place>> more;
    bool operator==(const Cancel&) const = default;
  };
  using Action = std::variant<Place, Cancel>;
  using NeverRun::describe;
  static void describe(auto& io, const Setup&, Place& a) { io.number("size", a.size, 0, 9); }
  static void describe(auto& io, const Setup&, Cancel& a) {
    io.result("order", a.order);
    io.sequence("more", a.more, 0, 2, [](auto& inner, Result<Place>& each) { inner.result("", each); });
  }
};

constexpr std::string_view three_orders =
    "lockstep 1 orders\nactions\n"
    "place size=1\n"
    "place size=2\n"
    "cancel order=place.2 more=[]\n"
    "place size=3\n"
    "cancel order=place.3 more=[place.1,place.2]\n";

Scenario<Orders> orders(std::string_view text) { return parse_scenario<Orders>(text).value(); }

TEST(References, ArePrintedAsTheNumberOfTheirActionAmongItsKind) {
  EXPECT_EQ(scenario_text<Orders>(orders(three_orders)), three_orders);
}

TEST(References, ToNoEarlierActionAreRefused) {
  const auto refusal = [](const std::string& action) {
    return error_of(parse_scenario<Orders>("lockstep 1 orders\nactions\nplace size=1\n" + action));
  };
  EXPECT_EQ(refusal("cancel order=place.1 more=[]"), "no error");
  EXPECT_EQ(refusal("cancel order=place.2 more=[]"), "x:4:14: order: expected place.1 to place.1, got 'place.2'");
  EXPECT_EQ(refusal("cancel order=7 more=[]"), "x:4:14: order: expected place.1 to place.1, got '7'");
  EXPECT_EQ(error_of(parse_scenario<Orders>("lockstep 1 orders\nactions\ncancel order=place.1 more=[]\n")),
            "x:3:14: order: there is no earlier 'place', got 'place.1'");
}

TEST(References, FollowTheirActionWhenOthersAreRemoved) {
  EXPECT_EQ(scenario_text(without_actions(any_of<Orders>(orders(three_orders)), 0, 1)),
            "lockstep 1 orders\nactions\nplace size=2\ncancel order=place.1 more=[]\nplace size=3\n");
  // The last cancel referred to the removed order among others, so it went too.
  EXPECT_EQ(scenario_text(without_actions(any_of<Orders>(orders(three_orders)), 3, 1)),
            "lockstep 1 orders\nactions\nplace size=1\nplace size=2\ncancel order=place.2 more=[]\n");
}

TEST(References, HoldInEveryScenarioThatIsDrawnDecodedOrMutated) {
  Random random{1};
  std::size_t cancels = 0;
  for (int i = 0; i < 500; ++i) {
    auto scenario =
        i % 2 == 0 ? draw_scenario<Orders>(random, Style::uniform) : draw_scenario<Orders>(random, Style::swarm);
    scenario = crossover<Orders>(random, scenario, decode<Orders>(random_bytes(random, 80)));
    mutate<Orders>(random, scenario);
    if (scenario.actions.size() > 50) scenario.actions.resize(50);
    const std::string text = scenario_text<Orders>(scenario);
    const auto parsed = parse_scenario<Orders>(text);
    ASSERT_TRUE(parsed) << parsed.error().message("x") << "\n" << text;
    EXPECT_EQ(encode<Orders>(decode<Orders>(encode<Orders>(scenario))), encode<Orders>(scenario));
    for (const auto& action : scenario.actions) cancels += action.index();
  }
  EXPECT_GT(cancels, 1000u);
}

TEST(References, SurviveShrinking) {
  // Fails when an order of size 3 or more is cancelled.
  const auto fails = [](const Scenario<Orders>& scenario) {
    std::vector<int> sizes;
    for (const auto& action : scenario.actions) {
      if (const auto* place = std::get_if<Orders::Place>(&action)) sizes.push_back(place->size);
      const auto* cancel = std::get_if<Orders::Cancel>(&action);
      if (cancel != nullptr && sizes.at(cancel->order.index) >= 3) return true;
    }
    return false;
  };
  Random random{5};
  int failures = 0;
  while (failures < 20) {
    const auto drawn = draw_scenario<Orders>(random, Style::uniform);
    if (!fails(drawn)) continue;
    ++failures;
    EXPECT_EQ(actions_text<Orders>(shrunk_where<Orders>(drawn, fails).scenario),
              "place size=3\ncancel order=place.1 more=[]\n");
  }
}

TEST(Scenarios, TakeActionsOfAnotherOne) {
  const Orders::Action place = Orders::Place{}, cancel = Orders::Cancel{.order = {0}, .more = {{0}, {0}}};
  const AnyScenario two = any_of<Orders>({.setup = {}, .actions = {place, cancel}});
  AnyScenario any = two;
  any.insert(0, two, 0, 0);
  EXPECT_EQ(any, two);
  any.insert(1, two, 0, 2);
  EXPECT_EQ(typed<Orders>(any).actions, (std::vector{place, place, cancel, cancel}));
}

TEST(Weights, MakeAKindOfActionMoreFrequent) {
  Random random{2};
  const AnyScenario placed = any_of<Orders>({.setup = {}, .actions = {Orders::Place{}}});
  std::size_t cancels = 0;
  for (int i = 0; i < 4'000; ++i) {
    AnyScenario two = placed;
    two.grow([&](AnyScenario::TryAction try_one) { draw_action(random, two.vocabulary(), try_one); });
    cancels += two.kind(1);
  }
  EXPECT_NEAR(static_cast<double>(cancels), 3'000, 150);
}

/// A field that is called like the weight of a kind.
struct Edges {
  struct Add {
    static constexpr std::string_view name = "add";
    int weight = 0;
    bool operator==(const Add&) const = default;
  };
  using Action = std::variant<Add, Orders::Cancel>;
};
static_assert(kind_weights<Edges> == std::array<std::uint64_t, 2>{1, 3});

/// Keys that exist can be removed; the model knows which.
struct Keys : NeverRun {
  static constexpr std::string_view name = "keys";
  using Insert = ActionOf<"insert", int>;
  using Remove = ActionOf<"remove", int>;
  using Action = std::variant<Insert, Remove>;
  struct Model {
    std::vector<int> keys;
    explicit Model(const Setup&) {}
    bool possible(const Insert& a) const { return std::ranges::find(keys, a.value) == keys.end(); }
    void apply(const Insert& a) { keys.push_back(a.value); }
    void apply(const Remove& a) { std::erase(keys, a.value); }
  };
  using NeverRun::describe;
  static void describe(auto& io, const Model&, Insert& a) { io.number("key", a.value, 0, 20); }
  static void describe(auto& io, const Model& model, Remove& a) {
    // The index of an existing key is drawn, and the key shown: an empty range makes the action impossible.
    auto place = static_cast<std::int64_t>(std::ranges::find(model.keys, a.value) - model.keys.begin());
    const std::int64_t before = place;
    io.number("place", place, 0, static_cast<std::int64_t>(model.keys.size()) - 1);
    if (place != before || !model.keys.empty()) {
      if (place < static_cast<std::int64_t>(model.keys.size())) a.value = model.keys[static_cast<std::size_t>(place)];
    }
  }
};

TEST(Models, DecideWhichActionsArePossible) {
  Random random{3};
  std::size_t removals = 0;
  for (int i = 0; i < 300; ++i) {
    auto scenario = draw_scenario<Keys>(random, Style::uniform);
    if (scenario.actions.size() > 60) continue;
    mutate<Keys>(random, scenario);
    std::set<int> keys;
    for (const auto& action : scenario.actions) {
      if (const auto* insert = std::get_if<Keys::Insert>(&action)) {
        ASSERT_TRUE(keys.insert(insert->value).second);
      } else {
        ASSERT_EQ(keys.erase(std::get<Keys::Remove>(action).value), 1u);
        ++removals;
      }
    }
    const std::string text = scenario_text<Keys>(scenario);
    ASSERT_TRUE(parse_scenario<Keys>(text)) << text;
  }
  EXPECT_GT(removals, 300u);
}

TEST(Models, RefuseImpossibleActionsInTexts) {
  EXPECT_EQ(error_of(parse_scenario<Keys>("lockstep 1 keys\nactions\ninsert key=1\ninsert key=1\n")),
            "x:4:1: this action is impossible here");
  EXPECT_EQ(error_of(parse_scenario<Keys>("lockstep 1 keys\nactions\nremove place=0\n")),
            "x:3:1: place has no value here");
}

}  // namespace
}  // namespace lockstep
