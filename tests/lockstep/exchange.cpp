#include "lockstep/draw/exchange.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "lockstep/base/unique_name.hpp"
#include "lockstep/process/scratch.hpp"

namespace lockstep {
namespace {

void leave_as(const ScratchFolder& folder, const std::string& name, std::string_view bytes) {
  ASSERT_TRUE(write_file(folder / name, bytes));
}

TEST(Exchange, TakesEachScenarioOfOthersOnce) {
  const ScratchFolder folder;
  leave_as(folder, "libfuzzer-1", "one");
  leave_as(folder, "libfuzzer-2", "two");
  Exchange exchange{folder.path()};
  auto taken = exchange.take();
  std::ranges::sort(taken);
  EXPECT_EQ(taken, (std::vector<Bytes>{{'o', 'n', 'e'}, {'t', 'w', 'o'}}));
  std::this_thread::sleep_for(std::chrono::milliseconds{1'100});
  EXPECT_TRUE(exchange.take().empty());
  leave_as(folder, "libfuzzer-3", "three");
  std::this_thread::sleep_for(std::chrono::milliseconds{1'100});
  EXPECT_EQ(exchange.take().size(), 1u);
}

TEST(Exchange, TakesNeitherItsOwnNorTheCorpusNorUnfinishedFiles) {
  const ScratchFolder folder;
  leave_as(folder, std::string{corpus_prefix} + "known", "known");
  leave_as(folder, "libfuzzer-1.tmp" + unique_name(), "hal");  // of "half", which is being written
  Exchange exchange{folder.path()};
  exchange.leave({'o', 'w', 'n'});
  EXPECT_TRUE(exchange.take().empty());
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator{folder.path()}, {}), 3);
}

TEST(Exchange, PollsAtMostOncePerSecond) {
  const ScratchFolder folder;
  Exchange exchange{folder.path()};
  EXPECT_TRUE(exchange.take().empty());
  leave_as(folder, "libfuzzer-1", "one");
  EXPECT_TRUE(exchange.take().empty());
}

TEST(Exchange, WithoutAFolderNothingIsExchanged) {
  Exchange exchange{{}};
  exchange.leave({'x'});
  EXPECT_TRUE(exchange.take().empty());
}

}  // namespace
}  // namespace lockstep
