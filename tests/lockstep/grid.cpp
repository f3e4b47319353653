#include "lockstep/base/grid.hpp"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

TEST(Grid, IsDrawnCellByCell) {
  const Grid grid = Grid::drawn(2, 3, [](int row, int column) { return 10 * row + column; });
  EXPECT_EQ(grid.rows, 2);
  EXPECT_EQ(grid.columns, 3);
  EXPECT_EQ(grid.cells, (std::vector<std::uint8_t>{0, 1, 2, 10, 11, 12}));
}

}  // namespace
}  // namespace lockstep
