#include "campaign/findings.hpp"

#include <gtest/gtest.h>

#include "lockstep/files.hpp"
#include "lockstep/scratch.hpp"
#include "tests/campaign/garden_system.hpp"

namespace lockstep {
namespace {

FindingText finding_with(int amount) {
  const Scenario<Garden> scenario{.setup = {.moles = {}}, .actions = {Garden::Rain{amount}}};
  FindingText finding;
  finding.file_name = "garden-1.txt";
  finding.text = scenario_text<Garden>(scenario, "a comment");
  return finding;
}

TEST(Findings, AScenarioIsWrittenOnceUnderItsName) {
  const ScratchFolder folder;
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(write_finding(folder.path(), garden(), finding_with(5)).value_or(""), folder / "garden-1.txt");
  }
  EXPECT_EQ(read_file(folder / "garden-1.txt").value_or(""), finding_with(5).text);
}

TEST(Findings, AnotherScenarioThatFailsTheSameWayGetsANumber) {
  const ScratchFolder folder;
  EXPECT_EQ(write_finding(folder.path(), garden(), finding_with(5)).value_or(""), folder / "garden-1.txt");
  EXPECT_EQ(write_finding(folder.path(), garden(), finding_with(6)).value_or(""), folder / "garden-1-2.txt");
  EXPECT_EQ(write_finding(folder.path(), garden(), finding_with(7)).value_or(""), folder / "garden-1-3.txt");
  EXPECT_EQ(write_finding(folder.path(), garden(), finding_with(6)).value_or(""), folder / "garden-1-2.txt");
}

TEST(Findings, AFolderThatCannotBeWrittenIsAnError) {
  EXPECT_FALSE(write_finding("/proc/nowhere", garden(), finding_with(5)));
}

}  // namespace
}  // namespace lockstep
