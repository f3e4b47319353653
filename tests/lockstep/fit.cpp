#include "lockstep/describe/fit.hpp"

#include <gtest/gtest.h>

#include "lockstep/text/text.hpp"
#include "props/laws.hpp"
#include "props/typed.hpp"
#include "tests/lockstep/garden.hpp"

namespace lockstep {
namespace {

// Indices of the numbers in a garden's setup, as Fit counts them.
enum FieldNumber : std::size_t { rows_number, columns_number, water_number };

const std::string start_text =
    "lockstep 1 garden\nrows 3\ncolumns 4\nwater 9\nseason spring\nfence no\n"
    "beds\n"
    "r..r\n"
    ".rt.\n"
    "tttt\n"
    "mole row=1 column=2 awake=no\n"
    "actions\nplant row=2 column=3 flower=rose\n";

/// The text of the scenario after the edit, from its board on.
std::string refitted(Edit edit, std::optional<Dropped> gone_rows = {}, std::optional<Dropped> gone_columns = {}) {
  Scenario<Garden> scenario = scenario_of(start_text);
  refit<Garden>(scenario, edit, gone_rows, gone_columns);
  EXPECT_EQ(laws::fault_of(untyped<Garden>(scenario)), "");
  const std::string text = scenario_text<Garden>(scenario);
  return text.substr(text.find("beds"));
}

TEST(Fit, LeavesALawfulScenarioAlone) { EXPECT_EQ(refitted({}), start_text.substr(start_text.find("beds"))); }

TEST(Fit, ClampsAnEditIntoItsBounds) {
  Scenario<Garden> scenario = scenario_of(start_text);
  refit<Garden>(scenario, {water_number, 5'000});
  EXPECT_EQ(scenario.setup.water, Garden::water_max);
  refit<Garden>(scenario, {water_number, -5'000});
  EXPECT_EQ(scenario.setup.water, 0);
}

TEST(Fit, RemovingARowMovesIndicesAlong) {
  EXPECT_EQ(refitted({rows_number, 2}, Dropped{0, 1}),
            "beds\n.r..\ntttt\nmole row=0 column=2 awake=no\nactions\nplant row=1 column=3 flower=rose\n")
      << "and the tulip that comes to stand in the top row goes";
  EXPECT_EQ(refitted({rows_number, 2}, Dropped{1, 1}),
            "beds\nr..r\ntttt\nmole row=1 column=2 awake=no\nactions\nplant row=1 column=3 flower=rose\n");
}

TEST(Fit, RemovingAColumnMovesIndicesAlong) {
  EXPECT_EQ(refitted({columns_number, 3}, {}, Dropped{1, 1}),
            "beds\nr.r\n.t.\nttt\nmole row=1 column=1 awake=no\nactions\nplant row=2 column=2 flower=rose\n");
  EXPECT_EQ(refitted({columns_number, 2}, {}, Dropped{2, 2}),
            "beds\nr.\n.r\ntt\nmole row=1 column=1 awake=no\nactions\nplant row=2 column=1 flower=rose\n");
}

TEST(Fit, ByDefaultTheTopRowsAndTheRightmostColumnsAreRemoved) {
  EXPECT_EQ(refitted({rows_number, 2}),
            "beds\n.r..\ntttt\nmole row=1 column=2 awake=no\nactions\nplant row=1 column=3 flower=rose\n");
  EXPECT_EQ(refitted({columns_number, 2}),
            "beds\nr.\n.r\ntt\nmole row=1 column=1 awake=no\nactions\nplant row=2 column=1 flower=rose\n");
}

TEST(Fit, AGrowingBoardGainsEmptyRowsOnTopAndColumnsOnTheRight) {
  EXPECT_EQ(refitted({rows_number, 4}).substr(0, 25), "beds\n....\nr..r\n.rt.\ntttt\n");
  EXPECT_EQ(refitted({columns_number, 5}).substr(0, 23), "beds\nr..r.\n.rt..\ntttt.\n");
}

TEST(Fit, ClampsCellsIntoTheirAlphabet) {
  Scenario<Garden> scenario = scenario_of(start_text);
  scenario.setup.beds.at(1, 0) = 7;
  refit<Garden>(scenario);
  EXPECT_EQ(scenario.setup.beds.at(1, 0), 2);
}

TEST(Fit, ClampsTheLengthOfLists) {
  Scenario<Garden> scenario = scenario_of(start_text);
  for (int column = 0; column < 4; ++column) scenario.setup.moles.push_back({0, column, false});
  refit<Garden>(scenario);
  EXPECT_EQ(scenario.setup.moles.size(), static_cast<std::size_t>(Garden::moles_max));
}

}  // namespace
}  // namespace lockstep
