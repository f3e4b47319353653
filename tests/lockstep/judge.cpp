#include "lockstep/judge/judge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <thread>

#include "lockstep/draw/portfolio.hpp"
#include "props/typed.hpp"
#include "tests/lockstep/garden.hpp"

namespace lockstep {
namespace {

using Actions = std::vector<Garden::Action>;
using State = Verdict::State;

constexpr auto honest = gardener<Slip::none>;

Garden::Setup wet(int rows, int columns) { return plot(rows, columns, 500); }

/// A scenario of `length` rains of amount 0, with one action in the place of step `step`.
Scenario<Garden> dull_but_for(Garden::Setup setup, std::size_t length, std::size_t step, Garden::Action action) {
  Actions actions(length, Garden::Rain{0});
  actions[step - 1] = action;
  return {std::move(setup), std::move(actions)};
}

/// The third rose, which counts_short does not count.
Scenario<Garden> third_rose_at(std::size_t step, std::size_t length, int side = 2) {
  Garden::Setup setup = wet(side, side);
  setup.beds.at(0, 0) = setup.beds.at(0, 1) = 1;
  return dull_but_for(std::move(setup), length, step, Garden::Plant{1, 0, 1});
}

Verdict judge(std::vector<Runner> implementations, const Scenario<Garden>& scenario) {
  return JudgeOf<Garden>{std::move(implementations)}.judge(scenario);
}

/// The divergence of the verdict, which has one.
Divergence diverged(const Verdict& verdict) {
  EXPECT_TRUE(verdict.diverged()) << verdict.reason;
  return verdict.divergence.value_or(Divergence{});
}

TEST(Judge, NoImplementationsCannotBeJudged) {
  const Verdict verdict = judge({}, third_rose_at(1, 1));
  EXPECT_EQ(verdict.state, State::cannot_judge);
  EXPECT_FALSE(verdict.agreed());
  EXPECT_EQ(verdict.reason, "a judge needs two implementations, or one and invariants");
}

TEST(Judge, OneImplementationIsJudgedByTheInvariantsOfItsSystem) {
  const auto scenario = scenario_of("lockstep 1 garden\nactions\nplant row=0 column=0 flower=rose\n");
  EXPECT_TRUE(judge({gardener<Slip::none>("one")}, scenario).agreed());
  const Divergence divergence = diverged(judge({gardener<Slip::borrows>("one")}, scenario));
  EXPECT_EQ(divergence.signature(), "garden all invariant plant water was taken from an empty butt");
}

/// A gardener with `answer` added to the count in its first answer.
Runner answering(std::size_t answer, std::string_view name) {
  const auto run = [answer](const Scenario<Garden>& scenario, Cadence cadence, Trace<Garden>& out) {
    run_trace<Gardener<Slip::none>, Garden>(scenario, cadence, out);
    out.observations[0].count[0] += static_cast<int>(answer);
  };
  return {name, Kind::optimized, "", typed_code<Garden>(run)};
}

/// The rule in judge.hpp, computed differently: sort the groups by size.
std::pair<std::size_t, std::size_t> blamed_and_witness(const std::vector<std::size_t>& answers) {
  std::map<std::size_t, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < answers.size(); ++i) groups[answers[i]].push_back(i);
  std::vector<std::vector<std::size_t>> by_size;
  for (const auto& [answer, members] : groups) by_size.push_back(members);
  std::ranges::sort(by_size, std::greater{}, &std::vector<std::size_t>::size);
  auto right = by_size[0];
  if (by_size.size() > 1 && by_size[1].size() == by_size[0].size()) right = groups[answers[0]];
  std::size_t blamed = 0;
  while (std::ranges::find(right, blamed) != right.end()) ++blamed;
  return {blamed, right[0]};
}

/// All ways to divide two to five implementations into groups of equal answers.
TEST(Judge, TheLargestGroupIsRightAndTiesGoToTheReference) {
  constexpr std::array<std::string_view, 5> names = {"a", "b", "c", "d", "e"};
  int patterns = 0;
  std::vector<std::size_t> answers;
  const std::function<void(std::size_t)> extend = [&](std::size_t groups) {
    if (answers.size() >= 2 && groups >= 2) {
      ++patterns;
      std::vector<Runner> implementations;
      for (std::size_t i = 0; i < answers.size(); ++i) implementations.push_back(answering(answers[i], names[i]));
      const Verdict verdict = judge(implementations, third_rose_at(1, 1));
      const auto [blamed, witness] = blamed_and_witness(answers);
      ASSERT_TRUE(verdict.diverged());
      EXPECT_EQ(verdict.divergence->blamed, names[blamed]) << testing::PrintToString(answers);
      EXPECT_EQ(verdict.divergence->expected, std::to_string(3 + answers[witness]) + ",0");
      EXPECT_EQ(verdict.divergence->actual, std::to_string(3 + answers[blamed]) + ",0");
    }
    if (answers.size() == names.size()) return;
    for (std::size_t answer = 0; answer <= groups; ++answer) {
      answers.push_back(answer);
      extend(std::max(groups, answer + 1));
      answers.pop_back();
    }
  };
  extend(0);
  EXPECT_EQ(patterns, 1 + 4 + 14 + 51);  // Bell numbers, without the pattern in which all agree
}

TEST(Judge, WhenAllDifferTheFirstIsRight) {
  Scenario<Garden> scenario = third_rose_at(1, 1);
  scenario.setup.fence = true;
  const Divergence divergence = diverged(judge(
      {honest("good", Kind::reference), gardener<Slip::misreads_setup>("open"), gardener<Slip::counts_short>("short")},
      scenario));
  EXPECT_EQ(divergence.step, 0u);
  EXPECT_EQ(divergence.blamed, "open");
}

TEST(Judge, NamesTheFirstStepOfAWrongAnswer) {
  constexpr std::size_t length = 150;
  JudgeOf<Garden> all{{honest("good", Kind::reference), gardener<Slip::counts_short>("short")}};
  for (std::size_t step = 1; step <= length; ++step) {
    const Divergence divergence = diverged(all.judge(third_rose_at(step, length)));
    EXPECT_EQ(divergence.step, step);
    EXPECT_EQ(divergence.kind, DivergenceKind::observation);
    EXPECT_EQ(divergence.signature(), "garden short observation plant count");
  }
}

/// The wrong answers of later steps must not hide the wrong state before them.
TEST(Judge, NamesTheFirstStepOfAWrongStateBetweenSnapshotsOfTheCadence) {
  constexpr std::size_t length = 150;
  JudgeOf<Garden> all{{honest("good", Kind::reference), gardener<Slip::forgets_rain>("dry")}};
  for (std::size_t step = 1; step <= length; ++step) {
    const Divergence divergence = diverged(all.judge(dull_but_for(wet(1, 1), length, step, Garden::Rain{7})));
    EXPECT_EQ(divergence.step, step);
    EXPECT_EQ(divergence.kind, DivergenceKind::snapshot);
    EXPECT_EQ(divergence.signature(), "garden dry snapshot rain water");
    EXPECT_EQ(divergence.expected, "507");
    EXPECT_EQ(divergence.actual, "506");
  }
}

TEST(Judge, AWrongInitialStateIsStepZero) {
  Scenario<Garden> scenario{.setup = {}, .actions = {Garden::Wait{}}};
  scenario.setup.fence = true;
  const Divergence divergence =
      diverged(judge({honest("good", Kind::reference), gardener<Slip::misreads_setup>("open")}, scenario));
  EXPECT_EQ(divergence.step, 0u);
  EXPECT_EQ(divergence.signature(), "garden open snapshot setup fence");
}

/// A board of 200 × 200 is compared in windows of about 1,670 positions; the mistake is visible on both sides of the
/// border between two windows.
TEST(Judge, NamesTheFirstStepAcrossTheWindowsOfALongScenario) {
  constexpr std::size_t window = (std::size_t{64} << 20) / (200 * 200 + 64);
  constexpr std::size_t length = window + 40;
  JudgeOf<Garden> answers{{honest("good", Kind::reference), gardener<Slip::counts_short>("short")}};
  JudgeOf<Garden> states{{honest("good", Kind::reference), gardener<Slip::forgets_rain>("dry")}};
  for (const std::size_t step : {window - 1, window, window + 1, length}) {
    EXPECT_EQ(diverged(answers.judge(third_rose_at(step, length, 200))).step, step);
    EXPECT_EQ(diverged(states.judge(dull_but_for(wet(200, 200), length, step, Garden::Rain{7}))).step, step);
  }
}

TEST(Judge, AnInvariantThatAllBreakIsADivergenceOfAll) {
  constexpr std::size_t length = 100;
  Garden::Setup dry = wet(1, 1);
  dry.water = 0;
  JudgeOf<Garden> borrowers{{gardener<Slip::borrows>("one"), gardener<Slip::borrows>("two")}};
  for (std::size_t step = 1; step <= length; ++step) {
    const Divergence divergence = diverged(borrowers.judge(dull_but_for(dry, length, step, Garden::Plant{})));
    EXPECT_EQ(divergence.step, step);
    EXPECT_EQ(divergence.signature(), "garden all invariant plant water was taken from an empty butt");
  }
}

TEST(Judge, ADifferenceComesBeforeAnInvariantBrokenLater) {
  Scenario<Garden> scenario = third_rose_at(1, 2);
  scenario.setup.water = 1;
  scenario.actions[1] = Garden::Plant{1, 1, 1};
  const Divergence divergence = diverged(
      judge({gardener<Slip::borrows>("one"), gardener<Slip::borrows>("two"), gardener<Slip::counts_short>("short")},
            scenario));
  EXPECT_EQ(divergence.signature(), "garden short observation plant count");
}

TEST(Judge, ABrokenInvariantComesBeforeALaterDifference) {
  Scenario<Garden> scenario = third_rose_at(2, 2);
  scenario.setup.water = 0;
  scenario.actions[0] = Garden::Plant{1, 1, 2};
  scenario.actions[1] = Garden::Plant{1, 0, 1};
  const Divergence divergence =
      diverged(judge({gardener<Slip::borrows>("one"), honest("two", Kind::optimized)}, scenario));
  EXPECT_EQ(divergence.kind, DivergenceKind::observation);  // they differ at this very step
  const Verdict both = judge({gardener<Slip::borrows>("one"), gardener<Slip::borrows>("two")}, scenario);
  EXPECT_EQ(both.divergence->step, 1u);
  EXPECT_EQ(both.divergence->kind, DivergenceKind::invariant);
}

TEST(Judge, AFieldThatIsNotDescribedIsComparedToo) {
  Scenario<Garden> scenario{.setup = {}, .actions = Actions(5, Garden::Wait{})};
  const Divergence divergence =
      diverged(judge({honest("good", Kind::reference), gardener<Slip::whispers>("loud")}, scenario));
  EXPECT_EQ(divergence.step, 3u);
  EXPECT_EQ(divergence.field, "(a field that is not described, or NaN: see Laws::equal)");
}

TEST(Judge, ANondeterministicImplementationCannotBeJudged) {
  JudgeOf<Garden> pair{{honest("good", Kind::reference), gardener<Slip::dreams>("dreamer")}};
  const Scenario<Garden> scenario = third_rose_at(1, 3);
  std::vector<State> states;
  for (int i = 0; i < 4; ++i) states.push_back(pair.judge(scenario).state);
  EXPECT_GT(std::ranges::count(states, State::cannot_judge), 0);
  EXPECT_EQ(std::ranges::count(states, State::diverged), 0) << "what cannot be repeated is not a finding";
}

/// Counts short in its first runs.
Runner wrong_at_first(int runs, std::string_view name) {
  Runner out = gardener<Slip::none>(name);
  out.code = code_of([left = std::make_shared<int>(runs), right = out, wrong = gardener<Slip::counts_short>(name)](
                         const AnyScenario& scenario, Cadence cadence, AnyTrace& trace) {
    ((*left)-- > 0 ? wrong : right).run(scenario, cadence, trace);
  });
  return out;
}

TEST(Judge, ADifferenceThatDoesNotRepeatBlamesTheImplementationThatWavers) {
  const Scenario<Garden> scenario = third_rose_at(1, 3);
  for (const bool by_chance : {false, true}) {  // the second look confirms the difference by chance
    for (std::size_t wavering = 0; wavering < 3; ++wavering) {
      std::vector<Runner> all{honest("one", Kind::reference), honest("two", Kind::optimized),
                              honest("three", Kind::optimized)};
      all[wavering] = wrong_at_first(by_chance ? 2 : 1, all[wavering].name);
      JudgeOf<Garden> judge{all};
      Verdict verdict = judge.judge(scenario);
      EXPECT_EQ(verdict.diverged(), by_chance);
      verdict = judge.confirmed(scenario, verdict);
      EXPECT_EQ(verdict.state, State::cannot_judge);
      EXPECT_EQ(verdict.wavers, all[wavering].name);
    }
  }
}

TEST(Judge, WhoWaversIsNotLookedForLongerThanASecond) {
  int runs = 0;
  Runner slow = wrong_at_first(1, "slow");
  slow.code = code_of([&runs, fast = slow](const AnyScenario& scenario, Cadence cadence, AnyTrace& out) {
    ++runs;
    std::this_thread::sleep_for(std::chrono::milliseconds{50});
    fast.run(scenario, cadence, out);
  });
  JudgeOf<Garden> judge{{honest("good", Kind::reference), slow}};
  const Scenario<Garden> scenario = third_rose_at(1, 3);
  EXPECT_EQ(judge.judge(scenario).wavers, "slow");
  EXPECT_EQ(judge.not_repeated(scenario).wavers, some_implementation);
  EXPECT_LE(runs, 3 + 21);  // two of the first judgement, one that shows the wavering one, and 20 in a second
  EXPECT_GE(runs, 3 + 4);
}

TEST(Judge, AFailureThatRepeatsIsConfirmed) {
  JudgeOf<Garden> pair{{honest("good", Kind::reference), gardener<Slip::counts_short>("short")}};
  const Scenario<Garden> scenario = third_rose_at(1, 3);
  const Verdict verdict = pair.judge(scenario);
  EXPECT_EQ(pair.confirmed(scenario, verdict).divergence->signature(), verdict.divergence->signature());
}

TEST(Judge, WritesTheActionInFlight) {
  JudgeProgress progress;
  JudgeOf<Garden> pair{{honest("one", Kind::reference), honest("two", Kind::optimized)}, &progress};
  static_cast<void>(pair.judge(third_rose_at(1, 9)));
  EXPECT_EQ(progress.implementation, 1u);
  EXPECT_EQ(progress.step, 8u);
}

TEST(Judge, RepeatsItsVerdict) {
  JudgeOf<Garden> pair{{honest("good", Kind::reference), gardener<Slip::counts_short>("short")}};
  const Scenario<Garden> wrong = third_rose_at(40, 50);
  const std::string first = pair.judge(wrong).divergence->signature();
  EXPECT_TRUE(pair.judge(third_rose_at(1, 1, 3)).diverged());
  EXPECT_EQ(pair.judge(wrong).divergence->signature(), first);
  EXPECT_TRUE(pair.judge({}).agreed());
}

/// Two implementations that agree, and a yardstick that does not count the third rose.
std::vector<Runner> beside_a_wrong_yardstick() {
  return {honest("one", Kind::reference), gardener<Slip::counts_short>("short", Kind::yardstick),
          honest("two", Kind::optimized)};
}

TEST(Judge, LeavesYardsticksOutUnlessTheSeedIsAMultipleOf64) {
  JudgeOf<Garden> judge{beside_a_wrong_yardstick()};
  const auto scenario = third_rose_at(4, 9);
  EXPECT_TRUE(judge.judge(scenario, 1).agreed());
  const Divergence divergence = diverged(judge.judge(scenario));
  EXPECT_EQ(divergence.blamed, "short");
}

TEST(Judge, JudgesAYardstickThatIsTheOnlyOneBesideTheReference) {
  JudgeOf<Garden> pair{{honest("one", Kind::reference), gardener<Slip::counts_short>("short", Kind::yardstick)}};
  EXPECT_TRUE(pair.judge(third_rose_at(4, 9), 1).diverged());
}

TEST(Judge, LeavesBatchesOutUnlessTheSeedIsAMultipleOf32) {
  JudgeOf<Garden> judge{{honest("one", Kind::reference), gardener<Slip::counts_short>("short", Kind::batch),
                         honest("two", Kind::optimized)}};
  for (std::uint64_t seed = 0; seed < 70; ++seed)
    EXPECT_EQ(judge.judge(third_rose_at(4, 9), seed).diverged(), seed % 32 == 0) << seed;
}

TEST(Judge, ExplainsWithYardsticksWhatWasFoundWithoutThem) {
  JudgeOf<Garden> judge{{gardener<Slip::counts_short>("short", Kind::reference), honest("one", Kind::yardstick),
                         honest("two", Kind::optimized)}};
  const Divergence divergence = diverged(judge.judge(third_rose_at(4, 9), 1));
  EXPECT_EQ(divergence.blamed, "short");  // two against one: without the yardstick it would be one against one
}

TEST(Judge, FindsAWrongYardstickInOneOf64ScenariosOfACampaign) {
  Judge judge{vocabulary<Garden>(), beside_a_wrong_yardstick()};
  Portfolio portfolio{vocabulary<Garden>(), {Generator::uniform, Generator::mutated}, {}};
  std::uint64_t judged = 0;
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    const std::uint64_t seed = seed_of(1, i);
    judged += seed % 64 == 0 ? 1 : 0;
    const Verdict verdict = judge.judge(portfolio.next(seed), seed);
    portfolio.learn(judge.traces());
    if (verdict.agreed()) continue;
    EXPECT_EQ(seed % 64, 0u);
    EXPECT_EQ(verdict.divergence->blamed, "short");
    EXPECT_NEAR(static_cast<double>(judged), static_cast<double>(i) / 64, static_cast<double>(i) / 64 + 10);
    return;
  }
  FAIL() << "not found in 10,000 scenarios, " << judged << " of them judged with yardsticks";
}

}  // namespace
}  // namespace lockstep
