// A symmetry as one more implementation.
#include "lockstep/system/image.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <set>

#include "lockstep/judge/judge.hpp"
#include "props/typed.hpp"
#include "tests/lockstep/garden.hpp"
#include "tests/lockstep/toy.hpp"

namespace lockstep {
namespace {

template <Slip slip>
Verdict judged_by_its_mirror(const Scenario<Garden>& scenario) {
  const auto own = gardener<slip>("own", Kind::reference);
  const Runner mirror{"own.mirror", Kind::yardstick, "", std::make_shared<Image<Garden>>(own, symmetries<Garden>()[0])};
  return JudgeOf<Garden>{{own, mirror}}.judge(scenario);
}

const char* const plants =
    "lockstep 1 garden\n"
    "columns 3\n"
    "water 9\n"
    "actions\n"
    "rain amount=7\n"
    "plant row=0 column=1 flower=rose\n"
    "plant row=0 column=0 flower=rose\n";

TEST(Image, OfASymmetricImplementationAgrees) {
  EXPECT_TRUE(judged_by_its_mirror<Slip::none>(scenario_of(plants)).agreed());
  // Wrong, but in the same way at both sides.
  EXPECT_TRUE(judged_by_its_mirror<Slip::counts_short>(scenario_of(plants)).agreed());
}

TEST(Image, DeviatesAtTheFirstStepThatTheSymmetryChanges) {
  const Verdict verdict = judged_by_its_mirror<Slip::left_handed>(scenario_of(plants));
  ASSERT_TRUE(verdict.diverged());
  EXPECT_EQ(verdict.divergence->signature(), "garden own.mirror observation plant legal");
  EXPECT_EQ(verdict.divergence->step, 3u);
  EXPECT_EQ(verdict.divergence->expected, "no");
  EXPECT_EQ(verdict.divergence->actual, "yes");
}

/// A mirror that leaves the board alone: no implementation has that symmetry.
TEST(Image, OfAWrongSymmetryDeviatesInTheSnapshot) {
  Symmetry<Garden> wrong = symmetries<Garden>()[0];
  wrong.snapshot = [](const Garden::Setup&, const Garden::Snapshot& s) { return s; };
  const auto own = gardener<Slip::none>("own", Kind::reference);
  const Runner mirror{"own.mirror", Kind::yardstick, "", std::make_shared<Image<Garden>>(own, wrong)};
  const Verdict verdict = JudgeOf<Garden>{{own, mirror}}.judge(scenario_of(plants));
  ASSERT_TRUE(verdict.diverged());
  EXPECT_EQ(verdict.divergence->kind, DivergenceKind::snapshot);
  EXPECT_EQ(verdict.divergence->step, 3u);
  EXPECT_EQ(verdict.divergence->field, "beds[0]");
}

/// Answers are equal up to their order; negated numbers have negated answers.
struct Bag {
  static constexpr std::string_view name = "bag";
  using Setup = Nothing;
  using Add = ActionOf<"add", int>;
  using Action = std::variant<Add>;
  struct Observation {
    std::vector<int> all;
    bool operator==(const Observation&) const = default;
  };
  struct Laws {
    static bool equal(const Observation& expected, const Observation& actual) {
      return std::ranges::is_permutation(expected.all, actual.all);
    }
  };
  static void describe(auto& io, const Setup&, Add& a) { io.number("value", a.value, -9, 9); }
  static void describe(auto& io, Observation& o) { io.value("all", o.all); }
};

struct SortedBag {
  Bag::Observation step(const Bag::Action& action) {
    values.insert(std::get<Bag::Add>(action).value);
    return {{values.begin(), values.end()}};
  }
  std::multiset<int> values;
};

TEST(Image, ComparesAnswersByTheLawOfTheSystem) {
  const Symmetry<Bag> negated{.name = "negated",
                              .setup = [](const Nothing& setup) { return setup; },
                              .action = [](const Nothing&, const Bag::Action& action) -> Bag::Action {
                                return Bag::Add{-std::get<Bag::Add>(action).value};
                              },
                              .observation = [](const Nothing&, const Bag::Action&, const Bag::Observation& own,
                                                const Unseen&) -> std::optional<Bag::Observation> {
                                Bag::Observation out = own;
                                for (int& value : out.all) value = -value;
                                return out;
                              },
                              .snapshot = nullptr};
  const Runner own{"own", Kind::reference, "", typed_code<Bag>(&run_trace<SortedBag, Bag>)};
  const Runner image{"own.negated", Kind::yardstick, "", std::make_shared<Image<Bag>>(own, negated)};
  const Verdict verdict = JudgeOf<Bag>{{own, image}}.judge({.setup = {}, .actions = {Bag::Add{1}, Bag::Add{2}}});
  EXPECT_TRUE(verdict.agreed()) << verdict.divergence.value_or(Divergence{}).actual;
}

}  // namespace
}  // namespace lockstep
