// Plugins as the judge uses them. These plugins are part of this process; tests/plugin_test.py tests loading from files
// and its errors.
#include "lockstep/system/plugin.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <signal.h>

#include <stdexcept>

#include "lockstep/judge/judge.hpp"
#include "lockstep/process/child.hpp"
#include "lockstep/shrink/shrink.hpp"
#include "props/generators.hpp"
#include "props/typed.hpp"
#include "tests/lockstep/expected.hpp"
#include "tests/lockstep/garden.hpp"

namespace lockstep {
namespace {

/// How a plugin reports its answers.
enum class Manner {
  plain,
  with_blanks,       // correct, with white space around each value
  refuses,           // returns a reason instead
  says_nothing,      // returns without an answer
  leaves_one_out,    // omits the last answer
  says_one_more,     // answers once more after the last action
  keeps_a_snapshot,  // omits the last snapshot
  shows_one_more,    // adds a snapshot that was not asked for
  talks_nonsense,    // answers with bytes that are no fields
  throws,            // lets an exception leave it, which C does not know
};

void say(const Trace<Garden>& trace, Manner manner, lockstep_run& run) {
  const std::span wanted{run.positions, run.position_count};
  const std::size_t total = trace.observations.size();
  for (std::size_t done = 0; done <= total; ++done) {
    const bool last = done == total;
    if (done > 0 && !(last && manner == Manner::leaves_one_out)) {
      std::string words = lines_of(observation_fields<Garden>(trace.observations[done - 1]));
      if (manner == Manner::with_blanks) words = " \n" + words + "\r\n\n";
      if (manner == Manner::talks_nonsense) words = "\x01\xff=\n==\n";
      run.observation(&run, words.c_str());
    }
    const bool asked = std::ranges::binary_search(wanted, done) && !(last && manner == Manner::keeps_a_snapshot);
    const int shown = (asked ? 1 : 0) + (last && manner == Manner::shows_one_more ? 1 : 0);
    for (int i = 0; i < shown; ++i)
      run.snapshot(&run, lines_of(snapshot_fields<Garden>(trace.snapshots[done])).c_str());
  }
  if (manner == Manner::says_one_more) run.observation(&run, "legal=yes\n");
}

template <Slip slip, Manner manner>
const char* play_as(const lockstep_simulator*, lockstep_run* run) {
  if (manner == Manner::refuses) return "no gardener\nat home";
  if (manner == Manner::says_nothing) return nullptr;
  if (manner == Manner::throws) throw std::runtime_error{"no gardener"};
  Trace<Garden> trace;
  run_trace<Gardener<slip>, Garden>(scenario_of(run->scenario), Cadence::every(), trace);
  say(trace, manner, *run);
  return nullptr;
}

template <Slip slip, Manner manner = Manner::plain>
Runner plugin(std::string_view name = "plugin.so:gardener") {
  static constexpr lockstep_simulator entry{"garden", "gardener", nullptr, play_as<slip, manner>};
  auto out = implementation_of("", entry, head_gardener);
  out.name = name;
  return out;
}

Runner renamed(Runner implementation, std::string_view name) {
  implementation.name = name;
  return implementation;
}

const Scenario<Garden> three_roses = scenario_of(
    "lockstep 1 garden\nrows 1\ncolumns 3\nwater 9\nbeds\nrr.\nactions\nwait\nrain amount=7\nplant row=0 column=2 "
    "flower=rose\n"
    "wait\n");

Verdict judge_beside_the_rulebook(const Runner& implementation, const Scenario<Garden>& scenario = three_roses) {
  return JudgeOf<Garden>{{head_gardener, implementation}}.judge(scenario);
}

template <Manner manner>
std::string difference() {
  const Verdict verdict = judge_beside_the_rulebook(plugin<Slip::none, manner>());
  if (!verdict.divergence) return "none";
  const Divergence& d = *verdict.divergence;
  return std::to_string(d.step) + " " + std::string{to_string(d.kind)} + " " + d.field + ": " + d.expected + ", " +
         d.actual;
}

RC_GTEST_PROP(Plugin, APluginThatAnswersAsTheReferenceAgrees, ()) {
  const auto scenario = laws::any_scenario<Garden>();
  RC_ASSERT(judge_beside_the_rulebook(plugin<Slip::none>(), scenario).agreed());
}

/// The same mistake, once built in and once behind a plugin, gives word for word the same verdict.
RC_GTEST_PROP(Plugin, GetsTheVerdictOfABuiltInImplementation, ()) {
  const auto scenario = laws::any_scenario<Garden>();
  const auto same = [&](const Runner& ours, const Runner& theirs) {
    const Verdict one = judge_beside_the_rulebook(ours, scenario);
    const Verdict other = judge_beside_the_rulebook(theirs, scenario);
    RC_ASSERT(one.diverged() == other.diverged());
    if (!one.divergence) return;
    RC_ASSERT(one.divergence->signature() == other.divergence->signature());
    RC_ASSERT(one.divergence->step == other.divergence->step);
    RC_ASSERT(one.divergence->expected == other.divergence->expected);
    RC_ASSERT(one.divergence->actual == other.divergence->actual);
  };
  same(gardener<Slip::counts_short>("it"), plugin<Slip::counts_short>("it"));
  same(gardener<Slip::forgets_rain>("it"), plugin<Slip::forgets_rain>("it"));
  same(gardener<Slip::remembers>("it"), plugin<Slip::remembers>("it"));
}

TEST(Plugin, OnlyItsTextIsCompared) {
  // A value that is not described cannot be sent, and so cannot differ.
  const auto winter = scenario_of("lockstep 1 garden\nseason winter\nbeds empty\nactions\nrain amount=1\n");
  EXPECT_TRUE(judge_beside_the_rulebook(gardener<Slip::whispers>("it"), winter).diverged());
  EXPECT_TRUE(judge_beside_the_rulebook(plugin<Slip::whispers>(), winter).agreed());
}

TEST(Plugin, SpacesInAnAnswerDoNotMatter) { EXPECT_EQ(difference<Manner::with_blanks>(), "none"); }

TEST(Plugin, AMissingAnswerIsADifferenceWithItsReason) {
  EXPECT_EQ(difference<Manner::refuses>(), "0 snapshot (next): a snapshot, a refusal: no gardener?at home");
  EXPECT_EQ(difference<Manner::says_nothing>(), "0 snapshot (next): a snapshot, the end");
}

TEST(Plugin, TooFewOrTooManyAnswersAreADifferenceAtTheirPlace) {
  EXPECT_EQ(difference<Manner::leaves_one_out>(), "4 observation (next): an answer, a snapshot");
  EXPECT_EQ(difference<Manner::says_one_more>(), "4 snapshot (next): the end, an answer");
  EXPECT_EQ(difference<Manner::keeps_a_snapshot>(), "4 snapshot (next): a snapshot, the end");
  EXPECT_EQ(difference<Manner::shows_one_more>(), "4 snapshot (next): the end, a snapshot");
}

TEST(Plugin, AnInvalidAnswerIsQuotedInPrintableCharacters) {
  EXPECT_EQ(difference<Manner::talks_nonsense>(), "1 observation legal: yes, \?\?=");
}

TEST(Plugin, IsBlamedOnlyIfItAloneDiffers) {
  const auto blamed = [](std::vector<Runner> implementations) {
    return JudgeOf<Garden>{std::move(implementations)}.judge(three_roses).divergence->blamed;
  };
  const auto other = gardener<Slip::none>("other");
  EXPECT_EQ(blamed({head_gardener, other, plugin<Slip::counts_short>("p")}), "p");
  EXPECT_EQ(blamed({head_gardener, plugin<Slip::none>("q"), gardener<Slip::counts_short>("short")}), "short");
}

TEST(Plugin, TwoThatAgreeOutvoteTheReference) {
  const Verdict verdict = JudgeOf<Garden>{{head_gardener, plugin<Slip::counts_short, Manner::plain>("one"),
                                           plugin<Slip::counts_short, Manner::with_blanks>("two")}}
                              .judge(three_roses);
  ASSERT_TRUE(verdict.divergence);
  EXPECT_EQ(verdict.divergence->blamed, "rulebook");
  EXPECT_EQ(verdict.divergence->field, "count");
  EXPECT_EQ(verdict.divergence->expected, "2,0");  // the answer of the others
  EXPECT_EQ(verdict.divergence->actual, "3,0");
}

/// A refusal is not an answer, so equal refusals are not an agreement.
TEST(Plugin, ThoseThatDoNotAnswerHaveNoCommonVote) {
  const auto blamed = [](std::vector<Runner> implementations, std::size_t actions = 4) {
    Scenario<Garden> scenario = three_roses;
    scenario.actions.resize(actions);
    return JudgeOf<Garden>{std::move(implementations)}.judge(scenario).divergence->blamed;
  };
  const auto two_of = [](const Runner& silent) {
    return std::vector{head_gardener, renamed(silent, "one"), renamed(silent, "two")};
  };
  EXPECT_EQ(blamed(two_of(plugin<Slip::none, Manner::refuses>())), "one");
  EXPECT_EQ(blamed(two_of(plugin<Slip::none, Manner::says_nothing>())), "one");
  EXPECT_EQ(blamed(two_of(plugin<Slip::none, Manner::says_one_more>())), "one");
  EXPECT_EQ(blamed(two_of(plugin<Slip::none, Manner::shows_one_more>())), "one");
  // Those that answer still outvote a wrong reference.
  auto with_answers = two_of(plugin<Slip::none, Manner::leaves_one_out>());
  with_answers[0] = gardener<Slip::counts_short>("wrong");
  with_answers.push_back(gardener<Slip::none>("three"));
  with_answers.push_back(gardener<Slip::none>("four"));
  EXPECT_EQ(blamed(with_answers, 3), "wrong");
}

TEST(Plugin, AnExceptionThatLeavesItEndsTheProcessLikeACrash) {
  auto child = ChildProcess::call(
      [](Outbox&) {
        try {
          static_cast<void>(difference<Manner::throws>());
        } catch (const std::runtime_error&) {
          // As if it were one of the library
        }
      },
      ChildProcess::quiet());
  ASSERT_TRUE(child) << child.error();
  EXPECT_EQ(child->wait().kind(), "signal 6");
}

TEST(Plugin, IsShrunk) {
  JudgeOf<Garden> judge{{head_gardener, plugin<Slip::counts_short>()}};
  const Shrinker shrinker{[&](const AnyScenario& s) { return judge.any().judge(s); }, head_gardener};
  const Shrunk shrunk = shrinker.shrink(any_of<Garden>(three_roses));
  EXPECT_TRUE(shrunk.minimal);
  EXPECT_EQ(shrunk.scenario.size(), 1u);
  EXPECT_EQ(shrunk.divergence.field, "count");
}

TEST(Plugin, ItsActionInFlightIsTheOneAfterItsLastAnswer) {
  volatile std::uint32_t in_flight = 77;
  Trace<Garden> trace;
  trace.progress = &in_flight;
  run_typed<Garden>(plugin<Slip::none>(), three_roses, Cadence{}, trace);
  EXPECT_EQ(in_flight, 4u);
  run_typed<Garden>(plugin<Slip::none, Manner::leaves_one_out>(), three_roses, Cadence{}, trace);
  EXPECT_EQ(in_flight, 3u);
}

RC_GTEST_PROP(Plugin, LinesAreReadAsWritten, ()) {
  const auto scenario = laws::any_scenario<Garden>();
  const auto fields = snapshot_fields<Garden>(scenario.setup);
  const auto read = fields_of(lines_of(fields));
  RC_ASSERT(read.size() == fields.size());
  RC_ASSERT(first_difference(fields, read).name.empty());
}

RC_GTEST_PROP(Plugin, ASnapshotsTextIsDrawnAsTheSnapshotIs, ()) {
  const auto scenario = laws::any_scenario<Garden>();
  RC_ASSERT(picture_of(snapshot_fields<Garden>(scenario.setup)) == snapshot_text<Garden>(scenario.setup));
}

RC_GTEST_PROP(Plugin, AnyAnswerIsRead, (const std::string& bytes)) {
  for (const auto& [name, text] : fields_of(bytes)) {
    for (const char c : name + text) RC_ASSERT(c >= ' ' && c <= '~');
  }
  (void)picture_of(fields_of(bytes));
}

TEST(Plugin, IsLoadedWhereTheHostKeepsNoStatusOfItsChildren) {
  struct sigaction keeps_none = {};
  keeps_none.sa_handler = SIG_DFL;
  keeps_none.sa_flags = SA_NOCLDWAIT;
  struct sigaction before = {};
  sigaction(SIGCHLD, &keeps_none, &before);
  const auto opened = register_plugin(vocabulary<Garden>(), "/nowhere.so");
  sigaction(SIGCHLD, &before, nullptr);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "No such file", error_of(opened));
}

TEST(PluginName, HasASlashOrEndsLikeALibrary) {
  for (const auto* name : {"mine.so", "./mine", "mine.so:fast", "/a/b.so:x", "a:b/c.so"})
    EXPECT_TRUE(names_plugin(name)) << name;
  for (const auto* name : {"lanes", "reference", "so", "bit_planes", ""}) EXPECT_FALSE(names_plugin(name)) << name;
}

}  // namespace
}  // namespace lockstep
