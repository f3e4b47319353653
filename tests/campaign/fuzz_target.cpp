#include <gtest/gtest.h>

#include <thread>

#include "campaign/engine.hpp"
#include "lockstep/files.hpp"
#include "lockstep/scratch.hpp"
#include "tests/campaign/garden_system.hpp"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

struct TargetOutcome {
  std::vector<FindingText> findings;
  std::vector<std::string> faults;
  std::string absence;
  bool detected = false;
};

/// The outcome of a campaign in which this shell script is the target.
TargetOutcome run(const std::string& script, std::chrono::milliseconds stop_after = 60s) {
  const ScratchFolder folder;
  const std::filesystem::path program = folder / "target";
  EXPECT_TRUE(write_file(program, "#!/bin/sh\n" + script + "\n"));
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  const auto until = std::chrono::steady_clock::now() + stop_after;
  const auto engine = start_fuzz_target(
      {.system = &garden(), .implementations = {"rulebook", "counts_short"}, .corpus = "/nowhere", .timeout = 1s},
      {.target = {"libfuzzer", program}}, 0, 3);
  while (engine->poll()) {
    if (std::chrono::steady_clock::now() >= until) engine->stop();
    std::this_thread::sleep_for(2ms);
  }
  return {engine->take_findings(), engine->faults(), engine->absence(), engine->stats().diverged_at_ns.load() != 0};
}

FindingText roses() {
  const Scenario<Garden> scenario{.setup = {.rows = 1, .columns = 3, .water = 3, .beds = Grid{1, 3}, .moles = {}},
                                  .actions = {Garden::Plant{0, 0, 1}, Garden::Plant{0, 1, 1}, Garden::Plant{0, 2, 1}}};
  return {.signature = "garden counts_short observation plant count",
          .file_name = "garden-1.txt",
          .text = scenario_text<Garden>(scenario),
          .explanation = "at step 3",
          .minimal = true,
          .actions = 3};
}

std::string writes(const FindingText& finding) {
  return "cat > $LOCKSTEP_FINDINGS_JSON <<'END'\n" + to_json(finding) + "\nEND\nexit 77";
}

TEST(FuzzTarget, AFindingIsReceivedComplete) {
  const TargetOutcome outcome = run(writes(roses()));
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].explanation, "at step 3");
  EXPECT_EQ(outcome.findings[0].text, roses().text);
  EXPECT_TRUE(outcome.findings[0].minimal);
  EXPECT_EQ(outcome.findings[0].engine, "libfuzzer");
  EXPECT_TRUE(outcome.faults.empty());
}

TEST(FuzzTarget, AFindingOnlyInTheTargetsBuildIsMarked) {
  FindingText finding = roses();
  finding.text = scenario_text<Garden>({.setup = {.moles = {}}, .actions = {Garden::Wait{}}});
  const TargetOutcome outcome = run(writes(finding));
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_NE(outcome.findings[0].explanation.find("other builds agree"), std::string::npos);
}

TEST(FuzzTarget, ATargetWithoutAnImplementationIsSkipped) {
  const TargetOutcome outcome = run("echo \"fuzz_garden: there is no implementation 'counts_short'\" >&2; exit 2");
  EXPECT_NE(outcome.absence, "");
  EXPECT_TRUE(outcome.faults.empty());
}

TEST(FuzzTarget, ATargetThatDiesWithoutAFindingIsAnInternalError) {
  const TargetOutcome outcome = run("echo some words; exit 3");
  EXPECT_TRUE(outcome.findings.empty());
  EXPECT_FALSE(outcome.detected);
  ASSERT_EQ(outcome.faults.size(), 1u);
  EXPECT_NE(outcome.faults[0].find("exited with status 3"), std::string::npos) << outcome.faults[0];
  EXPECT_NE(outcome.faults[0].find("some words"), std::string::npos) << outcome.faults[0];
}

TEST(FuzzTarget, AnArtifactWithoutAFindingIsJudgedAndShrunkHere) {
  const auto bytes = garden().encoding().pack(roses().text);
  ASSERT_TRUE(bytes);
  const ScratchFolder folder;
  const std::string file = folder / "bytes";
  ASSERT_TRUE(write_file(file, {reinterpret_cast<const char*>(bytes->data()), bytes->size()}));
  const TargetOutcome outcome =
      run("for word in \"$@\"; do case $word in -artifact_prefix=*) cp " + file + " ${word#*=}1;; esac; done; exit 77");
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].signature, roses().signature);
  EXPECT_TRUE(outcome.detected);
}

TEST(FuzzTarget, StoppingKillsATargetThatIgnoresTheSignal) {
  const TargetOutcome outcome = run("trap '' TERM; while :; do sleep 0.1; done", 100ms);
  EXPECT_TRUE(outcome.findings.empty());
  EXPECT_TRUE(outcome.faults.empty());
}

}  // namespace
}  // namespace lockstep
