// A seed determines its stream of scenarios, independent of the compiler that built the program.
//
// Each line of tests/golden/stream_hashes.txt is the hash of a stream's texts; every build compares with the same file.
#include <gtest/gtest.h>

#include <ostream>

#include "lockstep/base/hash.hpp"
#include "lockstep/draw/draw.hpp"
#include "lockstep/draw/mutate.hpp"
#include "lockstep/system/any_system.hpp"
#include "lockstep/text/text.hpp"
#include "props/golden.hpp"

namespace lockstep {

/// Prints the parameter in GoogleTest's messages, which look here for it.
static void PrintTo(Style style, std::ostream* out) { *out << to_string(style); }

namespace {

std::string key(std::string_view of) { return std::string{this_system().name()} + " " + std::string{of}; }

class Stream : public testing::TestWithParam<Style> {};

TEST_P(Stream, IsTheSameInEveryBuild) {
  constexpr std::uint64_t scenarios = 3'000;
  std::string hash;
  AnyScenario scenario = this_vocabulary().scenario();
  for (std::uint64_t index = 0; index < scenarios; ++index) {
    Random random{seed_of(1, index)};
    draw_scenario(random, GetParam(), scenario);
    hash = hash_text(hash + scenario_text(scenario));
  }
  EXPECT_TRUE(matches_golden_line("stream_hashes.txt", key(to_string(GetParam())), hash));
}

INSTANTIATE_TEST_SUITE_P(Of, Stream, testing::ValuesIn(styles),
                         [](const auto& each) { return std::string{to_string(each.param)}; });

/// Mutation operators must repeat too; otherwise a campaign of a fuzzing engine would not repeat.
TEST(MutationStream, IsTheSameInEveryBuild) {
  constexpr std::uint64_t scenarios = 2'000;
  std::string hash;
  AnyScenario scenario = this_vocabulary().scenario();
  AnyScenario other = scenario;
  for (std::uint64_t index = 0; index < scenarios; ++index) {
    Random random{seed_of(2, index)};
    if (index % 16 == 0) draw_scenario(random, styles[(index / 16) % styles.size()], scenario);
    mutate(random, scenario);
    draw_scenario(random, Style::uniform, other);
    hash = hash_text(hash + scenario_text(scenario) + scenario_text(crossover(random, scenario, other)));
  }
  EXPECT_TRUE(matches_golden_line("stream_hashes.txt", key("mutation"), hash));
}

}  // namespace
}  // namespace lockstep
