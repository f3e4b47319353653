#include "games/block_game/schedule.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

namespace lockstep::block_game {

/// A block that covers a gap of another one, and can be removed, has its bottom row above the other's (proof in
/// optimized/block_game). So in order of bottom rows, the levels of all blocks that a block waits for are computed
/// before its own.
Schedule schedule_of(const Grid& board, const Blocks& blocks) {
  // In order of bottom rows, then of numbers. A counting sort: std::sort would take longer than everything else here.
  const auto bottom_of = [](const Block& block) { return std::size_t{block.cells[3].row}; };
  std::array<std::size_t, BlockGame::size_max + 1> place{};
  blocks.each([&](std::size_t, const Block& block) {
    if (block.shape != 0) ++place[bottom_of(block) + 1];
  });
  std::partial_sum(place.begin(), place.end(), place.begin());
  const std::size_t count = place.back();
  std::array<std::uint8_t, BlockGame::blocks_max> order;
  blocks.each([&](std::size_t number, const Block& block) {
    if (block.shape != 0) order[place[bottom_of(block)]++] = static_cast<std::uint8_t>(number);
  });
  Schedule out;
  out.level.fill(never);
  out.pass.fill(never);
  for (const std::size_t self : std::span{order}.first(count)) {
    const int number = static_cast<int>(self);
    int waits = 0;
    int pass = 1;
    look_up_from_gaps(board, blocks[self], [&](int over) {
      const auto other = static_cast<std::size_t>(over);
      waits = std::max(waits, out.level[other]);
      pass = std::max(pass, out.pass[other] + (over > number ? 1 : 0));
      return waits != never;
    });
    if (waits == never) continue;
    out.level[self] = waits + 1;
    out.pass[self] = pass;
  }
  return out;
}

}  // namespace lockstep::block_game
