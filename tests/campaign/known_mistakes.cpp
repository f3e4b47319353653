#include "campaign/known_mistakes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "campaign/campaign.hpp"
#include "lockstep/base/error.hpp"
#include "lockstep/process/files.hpp"
#include "lockstep/process/scratch.hpp"
#include "lockstep/system/typed.hpp"
#include "tests/campaign/garden_system.hpp"
#include "tests/lockstep/expected.hpp"

namespace lockstep {
namespace {

TEST(KnownMistakesFile, AreSignaturesOrScenariosBesideTheFile) {
  const ScratchFolder folder;
  const auto file = folder.path() / "known.txt";
  ASSERT_TRUE(write_file(folder.path() / "known/two.txt", "lockstep 1 elsewhere\n"));
  ASSERT_TRUE(
      write_file(file, "# a comment\n\n  heap wrong hang pop # issue 1\nscenario known/two.txt # why # really\n"));
  const auto known = read_known_mistakes(file);
  ASSERT_EQ(known.size(), 2u);
  EXPECT_EQ(known[0].signature, "heap wrong hang pop");
  EXPECT_EQ(known[0].reason, "issue 1");
  EXPECT_TRUE(known[0].scenario.empty());
  EXPECT_EQ(known[1].scenario, folder.path() / "known/two.txt");
  EXPECT_EQ(known[1].reason, "why # really");
  EXPECT_TRUE(known[1].signature.empty());
}

TEST(KnownMistakesFile, WithoutAReasonAreBadInputThatNamesTheLine) {
  const ScratchFolder folder;
  const auto file = folder.path() / "known.txt";
  for (const char* const line : {"heap wrong hang pop", "heap wrong hang pop # ", "scenario two.txt #",
                                 "heap wrong pop value # misspelt", "heap # x"}) {
    ASSERT_TRUE(write_file(file, std::string{"# a comment\n"} + line + "\n"));
    const std::string error = message_of([&] { read_known_mistakes(file); });
    EXPECT_TRUE(error.starts_with(file.string() + ":2: expected a signature")) << error;
  }
  EXPECT_THROW(read_known_mistakes(folder.path() / "none.txt"), BadInput);
}

/// Campaigns that know mistakes. "crashes" dies on rain of 100·n + 7.
class KnownMistakes : public testing::Test {
 protected:
  CampaignResult run_with(const std::string& implementation, const std::string& known) {
    EXPECT_TRUE(write_file(folder_ / "known.txt", known));
    const CampaignOptions asked{.seconds = 60,
                                .runs = 500,
                                .jobs = 2,
                                .with = {implementation},
                                .ignore = folder_ / "known.txt",
                                .out = out_.path(),
                                .corpus = "/nowhere",
                                .hunt_canary = false};
    return run_campaign(asked, garden(),
                        {.progress = [](const CampaignProgress&) {},
                         .found = [](const CampaignResult&, const Found&) {},
                         .checkpoint = [](const CampaignResult&) {},
                         .interrupted = [] { return false; }});
  }

  ScratchFolder folder_;
  ScratchFolder out_;
};

TEST_F(KnownMistakes, AreCountedAndNotReported) {
  const CampaignResult result = run_with("crashes", "# of 2026\n\ngarden crashes crash rain exit 5 # a link\n");
  EXPECT_TRUE(result.findings.empty());
  EXPECT_GT(result.ignored, 10u);
  EXPECT_EQ(result.ignored + result.total().scenarios, 500u);
  EXPECT_EQ(result.ignored_signatures, (std::map<std::string, bool>{{"garden crashes crash rain exit 5", true}}));
  std::string known;
  for (const auto* const kind : {"plant", "rain", "wait"}) {
    known += "garden counts_short observation " + std::string{kind} + " count # in the same process\n";
  }
  const CampaignResult short_counts = run_with("counts_short", known + "meadow crashes crash rain # elsewhere\n");
  EXPECT_GT(short_counts.ignored, 10u);
  const auto showed = [](const auto& mistake) { return mistake.second; };
  EXPECT_EQ(std::ranges::count_if(short_counts.ignored_signatures, showed), 3);
  EXPECT_EQ(short_counts.ignored_signatures.size(), 3u);
}

TEST_F(KnownMistakes, OthersAreReported) {
  const CampaignResult result = run_with("crashes", "garden crashes crash rain exit 6 # another\n");
  EXPECT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.ignored, 0u);
  EXPECT_EQ(result.ignored_signatures, (std::map<std::string, bool>{{"garden crashes crash rain exit 6", false}}));
}

TEST_F(KnownMistakes, AreRecognisedByTheirScenario) {
  const Scenario<Garden> scenario{.setup = {.moles = {}}, .actions = {Garden::Rain{7}}};
  ASSERT_TRUE(write_file(folder_ / "rain.txt", scenario_text<Garden>(scenario)));
  const CampaignResult result = run_with("crashes", "scenario rain.txt # it rains\n");
  EXPECT_TRUE(result.findings.empty());
  EXPECT_GT(result.ignored, 10u);
  EXPECT_TRUE(result.mended.empty());
  const std::string signature = "garden crashes crash rain exit 5";
  EXPECT_EQ(run_with("crashes", signature + " # it rains\nscenario rain.txt # the same\n").ignored_signatures,
            (std::map<std::string, bool>{{signature, true}}));
  EXPECT_TRUE(run_with("honest", signature + " # it rains\n").ignored_signatures.empty()) << "not judged";
  EXPECT_EQ(run_with("honest", "scenario rain.txt # it rains\n").mended,
            std::set<std::string>{folder_ / "rain.txt" + ": it rains"});
  ASSERT_TRUE(write_file(folder_ / "rain.txt", scenario_text<Garden>(scenario, "simulators: rulebook,crashes")));
  EXPECT_TRUE(run_with("honest", "scenario rain.txt # it rains\n").mended.empty()) << "of another implementation";
}

/// The mistake that needs no tulip is not ignored, whether the line is a signature or a scenario.
TEST_F(KnownMistakes, WithAConditionHideNoMistakeThatLooksAlike) {
  const std::string both = "garden two_mistakes observation plant count";
  Scenario<Garden> tulip{.setup = {.rows = 2, .water = 1, .beds = Grid{2, 1}, .moles = {}}, .actions = {}};
  tulip.actions = {Garden::Plant{1, 0, 2}};
  ASSERT_TRUE(write_file(folder_ / "tulip.txt", scenario_text<Garden>(tulip)));
  for (const std::string& known : std::vector{both + " if flower=tulip", std::string{"scenario tulip.txt"}}) {
    const CampaignResult result = run_with("two_mistakes", known + " # of tulips\n");
    ASSERT_EQ(result.findings.size(), 1u) << known;
    EXPECT_EQ(result.findings[0].finding.signature, both);
    EXPECT_GT(result.ignored, 0u);
  }
  EXPECT_TRUE(run_with("two_mistakes", both + " # as older files name it\n").findings.empty());
}

TEST_F(KnownMistakes, OfMemoryOrUnstableAreKnownByTheirSignature) {
  const Scenario<Garden> scenario{.setup = {.moles = {}}, .actions = {Garden::Rain{8}}};
  for (const std::string signature :
       {"garden crashes memory end leak in f()", "garden crashes crash rain exit 5 unstable"}) {
    ASSERT_TRUE(write_file(folder_ / "rain.txt", scenario_text<Garden>(scenario, "signature: " + signature)));
    const CampaignResult result = run_with("crashes", "scenario rain.txt # it agrees when it is judged again\n");
    EXPECT_TRUE(result.mended.empty());
    EXPECT_EQ(result.ignored_signatures, (std::map<std::string, bool>{{signature, false}}));
  }
}

}  // namespace
}  // namespace lockstep
