#include "campaign/campaign.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <map>
#include <set>

#include "lockstep/base/error.hpp"
#include "lockstep/process/files.hpp"
#include "lockstep/process/scratch.hpp"
#include "lockstep/services/report.hpp"
#include "lockstep/system/typed.hpp"
#include "tests/campaign/fragile_system.hpp"
#include "tests/campaign/garden_system.hpp"
#include "tests/lockstep/expected.hpp"

namespace lockstep {
namespace {

/// Counts callbacks.
struct Watcher {
  int told = 0;
  int checkpoints = 0;
  std::vector<std::string> files;  // of findings; each file exists when its finding is reported

  CampaignCallbacks callbacks() {
    return {.progress = [this](const CampaignProgress&) { ++told; },
            .found =
                [this](const CampaignResult&, const Found& found) {
                  if (std::filesystem::exists(found.file)) files.push_back(found.file);
                },
            .checkpoint = [this](const CampaignResult&) { ++checkpoints; },
            .interrupted = [] { return false; }};
  }
};

class Campaigns : public testing::Test {
 protected:
  CampaignOptions options() const { return {.seconds = 60, .jobs = 2, .out = scratch_.path(), .corpus = "/nowhere"}; }
  /// Judges this implementation as long as there are scenarios, with one worker, so that it repeats.
  CampaignOptions searching(const std::string& implementation, std::uint64_t runs) const {
    CampaignOptions asked = options();
    asked.runs = runs;
    asked.jobs = 1;
    asked.with = {implementation};
    asked.hunt_canary = false;
    asked.keep_going = true;
    return asked;
  }
  CampaignResult run(const CampaignOptions& options) { return run_campaign(options, garden(), watcher_.callbacks()); }

  ScratchFolder scratch_;
  Watcher watcher_;
};

TEST_F(Campaigns, WhatTheHuntFindsOfOthersIsAFindingOfTheCampaign) {
  const CampaignResult result = run_campaign(options(), fragile(), watcher_.callbacks());
  EXPECT_EQ(result.canary.name, "right");
  EXPECT_FALSE(result.canary.found);
  EXPECT_TRUE(result.canary.others.empty());
  const Found found = only(result.findings);
  EXPECT_EQ(found.finding.signature, "fragile brittle crash add exit 5");
  EXPECT_TRUE(found.finding.minimal) << finding_text(found.finding);
  EXPECT_EQ(read_file(found.file).value_or(""), finding_text(found.finding));
  EXPECT_FALSE(watcher_.files.empty());
  EXPECT_TRUE(result.faults.empty());
  EXPECT_LT(result.seconds, 50) << "the search goes on after a finding";
}

TEST_F(Campaigns, ADifferenceIsShrunkWrittenAndReported) {
  CampaignOptions asked = searching("counts_short", options().runs);
  asked.keep_going = false;
  const CampaignResult result = run(asked);
  const Found found = only(result.findings);
  EXPECT_EQ(watcher_.files, std::vector<std::string>{found.file});
  EXPECT_EQ(read_file(found.file).value_or(""), finding_text(found.finding));
  EXPECT_TRUE(found.finding.signature.starts_with("garden counts_short observation "));
  EXPECT_GT(found.finding.scenarios, 0u);
  EXPECT_GT(found.finding.seconds, 0);
  EXPECT_TRUE(finding_text(found.finding).contains("\n  found: after ")) << finding_text(found.finding);
  EXPECT_TRUE(finding_text(found.finding).contains(", by " + found.finding.engine + "; shrunk in "))
      << finding_text(found.finding);
  EXPECT_TRUE(found.finding.minimal);
  EXPECT_TRUE(result.detected);
  EXPECT_EQ(result.total().findings, 1u);
  EXPECT_GE(watcher_.checkpoints, 1);
}

TEST_F(Campaigns, ActionsThatAreLeftOutAreNotDrawn) {
  CampaignOptions asked = searching("crashes", 2'000);
  asked.without = {"rain"};
  const CampaignResult result = run(asked);
  EXPECT_TRUE(result.findings.empty());
  EXPECT_EQ(result.total().scenarios, 2'000u);
  EXPECT_GT(result.total().steps, 2'000u);
  asked.without = {"raim"};
  EXPECT_THROW(run(asked), BadInput);
}

TEST_F(Campaigns, AFindingWhoseScenarioIsKnownIsNotReported) {
  const CampaignOptions asked = searching("counts_short", 300);
  CampaignResult known = run(asked);
  const std::size_t findings = known.findings.size();
  ASSERT_GE(findings, 1u);
  for (auto& found : known.findings) found.finding.signature += " once";  // shrinking has become better since
  known.next.clear();
  std::map<std::string, int> times;
  for (const auto& found : run_campaign(asked, garden(), watcher_.callbacks(), &known).findings)
    ++times[found.finding.scenario];
  EXPECT_GE(times.size(), findings);
  EXPECT_TRUE(std::ranges::all_of(times, [](const auto& each) { return each.second == 1; }));
}

/// No crash leaves a descriptor open or a process behind, so a hundred of them stand for any number.
TEST_F(Campaigns, AHundredCrashesOfThreeCausesAreThreeFindings) {
  const auto open_descriptors = [] {
    return std::ranges::distance(std::filesystem::directory_iterator{"/proc/self/fd"});
  };
  const auto open_before = open_descriptors();
  constexpr std::uint64_t crashes_min = 100;
  CampaignOptions asked = searching("three_causes", 7 * crashes_min / 2);
  asked.seconds = 3600;
  const CampaignResult result = run(asked);
  const std::uint64_t crashes = asked.runs - result.total().scenarios;
  EXPECT_GE(crashes, crashes_min);
  std::set<std::string> signatures;
  for (const auto& found : result.findings) {
    signatures.insert(found.finding.signature);
    // Begun when it was found, and shrunk further after the search: the file has what the result has.
    EXPECT_EQ(read_file(found.file).value_or(""), finding_text(found.finding));
  }
  EXPECT_EQ(signatures, (std::set<std::string>{"garden three_causes crash plant signal 6 if flower=tulip",
                                               "garden three_causes crash wait exit 4",
                                               "garden three_causes snapshot rain fence"}));
  EXPECT_TRUE(result.faults.empty());
  EXPECT_LE(open_descriptors(), open_before);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);  // no child
}

/// A finding's file holds another scenario already, and the second name is that of a folder.
class CampaignsWithoutAFile : public Campaigns {
 protected:
  CampaignsWithoutAFile() {
    EXPECT_TRUE(write_file(taken_, other_));
    std::filesystem::create_directory(second_);
  }
  const std::string signature_ = "garden crashes crash rain exit 5";
  const std::string taken_ = scratch_ / finding_file_name("garden", signature_);
  const std::string second_ = taken_.substr(0, taken_.size() - std::string_view{".txt"}.size()) + "-2.txt";
  const std::string other_ = scenario_text<Garden>({.setup = {.moles = {}}, .actions = {Garden::Wait{}}});
};

TEST_F(CampaignsWithoutAFile, AFindingDoesNotTakeThatOfAnother) {
  const CampaignResult result = run(searching("crashes", 500));
  const Found found = only(result.findings);
  EXPECT_EQ(found.finding.signature, signature_);
  EXPECT_EQ(found.file, "");
  EXPECT_TRUE(watcher_.files.empty());
  EXPECT_EQ(read_file(taken_).value_or(""), other_);
  const std::string fault = only(result.faults);
  EXPECT_TRUE(fault.contains(second_)) << fault;
  EXPECT_TRUE(fault.contains("The finding:\nlockstep 1 garden\n")) << fault;
}

TEST_F(CampaignsWithoutAFile, AFindingIsWrittenAtTheEndIfThatIsPossibleThen) {
  CampaignCallbacks callbacks = watcher_.callbacks();
  std::vector<std::string> told;
  callbacks.found = [&](const CampaignResult&, const Found& each) {
    told.push_back(each.file);
    if (told.size() == 1) std::filesystem::remove(second_);
  };
  const CampaignResult result = run_campaign(searching("crashes", 500), garden(), callbacks);
  const Found found = only(result.findings);
  EXPECT_EQ(found.file, second_);
  EXPECT_EQ(read_file(second_).value_or(""), finding_text(found.finding));
  EXPECT_EQ(told.front(), "");
  EXPECT_EQ(told.back(), second_);
  EXPECT_TRUE(result.faults.empty()) << result.faults[0];
}

/// Whichever of the two is found first: the one that needs no condition covers the other. What is resumed is known.
TEST_F(Campaigns, TwoMistakesThatLookAlikeAreTwoFindings) {
  CampaignOptions asked = searching("two_mistakes", 500);
  asked.seconds = 3600;
  const std::string alike = "garden two_mistakes observation plant count";
  const auto signatures = [](const CampaignResult& result) {
    std::multiset<std::string> out;
    for (const auto& found : result.findings) out.insert(found.finding.signature);
    return out;
  };
  const CampaignResult result = run(asked);
  const std::multiset<std::string> both{alike, alike + " if flower=tulip"};
  ASSERT_EQ(signatures(result), both);
  EXPECT_EQ(result.total().findings, 2u);
  for (const Found& found : result.findings) {
    CampaignResult before = result;
    before.findings = {found};
    before.next.clear();
    EXPECT_EQ(signatures(run_campaign(asked, garden(), watcher_.callbacks(), &before)), both);
  }
}

TEST_F(Campaigns, StopsAtTheDeadline) {
  CampaignOptions asked = options();
  asked.seconds = 0.3;
  const CampaignResult result = run(asked);
  EXPECT_TRUE(result.finished);
  EXPECT_GT(result.total().scenarios, 0u);
  EXPECT_LT(result.seconds, 5);
  EXPECT_GT(watcher_.told, 0);
}

TEST_F(Campaigns, AResumedCampaignForgetsAbsencesAndWhatItSawOfKnownMistakes) {
  CampaignOptions asked = options();
  asked.runs = 100;
  asked.hunt_canary = false;
  CampaignResult before = run(asked);
  before.finished = false;
  before.mended.insert("known/a.txt: a reason");
  before.notes.insert("libfuzzer was left out");
  before.ignored_signatures["garden crashes crash rain exit 5"] = true;
  const CampaignResult all = run_campaign(asked, garden(), watcher_.callbacks(), &before);
  EXPECT_TRUE(all.mended.empty());
  EXPECT_TRUE(all.notes.empty());
  EXPECT_TRUE(all.ignored_signatures.empty());
}

TEST_F(Campaigns, AnUnknownImplementationIsBadInput) {
  CampaignOptions asked = options();
  asked.with = {"counts_shrt"};
  EXPECT_THROW(run(asked), BadInput);
}

TEST_F(Campaigns, AnEngineWithoutATargetIsBadInput) {
  CampaignOptions asked = options();
  asked.engines = {"libfuzzer"};
  asked.hunt_canary = false;
  EXPECT_THROW(run(asked), BadInput);
}

}  // namespace
}  // namespace lockstep
