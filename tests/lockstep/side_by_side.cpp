#include "lockstep/process/side_by_side.hpp"

#include <gtest/gtest.h>

#include <string>

namespace lockstep {
namespace {

const std::vector<Panel> boards = {{"before", "..\n..\n", ""}, {"rulebook", "1.\n..\n", ""}, {"lean", ".1\n..\n", ""}};

TEST(SideBySide, MarksTheFirstCellThatDiffers) {
  EXPECT_EQ(side_by_side(boards, 1, {}),
            "  before   rulebook   lean\n"
            "* ..       1.         .1\n"
            "                      ^\n"
            "  ..       ..         ..\n");
}

TEST(SideBySide, PanelsThatDoNotFitFollowBelowAndAreComparedStill) {
  EXPECT_EQ(side_by_side(boards, 1, {.columns = 20}),
            "  before   rulebook\n"
            "  ..       1.\n"
            "  ..       ..\n"
            "\n"
            "  lean\n"
            "* .1\n"
            "  ^\n"
            "  ..\n");
  EXPECT_EQ(side_by_side(boards, 1, {.columns = 26}), side_by_side(boards, 1, {}));
}

TEST(SideBySide, APanelThatIsWiderThanAllColumnsIsWhole) {
  EXPECT_EQ(side_by_side({{"one", "0123456789", ""}, {"two", "0123456789", ""}}, 0, {.columns = 5}),
            "  one\n"
            "  0123456789\n"
            "\n"
            "  two\n"
            "  0123456789\n");
}

TEST(SideBySide, AMissingLineDiffers) {
  EXPECT_EQ(side_by_side({{"one", "a\nb\n", ""}, {"two", "a\n", ""}}, 0, {.columns = 5}),
            "  one\n"
            "  a\n"
            "  b\n"
            "\n"
            "  two\n"
            "  a\n"
            "*\n"
            "  ^\n");
}

}  // namespace
}  // namespace lockstep
