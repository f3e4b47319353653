#include "lockstep/describe/measure.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "lockstep/system/typed.hpp"
#include "tests/lockstep/garden.hpp"

namespace lockstep {
namespace {

TEST(Measure, FewerActionsWeighMoreThanFewerCellsThanASmallerBoardThanSmallerNumbers) {
  const auto size = [](std::string_view text) { return size_of<Garden>(scenario_of(text)); };
  const Size plain = size("lockstep 1 garden\nrows 2\ncolumns 2\nwater 3\nbeds\n.r\nr.\nactions\nwait\n");
  EXPECT_EQ(plain.actions, 1u);
  EXPECT_EQ(plain.occupied, 2u);
  EXPECT_EQ(plain.area, 4u);
  EXPECT_EQ(plain.fields, 2 + 2 + 3 + 1 + 2);  // rows, columns, water, season, cells
  EXPECT_LT(size("lockstep 1 garden\nrows 9\ncolumns 9\nwater 99\nactions\n"), plain);
  EXPECT_LT(size("lockstep 1 garden\nrows 9\ncolumns 9\nwater 99\nactions\nwait\n"), plain);
  EXPECT_LT(size("lockstep 1 garden\nrows 1\ncolumns 3\nwater 99\nbeds\nrr.\nactions\nwait\n"), plain);
  EXPECT_LT(size("lockstep 1 garden\nrows 2\ncolumns 2\nwater 2\nbeds\n.r\nr.\nactions\nwait\n"), plain);
  EXPECT_GT(size("lockstep 1 garden\nrows 2\ncolumns 2\nbeds\n.r\nr.\nmole row=0 column=0 awake=no\nactions\nwait\n"),
            plain)
      << "list items count as cells";
}

TEST(Measure, OfEqualSumsTheSimplerFirstNumberDecides) {
  const auto is_smaller = [](std::string_view one, std::string_view other) {
    const auto text = [](std::string_view water) {
      return "lockstep 1 garden\nrows 1\ncolumns 3\nbeds\n...\nactions\n" + std::string{water};
    };
    const auto than = scenario_of(text(other));
    return smaller<Garden>(scenario_of(text(one)), than, size_of<Garden>(than));
  };
  EXPECT_TRUE(is_smaller("rain amount=1\nrain amount=3\n", "rain amount=2\nrain amount=2\n"));
  EXPECT_FALSE(is_smaller("rain amount=2\nrain amount=2\n", "rain amount=1\nrain amount=3\n"));
  EXPECT_FALSE(is_smaller("rain amount=2\nrain amount=2\n", "rain amount=2\nrain amount=2\n"));
  EXPECT_TRUE(is_smaller("rain amount=2\nrain amount=1\n", "rain amount=2\nrain amount=2\n"));
}

}  // namespace
}  // namespace lockstep
