#include "lockstep/describe/reduce.hpp"

#include <gtest/gtest.h>

#include <set>

#include "lockstep/text/text.hpp"
#include "props/laws.hpp"
#include "props/typed.hpp"
#include "tests/lockstep/garden.hpp"

namespace lockstep {
namespace {

/// The definition of minimal by example: everything that must have been tried.
TEST(Reduce, TakesOneStepInEveryDirection) {
  const Scenario<Garden> scenario = scenario_of(
      "lockstep 1 garden\nrows 2\ncolumns 2\nwater 3\nseason summer\nfence yes\nbeds\nr.\n.t\n"
      "mole row=1 column=0 awake=yes\nactions\nplant row=1 column=0 flower=tulip\nwait\n");
  std::set<std::string> seen;
  any_reduction<Garden>(scenario, [&](const Scenario<Garden>& smaller) {
    seen.insert(scenario_text<Garden>(smaller));
    return false;
  });
  const auto with = [&](auto&& change) {
    Scenario<Garden> changed = scenario;
    change(changed);
    return scenario_text<Garden>(changed);
  };
  const std::vector<std::string> expected = {
      with([](auto& s) { s.actions.erase(s.actions.begin()); }),
      with([](auto& s) { s.actions.pop_back(); }),
      with([](auto& s) { s.setup.moles.clear(); }),
      with([](auto& s) { s.setup.beds.at(0, 0) = 0; }),
      with([](auto& s) { s.setup.beds.at(1, 1) = 0; }),
      with([](auto& s) { s.setup.beds.at(1, 1) = 1; }),
      with([](auto& s) { s.setup.water = 2; }),
      with([](auto& s) { s.setup.season = 1; }),
      with([](auto& s) { s.setup.fence = false; }),
      with([](auto& s) { s.setup.moles[0].row = 0; }),
      with([](auto& s) { s.setup.moles[0].awake = false; }),
      with([](auto& s) { s.actions[0] = Garden::Plant{0, 0, 2}; }),
      with([](auto& s) { s.actions[0] = Garden::Plant{1, 0, 1}; }),
  };
  for (const std::string& text : expected) EXPECT_TRUE(seen.contains(text)) << text;
}

TEST(Reduce, EveryRowAndEveryColumnIsRemoved) {
  const Scenario<Garden> scenario = scenario_of("lockstep 1 garden\nrows 3\ncolumns 3\nbeds\nr..\n.r.\n..r\nactions\n");
  std::set<std::vector<int>> boards;
  any_reduction<Garden>(scenario, [&](const Scenario<Garden>& smaller) {
    const auto& cells = smaller.setup.beds.cells;
    if (cells.size() == 6) boards.emplace(cells.begin(), cells.end());
    return false;
  });
  const std::set<std::vector<int>> expected = {
      {0, 1, 0, 0, 0, 1}, {1, 0, 0, 0, 0, 1}, {1, 0, 0, 0, 1, 0},  // 2 × 3: without row 0, 1, 2
      {0, 0, 1, 0, 0, 1}, {1, 0, 0, 0, 0, 1}, {1, 0, 0, 1, 0, 0},  // 3 × 2: without column 0, 1, 2
  };
  EXPECT_EQ(boards, expected);
}

TEST(Reduce, StopsAtTheFirstThatIsTaken) {
  int tried = 0;
  EXPECT_TRUE(any_reduction<Garden>(laws::scenario_at<Garden>(1, 4), [&](const auto&) { return ++tried == 3; }));
  EXPECT_EQ(tried, 3);
}

TEST(Reduce, TheSimplestScenarioHasNoReduction) {
  EXPECT_FALSE(any_reduction<Garden>({}, [](const auto&) { return true; }));
}

}  // namespace
}  // namespace lockstep
