#include "lockstep/judge/conditions.hpp"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "lockstep/draw/draw.hpp"
#include "lockstep/judge/signature.hpp"
#include "lockstep/text/text.hpp"
#include "tests/lockstep/toy.hpp"

namespace lockstep::parcels {
namespace {

enum class Crate : std::uint8_t { small, middle, large };

struct Fragile {
  static constexpr std::string_view name = "fragile";
  bool glass = false;
  static void describe(auto& io, Fragile& f) { io.flag("glass", f.glass); }
  bool operator==(const Fragile&) const = default;
};

/// Parcels: an action with a condition of each kind, in each kind of value.
struct Parcels : NeverRun {
  static constexpr std::string_view name = "parcels";
  struct Send {
    static constexpr std::string_view name = "send";
    Crate size{};
    int weight = 0;
    std::optional<Crate> limit = {};
    std::variant<std::uint8_t, Fragile> content = {};
    std::string note = {};
    std::vector<Crate> others = {Crate::small};
    Crate lid{};
    bool operator==(const Send&) const = default;
  };
  using Drop = ActionOf<"drop">;
  using Action = std::variant<Send, Drop>;
  static void describe(auto& io, const Setup&, Send& a) {
    io.field("size", a.size);
    io.number("weight", a.weight, 0, 99);
    io.field("limit", a.limit);
    io.field("content", a.content);
    io.text("note", a.note, 0, 9);
    io.sequence("others", a.others, 1, 9, [](auto& inner, Crate& each) { inner.field("", each); });
    io.record("box", [&a](auto& inner) { inner.field("lid", a.lid); });
  }
  using NeverRun::describe;
};
static_assert(System<Parcels>);

using Values = std::map<std::string, std::string>;

Values values_of(const AnyScenario& scenario) {
  Values out;
  for (const Condition& each : conditions_of(scenario, 0)) out[each.name] = each.value;
  return out;
}

AnyScenario sending(const Parcels::Send& send) {
  return any_of<Parcels>(Scenario<Parcels>{.setup = {}, .actions = {send}});
}

TEST(Conditions, AreTheChoicesOfAnActionOutsideOfLists) {
  EXPECT_EQ(values_of(sending({.size = Crate::large, .content = Fragile{true}})), (Values{{"size", "large"},
                                                                                          {"limit", "none"},
                                                                                          {"content", "fragile"},
                                                                                          {"content.glass", "yes"},
                                                                                          {"note", "empty"},
                                                                                          {"box.lid", "small"}}));
  EXPECT_EQ(values_of(sending({.limit = Crate::middle, .note = "x"})), (Values{{"size", "small"},
                                                                               {"limit", "some"},
                                                                               {"limit.value", "middle"},
                                                                               {"content", "0"},
                                                                               {"note", "some"},
                                                                               {"box.lid", "small"}}));
}

TEST(Conditions, ThatAreChangedHaveTheirNewValue) {
  Random random{1};
  int changed = 0;
  for (int i = 0; i < 200; ++i) {
    AnyScenario scenario = sending({});
    draw_scenario(random, Style::uniform, scenario);
    if (scenario.size() == 0) continue;
    for (const Condition& each : conditions_of(scenario, 0)) {
      for (const std::string& value : each.values) {
        const auto other = with_condition(scenario, 0, each.name, value);
        ASSERT_TRUE(other);
        EXPECT_EQ(values_of(*other)[each.name], value) << scenario_text(*other);
        EXPECT_EQ(other->size(), scenario.size());
        changed += value != each.value ? 1 : 0;
      }
    }
  }
  EXPECT_GT(changed, 100);
  EXPECT_FALSE(with_condition(sending({}), 0, "colour", "red"));
  EXPECT_FALSE(with_condition(sending({}), 0, "size", "red"));
}

/// Fails where `wrong` says so.
JudgeFunction failing(std::function<bool(const Parcels::Send&)> wrong) {
  return [wrong](const AnyScenario& scenario) {
    const auto* const send = std::get_if<Parcels::Send>(&typed<Parcels>(scenario).actions.at(0));
    if (send == nullptr || !wrong(*send)) return Verdict{};
    Divergence d = at_step(scenario, 1);
    d.blamed = "fast";
    d.field = "price";
    return Verdict{Verdict::State::diverged, std::move(d), {}};
  };
}

std::string needed(const JudgeFunction& judge, const Parcels::Send& send) {
  return needed_conditions(judge, sending(send), *judge(sending(send)).divergence);
}

TEST(Conditions, AreNeededIfAnotherValueDoesNotFail) {
  const auto always = failing([](const auto&) { return true; });
  const auto large = failing([](const auto& a) { return a.size != Crate::small && a.note.empty(); });
  const auto glass = failing([](const auto& a) {
    const auto* const fragile = std::get_if<Fragile>(&a.content);
    return fragile != nullptr && fragile->glass;
  });
  EXPECT_EQ(needed(always, {}), "");
  EXPECT_EQ(needed(large, {.size = Crate::middle}), " if size=middle|large note=empty");
  EXPECT_EQ(needed(glass, {.content = Fragile{true}}), " if content=fragile content.glass=yes");
  Divergence hang = *always(sending({})).divergence;
  hang.kind = DivergenceKind::hang;
  EXPECT_EQ(needed_conditions([](const auto&) { return Verdict{}; }, sending({}), hang), "") << "it would take long";
}

/// The text of a parcel that no longer exists says nothing of the failure.
TEST(Conditions, AreNotNeededWhereNoOtherValueIsPossible) {
  const auto stock = failing([](const auto&) { return true; });
  Divergence d = *stock(sending({})).divergence;
  EXPECT_FALSE(with_condition(sending({}), 0, "content.glass", "yes")) << "a number has none";
  d.action = at_the_end;
  EXPECT_EQ(needed_conditions([](const auto&) { return Verdict{}; }, sending({}), d), "") << "no action is to blame";
}

TEST(Conditions, DecideWhatASignatureCovers) {
  const auto judge = failing([](const auto& a) { return a.size != Crate::small; });
  const Parcels::Send middle{.size = Crate::middle};
  const Divergence d = *judge(sending(middle)).divergence;
  EXPECT_TRUE(covers(d.signature(), d));
  EXPECT_TRUE(covers(d.signature() + needed(judge, middle), d));
  EXPECT_TRUE(covers(d.signature() + " if size=small|middle note=empty", d));
  for (const std::string other : {" if size=large", " if size=middle note=some", " if colour=red", " unstable", "s"})
    EXPECT_FALSE(covers(d.signature() + other, d)) << other;
  EXPECT_FALSE(covers("", d));

  Divergence law = d;
  law.kind = DivergenceKind::invariant;
  law.field = "stays if n>=1";
  EXPECT_TRUE(covers(law.signature(), law));
  EXPECT_EQ(parts_of(law.signature()).detail, "stays if n>=1");
  Divergence longer = d;
  longer.field = d.field + "_of_all";
  EXPECT_FALSE(covers(longer.signature(), d));

  Signatures known{d.signature() + " if size=large", "another"};
  EXPECT_EQ(known_as(known, d), "");
  known.insert(d.signature() + " if size=middle");
  EXPECT_EQ(known_as(known, d), d.signature() + " if size=middle");
}

TEST(Conditions, OfAKnownFailureAreChangedOrItsActionIsLeftOut) {
  const auto judge = failing([](const auto& a) { return a.size == Crate::large; });
  const AnyScenario large = sending({.size = Crate::large});
  const std::string looks = judge(large).divergence->signature();
  EXPECT_EQ(values_of(without_known(large, 0, looks + " if size=large"))["size"], "small");
  EXPECT_EQ(without_known(large, 0, looks).size(), 0u);
}

}  // namespace
}  // namespace lockstep::parcels
