#include "campaign/hunt.hpp"

#include <gtest/gtest.h>

#include "tests/campaign/fragile_system.hpp"
#include "tests/campaign/garden_system.hpp"
#include "tests/lockstep/expected.hpp"

namespace lockstep {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

const EngineOptions hunting{.system = &garden(), .implementations = {}};

CanaryHunt hunted(const std::string& canary, std::chrono::milliseconds time = 60s) {
  return hunt_canary(hunting, canary, Clock::now() + time, [](std::uint64_t) { return true; });
}

TEST(Hunt, TheSeedChoosesAmongTheCanaries) {
  for (const std::uint64_t seed : {0u, 1u, 7u}) EXPECT_EQ(chosen_canary(garden(), seed), "counts_short");
}

TEST(Hunt, FindsACanaryAndNamesTheGenerator) {
  const CanaryHunt hunt = hunted("counts_short");
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
  options.part.ignored = known;
  EXPECT_TRUE(hunt_canary(options, "counts_short", Clock::now() + 60s, [](std::uint64_t) { return true; }).found);
}

/// Hunts an implementation of the system whose reference fails.
CanaryHunt hunt_beside_brittle(const std::string& canary, bool keep_going, const Signatures& known = {}) {
  const EngineOptions options{.system = &fragile(),
                              .implementations = {"brittle", "steady"},
                              .part = {.keep_going = keep_going},
                              .known = &known};
  return hunt_canary(options, canary, Clock::now() + 60s, [](std::uint64_t scenarios) { return scenarios < 3'000; });
}

const std::string brittles_mistake = "fragile brittle crash add exit 5";

TEST(Hunt, ACrashOfTheReferenceIsNotTheCanaryAndIsReturned) {
  const CanaryHunt hunt = hunt_beside_brittle("right", false);
  EXPECT_FALSE(hunt.found);
  EXPECT_EQ(hunt.engine, "");
  EXPECT_EQ(only(hunt.others).signature, brittles_mistake);
  EXPECT_TRUE(hunt.faults.empty());
}

TEST(Hunt, WhereTheSearchGoesOnSoDoesTheHunt) {
  const CanaryHunt hunt = hunt_beside_brittle("small", true);
  EXPECT_TRUE(hunt.found);
  for (const Finding& other : hunt.others) EXPECT_EQ(other.signature, brittles_mistake);
}

TEST(Hunt, AKnownMistakeOfTheReferenceDoesNotEndIt) {
  const CanaryHunt hunt = hunt_beside_brittle("small", false, {brittles_mistake});
  EXPECT_TRUE(hunt.found);
  EXPECT_TRUE(hunt.others.empty());
}

TEST(Hunt, ACrashThatNeedsTheCanaryIsTheCanarys) {
  const CanaryHunt hunt = hunt_beside_brittle("saboteur", false, {brittles_mistake});
  EXPECT_TRUE(hunt.found);
  EXPECT_TRUE(hunt.others.empty());
}

TEST(Hunt, ACanaryThatIsNotDeterministicIsFound) {
  const CanaryHunt hunt = hunted("dreams");
  EXPECT_TRUE(hunt.found);
  EXPECT_TRUE(hunt.others.empty());
}

TEST(Hunt, ASignatureShowsTheImplementationThatItNames) {
  EXPECT_TRUE(shows_mistake_of("garden short observation plant count", "short"));
  EXPECT_TRUE(shows_mistake_of("garden short crash rain signal 6 unstable", "short"));
  EXPECT_FALSE(shows_mistake_of("garden rulebook crash rain signal 6", "short"));
  EXPECT_FALSE(shows_mistake_of("garden all invariant rain water was taken from an empty butt", "short"));
  EXPECT_TRUE(shows_mistake_of("garden short nondeterministic unstable", "short"));
  EXPECT_TRUE(shows_mistake_of("garden an implementation nondeterministic unstable", "short"));
  EXPECT_FALSE(shows_mistake_of("garden shorter nondeterministic unstable", "short"));
  EXPECT_TRUE(shows_mistake_of("garden libfuzzer engine", "short"));  // the target's build stopped, whichever it was
}

TEST(Hunt, AWorkerThatIsKilledIsNoDetectionAndTheHuntSaysSo) {
  const CanaryHunt hunt = hunted("is_killed", 300s);
  EXPECT_FALSE(hunt.found);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "killed from outside (signal 9), by hand or because memory ran out, ",
                      only(hunt.faults));
}

TEST(Hunt, ACorrectImplementationIsHuntedUntilTheDeadline) {
  const CanaryHunt hunt = hunted("honest", 200ms);
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
