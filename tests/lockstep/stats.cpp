#include "lockstep/stats.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

namespace lockstep {
namespace {

/// Runs the function in a child process, which then dies without cleaning up.
template <class Function>
void in_a_child(Function&& function) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    function();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
}

TEST(Stats, CountsOfAChildSurviveItsDeath) {
  const SharedStats stats = share_stats();
  in_a_child([&] {
    stats->scenarios += 3;
    stats->current = 4;
    stats->progress.step = 5;
    stats->mark(17);
  });
  EXPECT_EQ(stats->scenarios, 3u);
  EXPECT_EQ(stats->current, 4u);
  EXPECT_EQ(stats->progress.step, 5u);
  EXPECT_EQ(stats->reached().count(), 1u);
  EXPECT_TRUE(stats->reached()[17]);
}

TEST(Stats, CountsInAFileAreSharedByName) {
  const std::string path = testing::TempDir() + "lockstep_stats_" + std::to_string(getpid());
  std::filesystem::remove(path);
  {
    const SharedStats parent = share_stats(path);
    ASSERT_NE(parent, nullptr);
    EXPECT_EQ(parent->steps, 0u);
    in_a_child([&] { share_stats(path)->steps += 12; });
    EXPECT_EQ(parent->steps, 12u);
  }
  EXPECT_EQ(share_stats(path)->steps, 12u);  // the file outlives the mapping, and opening it again keeps its counts
  std::filesystem::remove(path);
}

TEST(Stats, AnInFlightScenarioIsKeptWholeOrNotAtAll) {
  const SharedScenario scenario = share_scenario();
  EXPECT_FALSE(scenario->load());
  const std::vector<std::uint8_t> large(std::size_t{4} << 20, 7);  // a hundred texts, say
  scenario->store(large);
  ASSERT_TRUE(scenario->load());
  EXPECT_TRUE(std::ranges::equal(*scenario->load(), large));
  scenario->store({});
  ASSERT_TRUE(scenario->load());
  EXPECT_TRUE(scenario->load()->empty());
  scenario->store(std::vector<std::uint8_t>(sizeof scenario->bytes + 1));
  EXPECT_FALSE(scenario->load());
}

TEST(Stats, WithoutAFileThereAreNoCounts) { EXPECT_EQ(share_stats("/no/such/folder/stats"), nullptr); }

}  // namespace
}  // namespace lockstep
