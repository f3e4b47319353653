// Systems without snapshots, observations of any type, exceptions as answers, and comparisons other than ==.
#include <gtest/gtest.h>

#include <stdexcept>

#include "lockstep/describe/stopwatch.hpp"
#include "lockstep/judge/judge.hpp"
#include "lockstep/services/guarded.hpp"
#include "lockstep/shrink/shrink.hpp"
#include "props/typed.hpp"
#include "tests/lockstep/toy.hpp"

namespace lockstep {
namespace {

/// A list of numbers; its state is not shown.
struct Lists {
  static constexpr std::string_view name = "lists";
  using Setup = Nothing;
  using Add = ActionOf<"add", int>;
  using At = ActionOf<"at", std::size_t>;
  using Action = std::variant<Add, At>;
  struct Observation {
    std::vector<int> all;
    std::string note;
    bool operator==(const Observation&) const = default;
  };
  static void describe(auto& io, const Setup&, Add& a) { io.number("value", a.value, 0, 9); }
  static void describe(auto& io, const Setup&, At& a) { io.number("index", a.value, 0, 9); }
  static void describe(auto& io, Observation& o) {
    io.value("all", o.all);
    io.value("note", o.note);
  }
};
static_assert(System<Lists> && !has_snapshot<Lists> && !can_restate<Lists>);

class List {
 public:
  Lists::Observation step(const Lists::Action& action) {
    if (const auto* add = std::get_if<Lists::Add>(&action)) {
      values_.push_back(add->value);
      return {values_, ""};
    }
    return {values_, std::to_string(at(std::get<Lists::At>(action).value))};
  }

 protected:
  virtual int at(std::size_t index) const { return index < values_.size() ? values_[index] : -1; }
  std::vector<int> values_;

 public:
  virtual ~List() = default;
};

class Throwing final : public List {
  int at(std::size_t index) const override { return values_.at(index); }
};

class OtherException final : public List {
  int at(std::size_t index) const override {
    if (index >= values_.size()) throw std::logic_error{"no such index"};
    return values_[index];
  }
};

class ThrowsAtStart final : public List {
 public:
  ThrowsAtStart() { throw 5; }
};

template <class Impl>
Runner implementation(std::string_view name, Kind kind = Kind::optimized) {
  return {name, kind, "", typed_code<Lists>(&run_trace<Impl, Lists>)};
}

Verdict judged(std::vector<Runner> implementations, const Scenario<Lists>& scenario) {
  return JudgeOf<Lists>{std::move(implementations)}.judge(scenario);
}

const Scenario<Lists> two_steps{.setup = {}, .actions = {Lists::Add{3}, Lists::At{1}}};

TEST(Answers, OfAnySizeAreComparedAndPrinted) {
  EXPECT_EQ(line_of(observation_fields<Lists>({{1, 2}, "a b"})), R"(all=[1,2] note="a b")");
  EXPECT_TRUE(
      judged({implementation<List>("list", Kind::reference), implementation<List>("same")}, two_steps).agreed());
}

TEST(Exceptions, AreADifferenceWithTypeAndText) {
  const Verdict verdict =
      judged({implementation<List>("list", Kind::reference), implementation<Throwing>("throwing")}, two_steps);
  ASSERT_TRUE(verdict.divergence);
  EXPECT_EQ(verdict.divergence->signature(), "lists throwing observation at exception");
  EXPECT_EQ(verdict.divergence->step, 2u);
  EXPECT_EQ(verdict.divergence->expected, "none");
  EXPECT_TRUE(verdict.divergence->actual.starts_with("std::out_of_range: ")) << verdict.divergence->actual;
}

TEST(Exceptions, OfTwoTypesDiffer) {
  const Verdict verdict = judged(
      {implementation<Throwing>("throwing", Kind::reference), implementation<OtherException>("other")}, two_steps);
  ASSERT_TRUE(verdict.divergence);
  EXPECT_EQ(verdict.divergence->blamed, "other");
  EXPECT_TRUE(verdict.divergence->expected.starts_with("std::out_of_range: "));
  EXPECT_EQ(verdict.divergence->actual, "std::logic_error: no such index");
}

TEST(Exceptions, ThatAllThrowAreAnAgreement) {
  EXPECT_TRUE(
      judged({implementation<Throwing>("a", Kind::reference), implementation<Throwing>("b")}, two_steps).agreed());
}

TEST(Exceptions, OfAConstructorAreADifferenceAtTheSetup) {
  const Verdict verdict =
      judged({implementation<List>("list", Kind::reference), implementation<ThrowsAtStart>("start")}, two_steps);
  ASSERT_TRUE(verdict.divergence);
  EXPECT_EQ(verdict.divergence->step, 0u);
  EXPECT_EQ(verdict.divergence->actual, "int");
}

TEST(Exceptions, AreShrunkLikeOtherDifferences) {
  JudgeOf<Lists> judge{{implementation<List>("list", Kind::reference), implementation<Throwing>("throwing")}};
  Scenario<Lists> scenario{.setup = {}, .actions = {}};
  for (int i = 0; i < 30; ++i) scenario.actions.push_back(Lists::Add{i % 10});
  scenario.actions.push_back(Lists::At{9});
  scenario.actions.insert(scenario.actions.begin(), Lists::At{7});
  const Shrinker shrinker{[&](const AnyScenario& candidate) { return judge.any().judge(candidate); },
                          judge.implementations()[0]};
  const Shrunk shrunk = shrinker.shrink(any_of<Lists>(scenario));
  EXPECT_TRUE(shrunk.minimal);
  EXPECT_FALSE(shrunk.hidden_state);
  EXPECT_EQ(scenario_text(shrunk.scenario), "lockstep 1 lists\nactions\nat index=0\n");
}

TEST(Exceptions, AreShownInPlaceOfTheState) {
  const Drawn drawn = drawn_in_child(implementation<Throwing>("throwing"), untyped<Lists>(two_steps), Guard{});
  EXPECT_TRUE(drawn.after.starts_with("threw std::out_of_range: ")) << drawn.after;
  EXPECT_EQ(drawn.answer, "");
  EXPECT_EQ(drawn_in_child(implementation<ThrowsAtStart>("start"), untyped<Lists>(two_steps), Guard{}).after,
            "threw int\n");
  EXPECT_EQ(drawn_in_child(implementation<List>("list"), untyped<Lists>(two_steps), Guard{}).answer,
            "all=[3] note=\"-1\"");
}

/// As Lists, but exceptions are answers, and answers are equal up to their order.
struct Bags : Lists {
  static constexpr std::string_view name = "bags";
  struct Observation {
    std::vector<int> all;
    std::optional<Thrown> thrown;
    Observation() = default;
    explicit Observation(std::vector<int> values) : all{std::move(values)} {}
    explicit Observation(Thrown exception) : thrown{std::move(exception)} {}
    bool operator==(const Observation& other) const {
      return all == other.all && thrown.has_value() == other.thrown.has_value();
    }
  };
  using Lists::describe;
  static void describe(auto& io, Observation& o) {
    io.value("all", o.all);
    if (o.thrown) io.value("thrown", o.thrown->type);
  }
  struct Laws {
    static bool equal(const Observation& expected, const Observation& actual) {
      return std::ranges::is_permutation(expected.all, actual.all) &&
             expected.thrown.has_value() == actual.thrown.has_value();
    }
  };
};
static_assert(answers_exceptions<Bags>);

template <bool front, bool throws>
class Bag {
 public:
  Bags::Observation step(const Lists::Action& action) {
    if (const auto* add = std::get_if<Lists::Add>(&action)) {
      values_.insert(front ? values_.begin() : values_.end(), add->value);
    } else if (throws) {
      static_cast<void>(values_.at(std::get<Lists::At>(action).value));
    }
    return Bags::Observation{values_};
  }

 private:
  std::vector<int> values_;
};

template <class Impl>
Runner bag(std::string_view name, Kind kind = Kind::optimized) {
  return {name, kind, "", typed_code<Bags>(&run_trace<Impl, Bags>)};
}

TEST(Answers, CanBeEqualByALaw) {
  const Scenario<Bags> scenario{.setup = {}, .actions = {Lists::Add{1}, Lists::Add{2}}};
  EXPECT_TRUE((JudgeOf<Bags>{{bag<Bag<true, false>>("front", Kind::reference), bag<Bag<false, false>>("back")}}
                   .judge(scenario)
                   .agreed()));
}

TEST(Exceptions, CanBeAnswersAfterWhichTheRunGoesOn) {
  const Scenario<Bags> scenario{.setup = {}, .actions = {Lists::At{0}, Lists::Add{2}, Lists::At{0}, Lists::At{1}}};
  Trace<Bags> trace;
  run_trace<Bag<true, true>, Bags>(scenario, Cadence{}, trace);
  EXPECT_FALSE(trace.deviation);
  EXPECT_EQ(trace.observations[0].thrown.value().type, "std::out_of_range");
  EXPECT_EQ(trace.observations[2].all, std::vector{2});
  const Verdict verdict =
      JudgeOf<Bags>{{bag<Bag<true, true>>("throws", Kind::reference), bag<Bag<true, false>>("does_not")}}.judge(
          scenario);
  ASSERT_TRUE(verdict.divergence);
  EXPECT_EQ(verdict.divergence->step, 1u);
}

TEST(Exceptions, AreTimedLikeOtherAnswers) {
  static int answered = 0;
  struct Counting : Bag<true, true> {
    explicit Counting(const Bags::Setup&) {}
    Bags::Observation step(const Lists::Action& action) {
      ++answered;
      return Bag<true, true>::step(action);
    }
  };
  const std::vector<AnyScenario> scenarios{
      any_of<Bags>({.setup = {}, .actions = {Lists::At{0}, Lists::Add{2}, Lists::At{1}}})};
  const auto timed = std::make_shared<TimedCode<Bags, MadeFromSetup<Counting, Bags>>>(MadeFromSetup<Counting, Bags>{});
  const Runner counting{"counting", Kind::optimized, "", timed};
  EXPECT_TRUE(counting.timed());
  const auto laps = counting.laps(scenarios);
  lap(*laps, Clocked::steps);
  EXPECT_EQ(answered, 3);
  lap(*laps, Clocked::from_setup);
  EXPECT_EQ(answered, 6);
  EXPECT_FALSE((bag<Bag<true, true>>("untimed").timed()));
}

}  // namespace
}  // namespace lockstep
