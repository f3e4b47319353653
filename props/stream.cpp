// A seed determines its stream of scenarios, independent of the compiler that built the program.
//
// Each line of tests/golden/stream_hashes.txt is the hash of a stream's texts; every build compares with the same file.
#include LOCKSTEP_SYSTEM

#include <gtest/gtest.h>

#include <ostream>

#include "lockstep/base/hash.hpp"
#include "props/golden.hpp"
#include "props/laws.hpp"
#include "props/typed.hpp"

namespace lockstep {

/// Prints the parameter in GoogleTest's messages, which look here for it.
static void PrintTo(Style style, std::ostream* out) { *out << to_string(style); }

namespace {

using G = ThisSystem;

class Stream : public testing::TestWithParam<Style> {};

TEST_P(Stream, IsTheSameInEveryBuild) {
  constexpr std::uint64_t scenarios = 3'000;
  std::string hash;
  for (std::uint64_t index = 0; index < scenarios; ++index) {
    Random random{seed_of(1, index)};
    hash = hash_text(hash + scenario_text<G>(draw_scenario<G>(random, GetParam())));
  }
  const std::string key = std::string{G::name} + " " + std::string{to_string(GetParam())};
  EXPECT_TRUE(matches_golden_line("stream_hashes.txt", key, hash));
}

INSTANTIATE_TEST_SUITE_P(Of, Stream, testing::ValuesIn(styles),
                         [](const auto& each) { return std::string{to_string(each.param)}; });

/// Mutation operators must repeat too; otherwise a campaign of a fuzzing engine would not repeat.
TEST(MutationStream, IsTheSameInEveryBuild) {
  constexpr std::uint64_t scenarios = 2'000;
  std::string hash;
  Scenario<G> scenario;
  for (std::uint64_t index = 0; index < scenarios; ++index) {
    Random random{seed_of(2, index)};
    if (index % 16 == 0) scenario = draw_scenario<G>(random, styles[(index / 16) % styles.size()]);
    mutate<G>(random, scenario);
    const Scenario<G> other = draw_scenario<G>(random, Style::uniform);
    hash = hash_text(hash + scenario_text<G>(scenario) + scenario_text<G>(crossover<G>(random, scenario, other)));
  }
  EXPECT_TRUE(matches_golden_line("stream_hashes.txt", std::string{G::name} + " mutation", hash));
}

}  // namespace
}  // namespace lockstep
