// The failure report is what users see first: a golden file pins every form of it.
#include "lockstep/services/report.hpp"

#include <gtest/gtest.h>

#include "lockstep/base/hash.hpp"
#include "lockstep/system/typed.hpp"
#include "props/golden.hpp"
#include "props/laws.hpp"
#include "tests/lockstep/garden.hpp"

namespace lockstep {
namespace {

constexpr std::chrono::hours unhurried{1};

Shrunk shrunk(const std::vector<Runner>& implementations, const Scenario<Garden>& failing, ShrinkBudget budget) {
  JudgeOf<Garden> judge{implementations};
  const Shrinker shrinker{[&](const AnyScenario& s) { return judge.any().judge(s); }, implementations.front(), budget};
  return shrinker.shrink(any_of<Garden>(failing));
}

Finding find(const std::vector<Runner>& implementations, const Scenario<Garden>& failing,
             ShrinkBudget budget = {.time = unhurried}) {
  return finding_of(shrunk(implementations, failing, budget), laws::names_of(implementations), failing.actions.size());
}

/// A scenario on a plot of 3 × 4 in which every slip fails.
Scenario<Garden> busy() {
  Scenario<Garden> scenario{.setup = plot(3, 4, 20), .actions = {}};
  scenario.setup.fence = true;
  scenario.setup.moles = {{1, 1, false}};
  for (int i = 0; i < 12; ++i) {
    scenario.actions.emplace_back(Garden::Plant{i % 3, i / 3, 1 + i % 2});
    scenario.actions.emplace_back(Garden::Rain{i});
  }
  scenario.actions.emplace_back(Garden::Wait{});
  return scenario;
}

void expect_golden(std::string_view name, const Finding& finding) {
  EXPECT_TRUE(matches_golden(name, report_text(finding, "findings/" + finding.file_name)));
}

TEST(Report, OfAWrongAnswer) {
  expect_golden("report_observation.txt",
                find({head_gardener, gardener<Slip::none>("fast"), gardener<Slip::counts_short>("short")}, busy()));
}

TEST(Report, OfAWrongState) {
  expect_golden("report_snapshot.txt", find({head_gardener, gardener<Slip::forgets_rain>("dry")}, busy()));
}

TEST(Report, OfAWrongSetup) {
  expect_golden("report_setup.txt", find({head_gardener, gardener<Slip::misreads_setup>("open")}, busy()));
}

TEST(Report, OfABrokenLaw) {
  Scenario<Garden> dry = busy();
  dry.setup.water = 0;
  expect_golden("report_invariant.txt", find({gardener<Slip::borrows>("one"), gardener<Slip::borrows>("two")}, dry));
}

TEST(Report, OfHiddenState) {
  expect_golden("report_hidden_state.txt", find({head_gardener, gardener<Slip::tires>("tired")}, busy()));
}

TEST(Report, OfASpentBudget) {
  expect_golden("report_budget_spent.txt", find({head_gardener, gardener<Slip::counts_short>("short")}, busy(),
                                                {.time = unhurried, .judgements_max = 2}));
}

TEST(Report, OfACrash) {
  Shrunk dying = shrunk({head_gardener, gardener<Slip::counts_short>("short")}, busy(), {.time = unhurried});
  Divergence& d = dying.divergence;
  d.kind = DivergenceKind::crash;
  d.field = "signal 11";
  d.actual = "died of signal 11 (Segmentation fault)";
  expect_golden("report_crash.txt", finding_of(dying, {"rulebook", "short"}, 0));
}

TEST(Finding, ItsTextIsAScenarioThatNamesItsImplementations) {
  const Finding finding = find({head_gardener, gardener<Slip::counts_short>("short")}, busy());
  const std::string text = finding_text(finding);
  const auto parsed = parse_scenario<Garden>(text);
  ASSERT_TRUE(parsed) << parsed.error().message("finding");
  EXPECT_EQ(scenario_text<Garden>(*parsed), finding.scenario);
  EXPECT_EQ(notes_of(text).implementations, (std::vector<std::string>{"rulebook", "short"}));
  EXPECT_EQ(notes_of(text).signature, finding.signature);
}

TEST(Finding, ACorpusKeepsItsSignatureAndTheUsersComments) {
  const Finding wrong = find({head_gardener, gardener<Slip::counts_short>("short")}, busy());
  Finding crash = wrong;
  crash.divergence.last_words = "ERROR: a message\n  #0 a frame\n";
  Finding unstable = as_unstable(wrong);
  unstable.why = "one line\n  and another";
  Finding unshrunk = wrong;
  unshrunk.why = "why";
  Finding spent = wrong;
  spent.minimal = false;
  for (Finding finding :
       {wrong, crash, unstable, unshrunk, spent, find({head_gardener, gardener<Slip::tires>("tired")}, busy())}) {
    finding.engine = "swarm";
    const std::string text = "# mine\n" + finding_text(finding) + "# at the end\n";
    EXPECT_EQ(text_for_corpus("lockstep 1 garden\nactions\n", text),
              "lockstep 1 garden\n# mine\n# at the end\nfinding\n  signature: " + finding.signature + "\nactions\n")
        << text;
  }
  EXPECT_EQ(text_for_corpus("lockstep 1 garden\nrows 3\n", "lockstep 1 garden\n# minimal: mine\nrows 3 # of a plot\n"),
            "lockstep 1 garden\n# minimal: mine\n# of a plot\nrows 3\n");
}

TEST(Finding, WithoutAFileTheCommandThatReplaysItSaysSo) {
  EXPECT_EQ(replay_command("a b.txt", {"rulebook", "./it.so:it"}),
            "lockstep replay 'a b.txt' --with rulebook,./it.so:it");
  EXPECT_EQ(replay_command("", {"rulebook", "honest"}),
            "its scenario has no file; when you have written it to one, lockstep replay FILE");
}

TEST(Finding, ItsFileIsNamedAfterItsSignature) {
  const Finding finding = find({head_gardener, gardener<Slip::counts_short>("short")}, busy());
  EXPECT_EQ(finding.file_name, "garden-" + hash_text("garden short observation plant count") + ".txt");
}

TEST(Finding, WhatAProgramReadsStandsInItsSection) {
  const FindingNotes notes = notes_of(
      "lockstep 1 x\n# mine\nfinding\r\n  implementations: a,b\r\n  failure: it\n"
      "    signature: no\n  signature: x a\nactions\n# simulators: c\n  signature: y\n");
  EXPECT_EQ(notes.implementations, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(notes.signature, "x a");
  for (const std::string text : {"", "lockstep 1 x\nactions\n", "lockstep 1 x\n## signature: a\nactions\n",
                                 "lockstep 1 x\nrows 3\nfinding\n  signature: a\nactions\n"}) {
    EXPECT_EQ(notes_of(text).signature, "") << text;
  }
}

TEST(Finding, OfAnOlderProgramIsReadFromItsComments) {
  const std::string text =
      "lockstep 1 garden\n# signature: garden a memory end\n# simulators: a,b\r\n# another cause: it\n# mine\nrows 3\n";
  const FindingNotes notes = notes_of(text);
  EXPECT_EQ(notes.implementations, (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(notes.memory());
  EXPECT_EQ(text_for_corpus("lockstep 1 garden\n", text),
            "lockstep 1 garden\n# another cause: it\n# mine\nfinding\n  signature: garden a memory end\n");
}

}  // namespace
}  // namespace lockstep
