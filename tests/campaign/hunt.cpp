#include "campaign/hunt.hpp"

#include <gtest/gtest.h>

#include "tests/campaign/garden_system.hpp"

namespace lockstep {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

const EngineOptions hunting{.system = &garden(), .implementations = {}, .corpus = "/nowhere"};

TEST(Hunt, TheSeedChoosesAmongTheCanaries) {
  for (const std::uint64_t seed : {0u, 1u, 7u}) EXPECT_EQ(chosen_canary(garden(), seed), "counts_short");
}

TEST(Hunt, FindsACanaryAndNamesTheGenerator) {
  const CanaryHunt hunt = hunt_canary(hunting, "counts_short", Clock::now() + 60s, [](std::uint64_t) { return true; });
  EXPECT_EQ(hunt.name, "counts_short");
  EXPECT_TRUE(hunt.found);
  EXPECT_NE(hunt.engine, "");
  EXPECT_GT(hunt.scenarios, 0u);
}

TEST(Hunt, AKnownMistakeOfTheCanaryDoesNotHideIt) {
  Signatures known;
  for (const char* const action : {"plant", "rain", "wait"}) {
    for (const char* const field : {"legal", "water", "count"}) {
      known.insert(std::string{"garden counts_short observation "} + action + " " + field);
    }
  }
  EngineOptions options = hunting;
  options.known = &known;
  options.ignored = known;
  EXPECT_TRUE(hunt_canary(options, "counts_short", Clock::now() + 60s, [](std::uint64_t) { return true; }).found);
}

TEST(Hunt, AWorkerThatIsKilledIsNoDetectionAndTheHuntSaysSo) {
  const CanaryHunt hunt = hunt_canary(hunting, "is_killed", Clock::now() + 300s, [](std::uint64_t) { return true; });
  EXPECT_FALSE(hunt.found);
  ASSERT_EQ(hunt.faults.size(), 1u);
  EXPECT_TRUE(hunt.faults[0].contains("killed from outside (signal 9), by hand or because memory ran out, "))
      << hunt.faults[0];
}

TEST(Hunt, ACorrectImplementationIsHuntedUntilTheDeadline) {
  const CanaryHunt hunt = hunt_canary(hunting, "honest", Clock::now() + 200ms, [](std::uint64_t) { return true; });
  EXPECT_FALSE(hunt.found);
  EXPECT_GT(hunt.scenarios, 0u);
}

TEST(Hunt, EndsOnRequest) {
  const auto start = Clock::now();
  const CanaryHunt hunt =
      hunt_canary(hunting, "honest", start + 600s, [](std::uint64_t scenarios) { return scenarios < 10; });
  EXPECT_FALSE(hunt.found);
  EXPECT_LT(Clock::now() - start, 60s);
}

}  // namespace
}  // namespace lockstep
