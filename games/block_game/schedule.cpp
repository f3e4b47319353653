#include "games/block_game/schedule.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace lockstep::block_game {

/// A block that frees another has its lowest cell above the block's bottom row (optimized/block_game has the
/// proof), so in order of bottom rows everything that a block waits for is known before it.
Schedule schedule_of(const Grid& board, const Blocks& blocks) {
  std::vector<std::pair<int, int>> order;  // bottom row and number
  for (int number = 1; number <= BlockGame::blocks_max; ++number) {
    const Block& block = blocks[static_cast<std::size_t>(number)];
    if (block.shape != 0) order.emplace_back(block.cells[3].row, number);
  }
  std::ranges::sort(order);
  Schedule out;
  out.level.fill(never);
  out.pass.fill(never);
  for (const auto& [bottom, number] : order) {
    const auto self = static_cast<std::size_t>(number);
    int waits = 0;
    int pass = 1;
    look_up_from_gaps(board, blocks[self], [&](int over) {
      const auto other = static_cast<std::size_t>(over);
      waits = std::max(waits, out.level[other]);
      pass = std::max(pass, out.pass[other] + (over > number ? 1 : 0));
    });
    if (waits == never) continue;
    out.level[self] = waits + 1;
    out.pass[self] = pass;
  }
  return out;
}

}  // namespace lockstep::block_game
