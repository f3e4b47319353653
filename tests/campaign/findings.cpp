#include "campaign/findings.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <functional>
#include <optional>

#include "lockstep/process/files.hpp"
#include "lockstep/process/scratch.hpp"
#include "lockstep/system/typed.hpp"
#include "tests/campaign/garden_system.hpp"

namespace lockstep {
namespace {

std::string one_rain(int amount) {
  return scenario_text<Garden>({.setup = {.moles = {}}, .actions = {Garden::Rain{amount}}}, "a comment");
}

/// The file to which the text is written; empty if it is not.
std::string file_of(const std::filesystem::path& folder, int amount) {
  return write_numbered(folder / "garden-1.txt", garden(), one_rain(amount)).value_or("");
}

TEST(Findings, AScenarioIsWrittenOnceUnderItsName) {
  const ScratchFolder folder;
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(file_of(folder.path(), 5), folder / "garden-1.txt");
  }
  EXPECT_EQ(read_file(folder / "garden-1.txt").value_or(""), one_rain(5));
}

TEST(Findings, AnotherScenarioThatFailsTheSameWayGetsANumber) {
  const ScratchFolder folder;
  EXPECT_EQ(file_of(folder.path(), 5), folder / "garden-1.txt");
  EXPECT_EQ(file_of(folder.path(), 6), folder / "garden-1-2.txt");
  EXPECT_EQ(file_of(folder.path(), 7), folder / "garden-1-3.txt");
  EXPECT_EQ(file_of(folder.path(), 6), folder / "garden-1-2.txt");
}

TEST(Findings, AFileThatCannotBeReadIsNotReplaced) {
  const ScratchFolder folder;
  ASSERT_TRUE(write_file(folder / "garden-1.txt", ""));
  std::filesystem::resize_file(folder / "garden-1.txt", (std::uintmax_t{256} << 20) + 1);  // sparse
  EXPECT_EQ(file_of(folder.path(), 5), folder / "garden-1-2.txt");
}

TEST(Findings, ANumberStandsBeforeTheEndingOfAName) {
  EXPECT_EQ(numbered("out.d/garden-1.txt", 1), "out.d/garden-1.txt");
  EXPECT_EQ(numbered("out.d/garden-1.txt", 2), "out.d/garden-1-2.txt");
  EXPECT_EQ(numbered("out.d/garden-1.txt", 13), "out.d/garden-1-13.txt");
  EXPECT_EQ(numbered("garden", 2), "garden-2");
}

TEST(Findings, AFolderThatCannotBeWrittenIsAnError) { EXPECT_EQ(file_of("/proc/nowhere", 5), ""); }

/// What each of these texts has become, by its place; empty where nothing was reported.
std::vector<std::optional<Finding>> further(
    const std::vector<std::string>& texts, const std::string& implementation, std::chrono::milliseconds time,
    const std::function<bool()>& goes_on = [] { return true; }) {
  std::vector<Finding> findings(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) findings[i].scenario = texts[i];
  std::vector<std::optional<Finding>> out(texts.size());
  const auto begun = shrink_further(
      garden(), {"rulebook", implementation}, findings,
      {.timeout = std::chrono::seconds{20},
       .jobs = 2,
       .time_max = std::chrono::minutes{1},
       .deadline = std::chrono::steady_clock::now() + time},
      [&](std::size_t i, Finding now) { out[i] = std::move(now); }, goes_on);
  EXPECT_TRUE(begun) << begun.error();
  return out;
}

std::string rains(std::vector<int> amounts) {
  Scenario<Garden> scenario{.setup = {.moles = {}}, .actions = {}};
  for (const int amount : amounts) scenario.actions.emplace_back(Garden::Rain{amount});
  return scenario_text<Garden>(scenario);
}

TEST(Findings, AreShrunkFurtherInTheirPlaces) {
  const auto now =
      further({rains({3, 4, 107}), rains({3}), rains({207, 107, 2, 3})}, "crashes", std::chrono::minutes{1});
  ASSERT_TRUE(now[0] && now[2]);
  EXPECT_FALSE(now[1]) << "it does not fail";
  for (const std::size_t i : {std::size_t{0}, std::size_t{2}}) {
    EXPECT_TRUE(now[i]->minimal);
    EXPECT_EQ(now[i]->actions, 1u);
  }
  EXPECT_TRUE(now[0]->scenario.ends_with("rain amount=7\n")) << now[0]->scenario;
  EXPECT_TRUE(now[2]->scenario.ends_with("rain amount=7\n")) << now[2]->scenario;
}

TEST(Findings, AreNotShrunkAfterTheDeadline) {
  EXPECT_FALSE(further({rains({3, 107})}, "crashes", std::chrono::milliseconds{0})[0]);
}

TEST(Findings, AnInterruptionEndsTheShrinkingOfAll) {
  int looks = 0;
  const auto shrunk = further({rains({107}), rains({207})}, "hangs", std::chrono::minutes{1}, [&] {
    if (looks == 1) {
      EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), 0) << "a child runs";
    }
    return ++looks < 5;
  });
  EXPECT_FALSE(shrunk[0] || shrunk[1]);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "no child is left";
}

}  // namespace
}  // namespace lockstep
