#include "games/block_game/features.hpp"

#include <algorithm>

#include "games/block_game/schedule.hpp"

namespace lockstep {

using namespace block_game;

BlockGame::Features::Depth BlockGame::Features::depth_of(const Snapshot& s) {
  const Blocks blocks{s.board};
  const Schedule schedule = schedule_of(s.board, blocks);
  Depth depth;
  blocks.each([&](std::size_t number, const Block&) {
    ++depth.blocks;
    depth.highest = static_cast<int>(number);
    if (schedule.level[number] == never) return;
    depth.levels = std::max(depth.levels, schedule.level[number]);
    depth.passes = std::max(depth.passes, schedule.pass[number]);
  });
  return depth;
}

BlockGame::Features::Placing BlockGame::Features::placing_of(const Snapshot& s, const Place& place) {
  const Shape& shape = shape_of(place.shape);
  Placing out;
  out.beyond = std::max(place.row + shape.rows, place.column + shape.columns) - s.size;
  if (out.beyond > 0) return out;
  for (const Cell& cell : shape.cells) {
    out.in_the_way += s.board.at(place.row + cell.row, place.column + cell.column) != 0 ? 1 : 0;
  }
  const auto present = numbers_on(s.board);
  out.blocks = 1 + static_cast<int>(std::count(present.begin() + 1, present.end(), true));
  return out;
}

std::vector<BlockGame::Features::Standing> BlockGame::Features::standing(const Snapshot& s) {
  const auto open = [&](Cell cell) {
    for (int row = cell.row; row >= 0; --row) {
      if (s.board.at(row, cell.column) != 0) return false;
    }
    return true;
  };
  std::vector<Standing> out;
  Blocks{s.board}.each([&](std::size_t number, const Block& block) {
    if (block.shape == 0) return;
    const Shape& shape = shape_of(block.shape);
    int closed = 0;
    for (int row = 0; row < shape.rows; ++row) {
      for (int column = 0; column < shape.columns; ++column) {
        if (std::ranges::find(shape.cells, Cell{row, column}) != shape.cells.end()) continue;
        closed += open({block.row + row, block.column + column}) ? 0 : 1;
      }
    }
    out.push_back({static_cast<int>(number), block.shape, block.row, closed});
  });
  return out;
}

}  // namespace lockstep
