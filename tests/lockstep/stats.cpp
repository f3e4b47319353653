#include "lockstep/services/stats.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "lockstep/process/files.hpp"
#include "lockstep/process/scratch.hpp"

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
  const ScratchFolder folder;
  const std::string path = folder / "stats";
  {
    const SharedStats parent = share_stats(path);
    ASSERT_NE(parent, nullptr);
    EXPECT_EQ(parent->steps, 0u);
    in_a_child([&] { share_stats(path)->steps += 12; });
    EXPECT_EQ(parent->steps, 12u);
  }
  EXPECT_EQ(share_stats(path)->steps, 12u);  // the file outlives the mapping, and opening it again keeps its counts
}

using Bytes = std::vector<std::uint8_t>;

TEST(RecentScenarios, AScenarioIsKeptWholeOrNotAtAll) {
  const SharedScenarios scenarios = share_scenarios();
  EXPECT_TRUE(scenarios->recent().empty());
  const Bytes large(std::size_t{4} << 20, 7);  // a hundred texts, say
  scenarios->store(large);
  ASSERT_EQ(scenarios->recent().size(), 1u);
  EXPECT_TRUE(std::ranges::equal(scenarios->recent().back(), large));
  scenarios->store({});
  ASSERT_EQ(scenarios->recent(1).size(), 1u);
  EXPECT_TRUE(scenarios->recent(1).back().empty());
  scenarios->store(Bytes((std::size_t{1} << 25) + 1));
  EXPECT_TRUE(scenarios->recent().empty());
}

/// The scenario with this number, of a size that differs from its neighbours'.
Bytes numbered(std::uint64_t number, std::size_t size_max) {
  Bytes out(1 + number * 1299709 % size_max);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::uint8_t>(number + i);
  return out;
}

TEST(RecentScenarios, AreTheLastOnesInOrderAndWhole) {
  for (const std::size_t size_max : {1u, 500u, 40'000u, 3'000'000u}) {
    const SharedScenarios scenarios = share_scenarios();
    for (std::uint64_t stored = 1; stored <= (size_max < 50'000 ? 3'000u : 100u); ++stored) {
      scenarios->store(numbered(stored, size_max));
      if (stored % 97 != 0 && stored > 20) continue;
      const auto recent = scenarios->recent();
      ASSERT_FALSE(recent.empty());
      for (std::size_t back = 0; back < recent.size(); ++back) {
        EXPECT_TRUE(std::ranges::equal(recent[recent.size() - 1 - back], numbered(stored - back, size_max)));
      }
      if (size_max <= 500) {
        EXPECT_EQ(recent.size(), std::min<std::uint64_t>(stored, RecentScenarios::count_max - 1));
      }
      EXPECT_EQ(scenarios->recent(3).size(), std::min<std::size_t>(recent.size(), 3));
    }
  }
}

TEST(Stats, WithoutAFileThereAreNoCounts) { EXPECT_EQ(share_stats("/no/such/folder/stats"), nullptr); }

TEST(Stats, AFileOfAnotherSizeIsLeftAsItIs) {
  const ScratchFolder folder;
  const std::string path = folder / "stats";
  ASSERT_TRUE(write_file(path, "of another version"));
  EXPECT_EQ(share_stats(path), nullptr);
  EXPECT_EQ(read_file(path).value_or(""), "of another version");
}

}  // namespace
}  // namespace lockstep
