#include "programs/test_set.hpp"

#include <gtest/gtest.h>

#include <set>

#include "tests/programs/squares.hpp"

namespace lockstep {
namespace {

TestSet chosen(const std::vector<std::string>& canaries, const TestSetOptions& options) {
  return choose_tests(Squares{}, canaries, options, [] { return false; });
}

std::set<std::string> all_of(const TestSet& set, std::vector<std::string> TestInput::* what) {
  std::set<std::string> out;
  for (const TestInput& input : set.inputs) {
    out.insert((input.*what).begin(), (input.*what).end());
  }
  return out;
}

TEST(TestSet, FailsEveryCanaryAndShowsEveryValue) {
  const TestSet set = chosen({"wrong_from_50", "dies_at_9", "honest"}, {.seconds = 0.1});
  EXPECT_EQ(all_of(set, &TestInput::failing), (std::set<std::string>{"wrong_from_50", "dies_at_9"}));
  EXPECT_EQ(all_of(set, &TestInput::shows).size(), 10u + 1);  // digits, and "heavy"
  EXPECT_EQ(set.passed, std::vector<std::string>{"honest"});
  EXPECT_TRUE(set.left_out.empty());
  for (const TestInput& input : set.inputs) EXPECT_FALSE(input.failing.empty() && input.shows.empty());
}

TEST(TestSet, ThatIsTooSmallKeepsFailures) {
  const TestSet set = chosen({"wrong_from_50", "dies_at_9"}, {.seconds = 0.1, .inputs_max = 2});
  EXPECT_EQ(set.inputs.size(), 2u);
  EXPECT_EQ(all_of(set, &TestInput::failing).size(), 2u);
  EXPECT_FALSE(set.left_out.empty());
}

TEST(TestSet, FailsWrongPrograms) {
  const std::string wrong = "awk '{ print $1 == 7 ? 0 : $1 * $1 }'";
  const std::string right = "awk '{ print $1 * $1 }'";
  const std::string wrong_on_heavy_ones = "awk '{ print ($1 < 1000 ? $1 * $1 : 0) }'";
  const TestSet set = chosen({}, {.seconds = 2, .wrong = {wrong, wrong_on_heavy_ones, right}});
  EXPECT_EQ(all_of(set, &TestInput::failing), (std::set<std::string>{wrong, wrong_on_heavy_ones}));
  EXPECT_EQ(set.passed, std::vector<std::string>{right});
}

TEST(TestSet, AWrongSolutionIsRefusedBeforeTheSearch) {
  const PlantedProgram wrong{.command = "awk '{ print $1 == 7 ? 0 : $1 * $1 }'", .changes = {}};
  EXPECT_THROW(chosen({}, {.seconds = 1e6, .planted = {wrong}}), BadInput);
}

}  // namespace
}  // namespace lockstep
