// Checks every law of laws.hpp for one game and all its correct simulators, over scenarios of every style.
#include LOCKSTEP_SYSTEM

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "props/play.hpp"

namespace lockstep {
namespace {

using G = ThisSystem;

void require(const std::string& complaint) {
  if (!complaint.empty()) RC_FAIL(complaint);
}

/// A law of execution, for each correct simulator alone. The library shrinks its verdicts (drawing.hpp).
template <class Law>
void require_of_each(Law&& law) {
  const Scenario<G> scenario = laws::bounded<G>(*rc::gen::noShrink(laws::scenarios<G>()));
  for (const auto& simulator : laws::honest<G>()) {
    require(laws::complaint<G>({simulator}, scenario, [&](const Scenario<G>& s) { return law(simulator, s); }));
  }
}

std::string length_of(const Scenario<G>& scenario) {
  const std::size_t length = scenario.actions.size();
  return length == 0 ? "no actions" : length < 10 ? "1–9 actions" : length < 100 ? "10–99 actions" : "≥100 actions";
}

std::string refusals_of(const Trace<G>& trace) {
  const auto refused = static_cast<std::size_t>(
      std::ranges::count_if(trace.observations, [](const G::Observation& o) { return !laws::is_legal<G>(o); }));
  if (refused == 0) return "none illegal";
  return refused * 2 <= trace.observations.size() ? "some illegal" : "most illegal";
}

TEST(Registry, StartsWithTheOnlyReferenceAndHasAnOptimizedSimulator) {
  const auto& all = registry<G>();
  ASSERT_GE(laws::honest<G>().size(), 2u);
  EXPECT_EQ(all.front().kind, Kind::reference);
  EXPECT_EQ(std::ranges::count(all, Kind::reference, &Runner::kind), 1);
  EXPECT_TRUE(std::ranges::is_sorted(all, {}, &Runner::kind)) << "reference, yardsticks, optimized, batches, canaries";
  for (const auto& simulator : all) {
    EXPECT_EQ(std::ranges::count(all, simulator.name, &Runner::name), 1) << simulator.name;
    EXPECT_FALSE(simulator.about.empty()) << simulator.name;
  }
}

RC_GTEST_PROP(Laws, AllImplementationsAgree, ()) {
  const Style style = styles[*rc::gen::noShrink(rc::gen::inRange<std::size_t>(0, styles.size()))];
  const Scenario<G> scenario = *rc::gen::noShrink(laws::scenarios<G>({&style, 1}));
  static JudgeOf<G> judge{laws::honest<G>()};
  require(laws::complaint<G>(judge.implementations(), scenario, [](const Scenario<G>& s) { return judge.judge(s); }));
  RC_TAG(std::string{to_string(style)}, length_of(scenario), refusals_of(judge.trace()));
}

RC_GTEST_PROP(Laws, EveryInvariantHoldsAtEveryStep, ()) { require_of_each(laws::invariants_hold<G>); }

RC_GTEST_PROP(Laws, AnIllegalActionChangesNothing, ()) { require_of_each(laws::refusals_change_nothing<G>); }

RC_GTEST_PROP(Laws, TakingASnapshotChangesNoAnswer, ()) { require_of_each(laws::looking_changes_nothing<G>); }

RC_GTEST_PROP(Laws, EverySymmetryHolds, ()) {
  static const auto symmetries = laws::symmetries_of<G>();
  for (const auto& symmetry : symmetries) {
    require_of_each(
        [&](const Runner& simulator, const Scenario<G>& s) { return laws::symmetry_holds<G>(simulator, symmetry, s); });
  }
}

RC_GTEST_PROP(Laws, ARestartFromAReachedPositionGivesTheSameAnswers, ()) { require_of_each(laws::restarts_hold<G>); }

RC_GTEST_PROP(Laws, EveryStepDependsOnThePositionAlone, ()) {
  laws::played<G>(laws::any_suggested<G>(40), Cadence::every(),
                  {laws::implementation<laws::Restarted<G>, G>("restarted")});
}

RC_GTEST_PROP(Laws, EveryFeatureIsInItsList, ()) {
  const Scenario<G> scenario = laws::any_scenario<G>();
  Trace<G> trace;
  run_typed<G>(laws::honest<G>().back(), scenario, Cadence{}, trace);
  require(laws::fault_of_features<G>(scenario, trace));
}

TEST(Data, ADefaultSetupIsLawful) { EXPECT_EQ(laws::fault_of_setup<G>(G::Setup{}), ""); }

RC_GTEST_PROP(Data, DrawnScenariosAreLawful, ()) {
  const Scenario<G> scenario = laws::any_scenario<G>();
  require(laws::fault_of<G>(scenario));
}

RC_GTEST_PROP(Data, TextAndBytesRoundTrip, ()) {
  const Scenario<G> scenario = laws::any_scenario<G>();
  require(fault_of_round_trips<G>(scenario));
}

RC_GTEST_PROP(Data, AnyBytesAreALawfulScenarioOnWhichAllSimulatorsAgree, ()) {
  const auto bytes = *rc::gen::noShrink(rc::gen::arbitrary<Bytes>());  // not shrunk: the scenario is
  const Scenario<G> scenario = decode<G>(bytes);
  require(laws::fault_of_bytes<G>(bytes));
  static JudgeOf<G> judge{laws::honest<G>()};
  require(laws::complaint<G>(judge.implementations(), scenario, [](const Scenario<G>& s) { return judge.judge(s); }));
}

/// The bytes of a real scenario, damaged: they reach deeper than random bytes.
RC_GTEST_PROP(Data, DamagedBytesAreALawfulScenario, ()) {
  const Scenario<G> scenario = laws::any_scenario<G>();
  Random random{laws::any_seed()};
  Bytes bytes = encode<G>(scenario);
  if (bytes.empty()) return;
  const std::uint64_t hits = 1 + random.below(8);
  for (std::uint64_t i = 0; i < hits; ++i) random.pick(bytes) = static_cast<std::uint8_t>(random.next());
  if (random.chance(1, 2)) bytes.resize(random.below(bytes.size() + 1));
  require(laws::fault_of_bytes<G>(bytes));
}

TEST(Data, EmptyInputDecodesToTheSimplestScenario) {
  const Scenario<G> simplest = decode<G>(Bytes{});
  EXPECT_EQ(laws::fault_of<G>(simplest), "");
  EXPECT_TRUE(simplest.actions.empty());
  for (const NumberField& number : numbers_at(untyped<G>(simplest), {}).fields) EXPECT_EQ(number.distance(), 0);
  EXPECT_TRUE(parts_at(untyped<G>(simplest), {}).occupied.empty());
}

RC_GTEST_PROP(Data, NormaliseIsIdempotentAndLeavesNoFlaw, ()) {
  Random random{laws::any_seed()};
  G::Setup raw{};
  DrawFields fields{random, random.chance(1, 64)};
  visit_setup<G>(fields, raw);
  require(laws::fault_of_normalise<G>(raw));
}

RC_GTEST_PROP(Data, MutationKeepsScenariosLawful, ()) {
  Scenario<G> scenario = laws::any_scenario<G>();
  Random random{laws::any_seed()};
  for (int generation = 0; generation < 8; ++generation) {
    mutate<G>(random, scenario);
    require(laws::fault_of<G>(scenario));
  }
}

RC_GTEST_PROP(Data, CrossoverKeepsScenariosLawful, ()) {
  const Scenario<G> one = laws::any_scenario<G>();
  const Scenario<G> other = laws::any_scenario<G>();
  Random random{laws::any_seed()};
  const Scenario<G> child = crossover<G>(random, one, other);
  require(laws::fault_of<G>(child));
}

RC_GTEST_PROP(Data, EveryReductionIsLawfulAndSmaller, ()) {
  const Scenario<G> scenario = laws::any_scenario<G>(20);
  // All reductions of a 200 × 200 board would take a minute, and show nothing that a small board does not.
  if (size_of<G>(scenario).area > 500) return;
  require(laws::fault_of_reductions<G>(scenario));
}

}  // namespace
}  // namespace lockstep
