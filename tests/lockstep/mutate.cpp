#include "lockstep/draw/mutate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "props/typed.hpp"
#include "tests/lockstep/garden.hpp"
#include "tests/lockstep/toy.hpp"

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

/// Calls of a function: one action with a text, a list of lists and a number.
struct Calls : NeverRun {
  static constexpr std::string_view name = "calls";
  using NeverRun::describe;
  struct Call {
    static constexpr std::string_view name = "call";
    std::string text;
    std::vector<std::vector<int>> lists;
    int number = 0;
    bool operator==(const Call&) const = default;
  };
  using Action = std::variant<Call>;
  static void describe(auto& io, const Setup&, Call& c) {
    io.text("text", c.text, 2, 20, Text::of("abcdefgh"));
    io.sequence("lists", c.lists, 0, 9, [](auto& outer, std::vector<int>& list) {
      outer.sequence("", list, 0, 9, [](auto& inner, int& each) { inner.number("", each, 0, 99); });
    });
    io.number("number", c.number, 0, static_cast<int>(c.text.size()) * 100);
  }
};

TEST(Mutate, ChangesOnePartOfAnAction) {
  const Calls::Call start{"abcd", {{10, 20}, {}}, 200};
  std::set<std::string> changed;
  Random random{9};
  for (int i = 0; i < 30'000; ++i) {
    Scenario<Calls> mutant{.setup = {}, .actions = {start}};
    mutate<Calls>(random, mutant);
    if (mutant.actions.size() != 1) continue;
    const auto& call = std::get<Calls::Call>(mutant.actions[0]);
    ASSERT_GE(call.text.size(), 2u);
    ASSERT_LE(call.number, static_cast<int>(call.text.size()) * 100);
    if (call.lists == start.lists && call.number == start.number) {
      std::string shown = call.text;
      for (char& c : shown) c = c > 'd' ? '?' : c;  // drawn
      changed.insert(shown);
    }
    if (call.text == start.text && call.number == start.number) {
      auto shown = call.lists;
      if (shown.size() == 2 && shown[0].size() == 2 && shown[0][0] == 10 && shown[0][1] != 20) shown[0][1] = -1;
      changed.insert(testing::PrintToString(shown));
    }
    if (call.text == start.text && call.lists == start.lists)
      changed.insert(std::abs(call.number - 200) > 2 ? "far" : "near");
  }
  for (const std::string part :
       {"acd", "abbcd", "abcccccccccd", "ab?cd", "abcd?", "abcd??", "ab", "?bcd", "{ { 10, 20 } }", "{ { 10 }, {} }",
        "{ { 10, 20 }, { 10, 20 }, {} }", "{ { 10, -1 }, {} }", "far"}) {
    EXPECT_TRUE(changed.contains(part)) << part;
  }
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
