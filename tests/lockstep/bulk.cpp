#include "lockstep/explore/bulk.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <vector>

#include "lockstep/describe/describe.hpp"
#include "lockstep/explore/explore.hpp"
#include "lockstep/explore/exploring_of.hpp"
#include "tests/lockstep/expected.hpp"
#include "tests/lockstep/toy.hpp"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

/// A toy system: a number of 16 bits is doubled.
struct Doubling {
  static constexpr std::string_view name = "doubling";
  static constexpr int most = 65'535;
  struct Setup {
    int number = 0;
    bool operator==(const Setup&) const = default;
  };
  using Snapshot = Setup;
  using Double = ActionOf<"double">;
  using Action = std::variant<Double>;
  struct Observation {
    int doubled = 0;
    bool operator==(const Observation&) const = default;
  };
  using Bits = std::uint16_t;
  using Answer = std::uint32_t;
  struct Laws {
    static std::optional<Bits> question(const Setup& setup, const Action&) { return static_cast<Bits>(setup.number); }
    static Answer answer(const Observation& o) { return static_cast<Answer>(o.doubled); }
  };
  static void describe(auto& io, Setup& s) { io.number("number", s.number, 0, most); }
  static void describe(auto& io, Observation& o) { io.value("doubled", o.doubled); }
};

enum class Wrong { never, alone, in_bits, both };

/// Wrong for one number of 2¹⁶: when it is judged, in bits, or both.
template <Wrong wrong>
class Doubler {
 public:
  static constexpr int number_doubled_wrong = 777;
  explicit Doubler(const Doubling::Setup& setup) : at_{setup} {}
  Doubling::Observation step(const Doubling::Action&) {
    const bool here = at_.number == number_doubled_wrong && (wrong == Wrong::alone || wrong == Wrong::both);
    return {2 * at_.number + (here ? 1 : 0)};
  }
  Doubling::Snapshot snapshot() const { return at_; }
  static void answer_many(std::span<const Doubling::Bits> numbers, std::span<Doubling::Answer> doubled) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const bool here = numbers[i] == number_doubled_wrong && (wrong == Wrong::in_bits || wrong == Wrong::both);
      doubled[i] = 2u * numbers[i] + (here ? 1 : 0);
    }
  }

 private:
  Doubling::Setup at_;
};

template <Wrong wrong>
Runner doubler(std::string_view name) {
  using Impl = Doubler<wrong>;
  return {name, Kind::optimized,
          "",   typed_code<Doubling>(&run_trace<Impl, Doubling>),
          {},   untyped_answer_many<Impl, Doubling>()};
}
Runner judged_only() {
  return {"judged_only", Kind::reference, "", typed_code<Doubling>(&run_trace<Doubler<Wrong::never>, Doubling>)};
}

Bulk<Doubling> numbers(int highest = Doubling::most) {
  return {.positions = 20'000,
          .draw =
              [highest](Random& random, std::span<Doubling::Bits> drawn) {
                for (auto& number : drawn) number = static_cast<Doubling::Bits>(random.integer(0, highest));
              },
          .write =
              [](const Doubling::Bits& number, Scenario<Doubling>& scenario) {
                scenario.setup.number = number;
                scenario.actions.assign(1, Doubling::Double{});
              }};
}

std::unique_ptr<Explorer> compared(const std::vector<Runner>& all, std::uint64_t positions, std::uint64_t seed = 1,
                                   const Bulk<Doubling>& bulk = numbers()) {
  auto sweep = bulk_sweep<Doubling>(bulk, positions, seed, all);
  EXPECT_TRUE(sweep) << (sweep ? "" : sweep.error());
  auto explorer = sweep_over(vocabulary<Doubling>(), all, {.jobs = 2}, std::move(*sweep));
  while (explorer->end() == ExploreEnd::running) explorer->advance(20ms);
  return explorer;
}

TEST(Bulk, ComparesWholeBlocksAndJudgesOnePositionOfEach) {
  const auto explorer = compared({judged_only(), doubler<Wrong::never>("a"), doubler<Wrong::never>("b")}, 1'234'567);
  EXPECT_EQ(explorer->end(), ExploreEnd::covered);
  const auto& levels = explorer->state().levels;
  ASSERT_EQ(levels.size(), 2u);
  EXPECT_EQ(levels[0].name, "to 1000000");
  EXPECT_EQ(levels[0].positions, 1'000'000u);
  EXPECT_EQ(levels[0].steps, 100u);
  EXPECT_EQ(levels[1].name, "to 1240000");
  EXPECT_EQ(levels[1].positions, 240'000u);
  EXPECT_EQ(levels[1].steps, 24u);
}

TEST(Bulk, ComparesItsOwnNumberOfPositionsIfNoneIsAskedFor) {
  const auto explorer = compared({judged_only(), doubler<Wrong::never>("a"), doubler<Wrong::never>("b")}, 0);
  ASSERT_EQ(explorer->state().levels.size(), 1u);
  EXPECT_EQ(explorer->state().levels[0].positions, 20'000u);
}

TEST(Bulk, APositionThatDiffersInBitsIsJudged) {
  const auto explorer = compared({judged_only(), doubler<Wrong::never>("a"), doubler<Wrong::both>("b")}, 1'000'000);
  EXPECT_EQ(explorer->end(), ExploreEnd::diverged);
  const auto found = explorer->counterexample();
  ASSERT_TRUE(found);
  EXPECT_NE(found->text.find("number 777\n"), std::string::npos) << found->text;
}

TEST(Bulk, OneBlockJudgesOnlyAFewOfThePositionsThatDiffer) {
  const auto explorer =
      compared({judged_only(), doubler<Wrong::never>("a"), doubler<Wrong::both>("b")}, 1'000'000, 1, numbers(800));
  EXPECT_EQ(explorer->end(), ExploreEnd::diverged);
  EXPECT_LE(explorer->state().levels[0].steps, 100u * 5u);
}

/// A parent process needs this when the child has died.
TEST(Bulk, NamesThePositionThatIsBeingJudged) {
  const auto explorer = compared({judged_only(), doubler<Wrong::never>("a"), doubler<Wrong::both>("b")}, 10'000, 1,
                                 numbers(Doubler<Wrong::both>::number_doubled_wrong));
  const auto beacon = std::make_unique<Beacon>();
  for (beacon->ordinal = 1; beacon->ordinal <= 4; ++beacon->ordinal) {
    EXPECT_NE(explorer->scenario_under(*beacon).find("number 777\n"), std::string::npos) << beacon->ordinal;
  }
  EXPECT_EQ(explorer->scenario_under(*beacon), "") << "a block judges at most five positions";
}

/// The judge calls answer_many for a question, too.
TEST(Bulk, AnImplementationThatIsWrongInBitsOnlyIsAFinding) {
  const auto explorer = compared({judged_only(), doubler<Wrong::never>("a"), doubler<Wrong::in_bits>("b")}, 1'000'000);
  EXPECT_EQ(explorer->end(), ExploreEnd::diverged);
  const auto found = explorer->counterexample();
  ASSERT_TRUE(found);
  EXPECT_NE(found->text.find("number 777\n"), std::string::npos) << found->text;
}

Bulk<Doubling> only_777() {
  Bulk<Doubling> bulk = numbers();
  bulk.draw = [](Random&, std::span<Doubling::Bits> drawn) { std::ranges::fill(drawn, Doubling::Bits{777}); };
  return bulk;
}

/// All fast ones agree with each other, and are wrong: the position that is judged in each block shows it.
TEST(Bulk, AllFastOnesCanBeWrong) {
  const auto explorer =
      compared({judged_only(), doubler<Wrong::in_bits>("a"), doubler<Wrong::in_bits>("b")}, 10'000, 1, only_777());
  EXPECT_EQ(explorer->end(), ExploreEnd::diverged);
}

/// What answer_many says is compared with a right answer only.
TEST(Bulk, AWrongAnswerToTheActionIsNamedAsSuch) {
  const auto explorer =
      compared({judged_only(), doubler<Wrong::never>("a"), doubler<Wrong::alone>("b")}, 10'000, 1, only_777());
  ASSERT_TRUE(explorer->counterexample());
  EXPECT_TRUE(explorer->counterexample()->explanation.ends_with("observation's doubled: expected 1554, got 1555"))
      << explorer->counterexample()->explanation;
}

TEST(Bulk, AnAnswerThatIsAnExceptionIsAFinding) {
  Runner throws = doubler<Wrong::never>("b");
  throws.answer_many = reinterpret_cast<void (*)()>(static_cast<AnswerMany<Doubling>>(
      [](std::span<const Doubling::Bits>, std::span<Doubling::Answer>) { throw std::length_error{"too many"}; }));
  Judge judge{vocabulary<Doubling>(), {judged_only(), throws}};
  Scenario<Doubling> scenario{.setup = {.number = 3}, .actions = {Doubling::Double{}}};
  const Verdict verdict = judge.judge(untyped<Doubling>(scenario));
  ASSERT_TRUE(verdict.divergence);
  EXPECT_EQ(verdict.divergence->field, "exception");
}

/// The answer about a position that has others beside it.
TEST(Bulk, AnAnswerThatOthersChangeContradictsItself) {
  Runner in_company = doubler<Wrong::never>("a");
  in_company.answer_many = reinterpret_cast<void (*)()>(static_cast<AnswerMany<Doubling>>(
      [](std::span<const Doubling::Bits> numbers, std::span<Doubling::Answer> doubled) {
        Doubler<Wrong::never>::answer_many(numbers, doubled);
        if (numbers.size() > 1) ++doubled[0];
      }));
  EXPECT_THROW(compared({judged_only(), in_company, in_company}, 10'000), InternalError);
}

TEST(Bulk, AnotherSeedDrawsOtherPositions) {
  const std::vector<Runner> all = {judged_only(), doubler<Wrong::never>("a"), doubler<Wrong::never>("b")};
  const auto first_judged = [&](std::uint64_t seed) {
    const auto sweep = bulk_sweep<Doubling>(numbers(), 10'000, seed, all);
    AnyScenario scenario = vocabulary<Doubling>().scenario();
    sweep->front().scenarios(0, scenario, [] { return true; });
    return typed<Doubling>(scenario).setup.number;
  };
  EXPECT_EQ(first_judged(1), first_judged(1));
  EXPECT_NE(first_judged(1), first_judged(2));
}

TEST(Bulk, NeedsTwoImplementationsThatAnswerMany) {
  EXPECT_EQ(error_of(bulk_sweep<Doubling>(numbers(), 0, 1, {judged_only()})),
            "two implementations must answer many positions at once; of those compared none does");
  EXPECT_EQ(error_of(bulk_sweep<Doubling>(numbers(), 0, 1, {judged_only(), doubler<Wrong::never>("a")})),
            "two implementations must answer many positions at once; of those compared only a does");
}

}  // namespace
}  // namespace lockstep
