// Checks inside a test: lockstep::check.
#include "lockstep/program/check.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "lockstep/draw/corpus.hpp"
#include "lockstep/process/files.hpp"
#include "lockstep/process/scratch.hpp"
#include "lockstep/program/builder.hpp"
#include "tests/campaign/checks.hpp"
#include "tests/lockstep/expected.hpp"
#include "tests/lockstep/garden.hpp"

namespace lockstep {
namespace {

struct Rulebook : Gardener<Slip::none> {
  using Gardener::Gardener;
};
struct Honest : Gardener<Slip::none> {
  using Gardener::Gardener;
};
struct CountsShort : Gardener<Slip::counts_short> {
  using Gardener::Gardener;
};
struct Borrows : Gardener<Slip::borrows> {
  using Gardener::Gardener;
};
struct LeftHanded : Gardener<Slip::left_handed> {
  using Gardener::Gardener;
};
struct Dies : Gardener<Slip::none> {
  using Gardener::Gardener;
  Garden::Observation step(const Garden::Action& action) {
    if (const auto* const rain = std::get_if<Garden::Rain>(&action); rain != nullptr && rain->amount > 200)
      std::abort();
    return Gardener::step(action);
  }
};

TEST(Check, ImplementationsThatAgreeAreTrueAndTheScenariosAreCounted) {
  const auto result = check<Garden, Rulebook, Honest>({.scenarios = 200});
  EXPECT_TRUE(result) << result.report();
  EXPECT_EQ(result.scenarios(), 200u);
  EXPECT_EQ(result.report(), "garden: Rulebook, Honest, Rulebook.mirror agree on 200 scenarios (seed 1)\n");
}

TEST(Check, ADifferenceIsFalseAndItsScenarioIsReported) {
  const auto result = check<Garden, Rulebook, CountsShort>({.scenarios = 100'000});
  expect_failure(result, {"DIVERGENCE in garden at step 1 of 1 (wait), "
                          "CountsShort differs in the observation's count: expected 3,0, got 2,0",
                          "  | lockstep 1 garden\n", "seed 1, after "});
  std::ostringstream printed;
  printed << result;
  EXPECT_EQ(printed.str(), result.report());
}

TEST(Check, TheSameSeedGivesTheSameReport) {
  const CheckOptions options{.scenarios = 100'000, .seed = 7};
  const auto once = check<Garden, Rulebook, CountsShort>(options);
  EXPECT_FALSE(once);
  // The number of scenarios depends on when the campaign polls its worker.
  const auto scenario = [](const CheckResult& result) {
    return result.report().substr(0, result.report().find("after "));
  };
  EXPECT_EQ(scenario(check<Garden, Rulebook, CountsShort>(options)), scenario(once));
}

TEST(Check, SurvivesACrash) {
  expect_failure(check<Garden, Rulebook, Dies>({.scenarios = 100'000}), {"Dies died of signal 6", "rain amount=201"});
}

TEST(Check, ATextIsJudged) {
  const CheckOptions roses{.seconds = 0,
                           .text =
                               "lockstep 1 garden\nrows 2\ncolumns 2\nwater 1\nbeds\nr.\nr.\nactions\n"
                               "plant row=0 column=1 flower=rose\n"};
  EXPECT_TRUE((check<Garden, Rulebook, Honest>(roses)));
  expect_failure(check<Garden, Rulebook, CountsShort>(roses), {"DIVERGENCE in the text at step 1 of 1 (plant row=0 "});
  expect_failure(check<Garden, Rulebook, Honest>({.seconds = 0, .text = "lockstep 1 gardn\n"}), {"the text:1:12: "});
}

TEST(Check, AFindingIsWrittenToTheCorpusWhichIsReplayedFirst) {
  const ScratchFolder corpus;
  const auto found = check<Garden, Rulebook, CountsShort>({.scenarios = 100'000, .corpus = corpus.path()});
  const auto files = corpus_files_if_any(corpus.path());
  ASSERT_EQ(files.size(), 1u);
  expect_failure(found, {"kept as " + files[0].string()});
  const auto replayed = check<Garden, Rulebook, CountsShort>({.seconds = 0, .corpus = corpus.path()});
  EXPECT_EQ(replayed.scenarios(), 1u);
  expect_failure(replayed, {"DIVERGENCE in " + files[0].string() + " at step 1 of 1"});
  const auto one_file = check<Garden, Rulebook, Honest>({.seconds = 0, .corpus = files[0]});
  EXPECT_TRUE(one_file) << one_file.report();
}

TEST(Check, FindingsGoToTheGivenFolder) {
  const ScratchFolder corpus;
  const ScratchFolder findings;
  EXPECT_FALSE((check<Garden, Rulebook, CountsShort>(
      {.scenarios = 100'000, .corpus = corpus.path(), .findings = findings.path()})));
  EXPECT_TRUE(corpus_files_if_any(corpus.path()).empty());
  EXPECT_EQ(corpus_files_if_any(findings.path()).size(), 1u);
}

TEST(Check, ACheckWithoutScenariosFails) {
  for (const double timeout : {0.0, -1.0, 1e18}) {
    expect_failure(check<Garden, Rulebook, Honest>({.seconds = 0, .timeout = timeout}),
                   {"CheckOptions::timeout: expected"});
  }
  const auto nothing = check<Garden, Rulebook, Honest>({.seconds = 0});
  expect_failure(nothing, {"nothing was judged"});
  const ScratchFolder empty;
  EXPECT_FALSE((check<Garden, Rulebook, Honest>({.seconds = 0, .corpus = empty.path()})));
}

TEST(Check, ACorpusThatIsMissingOrBrokenIsFalse) {
  const auto missing = check<Garden, Rulebook, Honest>({.scenarios = 10, .corpus = "/no/such/folder"});
  expect_failure(
      missing, {"/no/such/folder: No such file or directory", "create the folder, or leave CheckOptions::corpus out"});
  const ScratchFolder corpus;
  ASSERT_TRUE(write_file(corpus.path() / "broken.txt", "lockstep 1 garden\nactions\ndig\n"));
  const auto broken = check<Garden, Rulebook, Honest>({.scenarios = 10, .corpus = corpus.path()});
  expect_failure(broken, {"broken.txt:3:1: expected an action (plant, rain, wait), got 'dig'"});
}

TEST(Check, AFileThatDiffersAndOneThatIsBrokenAreBothReported) {
  const ScratchFolder corpus;
  constexpr std::string_view roses = "lockstep 1 garden\nrows 1\ncolumns 3\nbeds\nrrr\nactions\nwait\n";
  ASSERT_TRUE(write_file(corpus.path() / "a.txt", roses));
  ASSERT_TRUE(write_file(corpus.path() / "b.txt", "lockstep 1 garden\nactions\ndig\n"));
  ASSERT_TRUE(write_file(corpus.path() / "c.txt", roses));
  const auto result = check<Garden, Rulebook, CountsShort>({.scenarios = 10, .corpus = corpus.path()});
  EXPECT_EQ(result.scenarios(), 2u);
  expect_failure(result, {"DIVERGENCE in " + (corpus / "a.txt") + " at step 1 of 1",
                          "b.txt:3:1: expected an action (plant, rain, wait), got 'dig'",
                          "DIVERGENCE in " + (corpus / "c.txt") + " at step 1 of 1"});
}

TEST(Check, EnvironmentVariablesOverrideOptions) {
  const Variable seed{"LOCKSTEP_SEED", "12"};
  const auto result = check<Garden, Rulebook, Honest>({.scenarios = 10, .seed = 5});
  EXPECT_TRUE(result.report().contains("(seed 12)")) << result.report();
  const Variable seconds{"LOCKSTEP_SECONDS", "0"};
  EXPECT_FALSE((check<Garden, Rulebook, Honest>({.scenarios = 10})));
}

TEST(Check, AnEnvironmentThatIsNoNumberIsFalse) {
  for (const char* variable : {"LOCKSTEP_SEED", "LOCKSTEP_SECONDS"}) {
    for (const char* value : {"many", "-1", "1x", "1e99", " 1"}) {
      const Variable set{variable, value};
      const auto result = check<Garden, Rulebook, Honest>({.scenarios = 10});
      expect_failure(result, {std::string{variable} + ": expected ", std::string{"got '"} + value + "'"});
    }
  }
}

TEST(Check, OneImplementationIsJudgedByInvariantsAndSymmetries) {
  EXPECT_TRUE((check<Garden, Honest>({.scenarios = 300})));
  expect_failure(check<Garden, Borrows>({.scenarios = 100'000}),
                 {"all implementations break a law: water was taken from an empty butt"});
  expect_failure(check<Garden, LeftHanded>({.scenarios = 100'000}),
                 {"LeftHanded.mirror differs in the observation's legal"});
}

TEST(Check, OneImplementationWithoutLawsIsRefused) {
  const auto result = check<Adder, Sum>({.scenarios = 10});
  EXPECT_FALSE(result);
  EXPECT_EQ(result.report(),
            "adder: nothing was judged: name at least one implementation of adder beside the reference, or give the "
            "system Laws::violation: nothing would be judged\n");
}

}  // namespace
}  // namespace lockstep
