#include "lockstep/services/finding.hpp"

#include <gtest/gtest.h>

#include "lockstep/base/error.hpp"

namespace lockstep {
namespace {

const Finding whole{.signature = "garden short observation plant count",
                    .file_name = "garden-1.txt",
                    .implementations = {"rulebook", "short"},
                    .scenario = "lockstep 1 garden\n",
                    .explanation = "at step \"3\"\nof 4",
                    .divergence = {DivergenceKind::observation, 3, "garden", "short", "plant", "count", "3", "2"},
                    .minimal = true,
                    .hidden_state = true,
                    .restated = "lockstep 1 garden\nactions\n",
                    .why = "by chance",
                    .actions_before = 7,
                    .actions = 3,
                    .judgements = 99,
                    .shrinking_seconds = 1.5,
                    .engine = "swarm"};

TEST(Finding, AFindingSurvivesSerialization) {
  const Finding back = finding_from(to_json(whole));
  EXPECT_EQ(back.signature, whole.signature);
  EXPECT_EQ(back.file_name, whole.file_name);
  EXPECT_EQ(back.implementations, whole.implementations);
  EXPECT_EQ(back.scenario, whole.scenario);
  EXPECT_EQ(back.explanation, whole.explanation);
  EXPECT_EQ(back.divergence.signature(), whole.divergence.signature());
  EXPECT_EQ(back.divergence.expected, "3");
  EXPECT_EQ(back.divergence.actual, "2");
  EXPECT_EQ(back.minimal, whole.minimal);
  EXPECT_EQ(back.hidden_state, whole.hidden_state);
  EXPECT_EQ(back.restated, whole.restated);
  EXPECT_EQ(back.why, whole.why);
  EXPECT_EQ(back.actions_before, whole.actions_before);
  EXPECT_EQ(back.actions, whole.actions);
  EXPECT_EQ(back.judgements, whole.judgements);
  EXPECT_EQ(back.shrinking_seconds, whole.shrinking_seconds);
  EXPECT_EQ(back.engine, whole.engine);
}

TEST(Finding, AVerdictSurvivesSerialization) {
  EXPECT_TRUE(verdict_from(to_json(Verdict{})).agreed());
  const Verdict undecided{Verdict::State::cannot_judge, {}, "why"};
  EXPECT_EQ(verdict_from(to_json(undecided)).reason, "why");
  EXPECT_EQ(verdict_from(to_json(undecided)).state, Verdict::State::cannot_judge);
  for (const auto kind : {DivergenceKind::observation, DivergenceKind::snapshot, DivergenceKind::invariant,
                          DivergenceKind::crash, DivergenceKind::hang, DivergenceKind::memory}) {
    const Verdict verdict{
        Verdict::State::diverged, Divergence{kind, 3, "garden", "short", "plant", "count[0]", "3", "2"}, {}};
    const Verdict back = verdict_from(to_json(verdict));
    ASSERT_TRUE(back.divergence);
    EXPECT_EQ(back.divergence->signature(), verdict.divergence->signature());
    EXPECT_EQ(back.divergence->step, 3u);
    EXPECT_EQ(back.divergence->expected, "3");
    EXPECT_EQ(back.divergence->actual, "2");
  }
}

TEST(Finding, AnExplanationSurvivesSerialization) {
  Explanation explanation{.signature = "s",
                          .system = "garden",
                          .lines = {},
                          .complete = true,
                          .judgements = 5,
                          .redrawn = 4,
                          .redrawn_that_fail = 3};
  explanation.lines.push_back({.kind = ExplainedLine::Kind::action,
                               .name = "plant",
                               .matter = Matter::matters,
                               .words = {{"row", "1", Matter::free}, {"column", "2", Matter::fixed}}});
  const Explanation back = explanation_from(to_json(explanation));
  EXPECT_EQ(explanation_text(back, false), explanation_text(explanation, false));
  EXPECT_EQ(back.redrawn_that_fail, 3);
}

TEST(Finding, BytesThatAreNoTextAreReplaced) {
  Verdict verdict{Verdict::State::cannot_judge, {}, "\xff\xfe"};
  EXPECT_NE(verdict_from(to_json(verdict)).reason, "");
}

TEST(Finding, ABrokenLineIsAnInternalError) {
  for (const char* const line :
       {"", "{", "[]", "{}", R"({"state": "fine", "reason": ""})", R"({"state": 1, "reason": ""})"}) {
    EXPECT_THROW(verdict_from(line), InternalError) << line;
    EXPECT_THROW(finding_from(line), InternalError) << line;
    EXPECT_THROW(explanation_from(line), InternalError) << line;
  }
}

TEST(Finding, ALineWithoutItsEndStaysInTheStream) {
  std::string stream = to_json(whole) + "\n" + to_json(whole) + "\n{\"sig";
  EXPECT_EQ(take_messages(stream).findings.size(), 2u);
  EXPECT_EQ(stream, "{\"sig");
  EXPECT_TRUE(take_messages(stream).findings.empty());
}

TEST(Finding, FaultsAndFindingsOfAStreamAreToldApart) {
  std::string stream =
      fault_to_json("no memory\nat all") + "\n" + to_json(whole) + "\n" + fault_to_json("\xff") + "\n{";
  const Messages messages = take_messages(stream);
  ASSERT_EQ(messages.findings.size(), 1u);
  EXPECT_EQ(messages.findings[0].signature, whole.signature);
  ASSERT_EQ(messages.faults.size(), 2u);
  EXPECT_EQ(messages.faults[0], "no memory\nat all");
  EXPECT_EQ(stream, "{");
  for (std::string broken : {"[]\n", "{}\n", "{\"fault\": 1}\n"}) EXPECT_THROW(take_messages(broken), InternalError);
}

}  // namespace
}  // namespace lockstep
