#include "lockstep/process/watched_time.hpp"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

using namespace std::chrono_literals;

TEST(WatchedTime, CountsWhatPassesBetweenFrequentLooks) {
  WatchedTime time;
  const auto begin = time.now();
  for (int i = 1; i <= 100; ++i) time.look(begin + i * 50ms);
  EXPECT_EQ(time.now() - begin, 5s);
}

TEST(WatchedTime, LeavesOutTheTimeInWhichTheWatcherDidNotRun) {
  WatchedTime time;
  const auto begin = time.now();
  time.look(begin + 50ms);
  time.look(begin + 1h);
  EXPECT_EQ(time.now() - begin, 50ms + WatchedTime::gap_max);
  time.look(begin + 1h + 50ms);
  EXPECT_EQ(time.now() - begin, 100ms + WatchedTime::gap_max);
}

}  // namespace
}  // namespace lockstep
