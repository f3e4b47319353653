// Checks every law of laws.hpp for one system and all its correct simulators, over scenarios of every style.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "lockstep/describe/codec.hpp"
#include "lockstep/describe/measure.hpp"
#include "lockstep/describe/reduce.hpp"
#include "lockstep/draw/draw.hpp"
#include "lockstep/draw/mutate.hpp"
#include "lockstep/services/report.hpp"
#include "lockstep/system/any_system.hpp"
#include "lockstep/system/round_trip.hpp"
#include "props/generators.hpp"
#include "props/laws.hpp"

namespace lockstep {
namespace {

using laws::require;

AnyScenario any_scenario(std::size_t actions_max = laws::any_length) {
  return laws::any_scenario(this_vocabulary(), actions_max);
}

AnyScenario decoded(std::span<const std::uint8_t> bytes) { return decoded(this_vocabulary(), bytes); }

std::string length_of(const AnyScenario& scenario) {
  const std::size_t length = scenario.size();
  return length == 0 ? "no actions" : length < 10 ? "1–9 actions" : length < 100 ? "10–99 actions" : "≥100 actions";
}

std::string refusals_of(const AnyScenario& scenario, const AnyTrace& trace) {
  std::size_t refused = 0;
  for (std::size_t i = 0; i < scenario.size(); ++i) refused += laws::is_legal(trace, i) ? 0 : 1;
  if (refused == 0) return "none illegal";
  return refused * 2 <= scenario.size() ? "some illegal" : "most illegal";
}

/// The judge of all simulators that must agree.
Judge& judge() {
  static Judge all{this_vocabulary(), laws::honest(this_vocabulary())};
  return all;
}

void require_agreement(const AnyScenario& scenario) {
  require(laws::complaint(judge().implementations(), scenario, [](const AnyScenario& s) { return judge().judge(s); }));
}

TEST(Registry, StartsWithTheOnlyReferenceAndHasAnOptimizedSimulator) {
  const auto& all = this_system().implementations();
  ASSERT_GE(laws::honest(this_vocabulary()).size(), 2u);
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
  const AnyScenario scenario = *rc::gen::noShrink(laws::scenarios(this_vocabulary(), {&style, 1}));
  require_agreement(scenario);
  RC_TAG(std::string{to_string(style)}, length_of(scenario), refusals_of(scenario, judge().trace()));
}

RC_GTEST_PROP(Laws, EveryInvariantHoldsAtEveryStep, ()) { laws::require_of_each(laws::invariants_hold); }

RC_GTEST_PROP(Laws, AnIllegalActionChangesNothing, ()) { laws::require_of_each(laws::refusals_change_nothing); }

RC_GTEST_PROP(Laws, TakingASnapshotChangesNoAnswer, ()) { laws::require_of_each(laws::looking_changes_nothing); }

RC_GTEST_PROP(Laws, ARestartFromAReachedPositionGivesTheSameAnswers, ()) { laws::require_of_each(laws::restarts_hold); }

RC_GTEST_PROP(Laws, EveryStepDependsOnThePositionAlone, ()) {
  const AnyScenario scenario = laws::any_suggested(this_vocabulary(), 40);
  laws::played(scenario, Cadence::every());
  const Runner& reference = this_system().implementations().front();
  const Verdict verdict = laws::restarts_at_every_step_hold(reference, scenario);
  if (verdict.diverged()) RC_FAIL(describe_divergence(scenario, *verdict.divergence));
}

RC_GTEST_PROP(Laws, EveryFeatureIsInItsList, ()) {
  const AnyScenario scenario = any_scenario();
  AnyTrace trace = this_vocabulary().trace();
  laws::honest(this_vocabulary()).back().run(scenario, Cadence{}, trace);
  require(laws::fault_of_features(scenario, trace));
}

TEST(Data, ADefaultSetupIsLawful) { EXPECT_EQ(laws::fault_of_setup(this_vocabulary().scenario()), ""); }

RC_GTEST_PROP(Data, DrawnScenariosAreLawful, ()) { require(laws::fault_of(any_scenario())); }

RC_GTEST_PROP(Data, TextAndBytesRoundTrip, ()) { require(fault_of_round_trips(any_scenario())); }

RC_GTEST_PROP(Data, AnyBytesAreALawfulScenarioOnWhichAllSimulatorsAgree, ()) {
  const auto bytes = *rc::gen::noShrink(rc::gen::arbitrary<Bytes>());  // not shrunk: the scenario is
  require(laws::fault_of_bytes(this_vocabulary(), bytes));
  require_agreement(decoded(bytes));
}

/// The bytes of a real scenario, damaged: they reach deeper than random bytes.
RC_GTEST_PROP(Data, DamagedBytesAreALawfulScenario, ()) {
  Bytes bytes = encoded(any_scenario());
  Random random{laws::any_seed()};
  if (bytes.empty()) return;
  const std::uint64_t hits = 1 + random.below(8);
  for (std::uint64_t i = 0; i < hits; ++i) random.pick(bytes) = static_cast<std::uint8_t>(random.next());
  if (random.chance(1, 2)) bytes.resize(random.below(bytes.size() + 1));
  require(laws::fault_of_bytes(this_vocabulary(), bytes));
}

TEST(Data, EmptyInputDecodesToTheSimplestScenario) {
  const AnyScenario simplest = decoded({});
  EXPECT_EQ(laws::fault_of(simplest), "");
  EXPECT_EQ(simplest.size(), 0u);
  for (const NumberField& number : numbers_at(simplest, {}).fields) EXPECT_EQ(number.distance(), 0);
  EXPECT_TRUE(parts_at(simplest, {}).occupied.empty());
}

RC_GTEST_PROP(Data, NormaliseIsIdempotentAndLeavesNoFlaw, ()) {
  Random random{laws::any_seed()};
  AnyScenario raw = this_vocabulary().scenario();
  DrawFields fields{random, random.chance(1, 64)};
  raw.visit_setup(fields);
  require(laws::fault_of_normalise(raw));
}

RC_GTEST_PROP(Data, MutationKeepsScenariosLawful, ()) {
  AnyScenario scenario = any_scenario();
  Random random{laws::any_seed()};
  for (int generation = 0; generation < 8; ++generation) {
    mutate(random, scenario);
    require(laws::fault_of(scenario));
  }
}

RC_GTEST_PROP(Data, CrossoverKeepsScenariosLawful, ()) {
  const AnyScenario one = any_scenario();
  const AnyScenario other = any_scenario();
  Random random{laws::any_seed()};
  require(laws::fault_of(crossover(random, one, other)));
}

RC_GTEST_PROP(Data, EveryReductionIsLawfulAndSmaller, ()) {
  const AnyScenario scenario = any_scenario(20);
  // All reductions of a 200 × 200 board would take a minute, and show nothing that a small board does not.
  if (size_of(scenario).area > 500) return;
  require(laws::fault_of_reductions(scenario));
}

}  // namespace
}  // namespace lockstep
