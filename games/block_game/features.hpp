// Features of the block game: how deep a scenario went.
#pragma once

#include <array>
#include <variant>
#include <vector>

#include "games/block_game/game.hpp"
#include "lockstep/base/limits.hpp"

namespace lockstep {

struct BlockGame::Features {
  enum : std::size_t {
    illegal,
    removed_by_a_clear,
    number_placed,
    blocks,
    levels,
    passes,
    highest_number,
    blocks_with_the_placed,
    lines_beyond_the_board,
    cells_in_the_way,
    board_size,
    board_size_around_largest,
    highest_number_around_last,
    removed_around_all,
    shape_placed,
    shape_removed,
    gaps_closed_at_a_clear,
    rows_above_the_removed,
    rows_above_around_most,
  };
  static constexpr std::array<Feature, 19> list = {{
      {illegal, "illegal"},
      {removed_by_a_clear, "removed by a clear"},
      {number_placed, "number placed"},
      {blocks, "blocks"},
      {levels, "levels"},
      {passes, "passes by number"},
      {highest_number, "highest number"},
      {blocks_with_the_placed, "blocks with the one to place", blocks_max},  // 201: refused
      {lines_beyond_the_board, "rows or columns beyond the board", 0},  // 0: the rectangle ends at the edge; 1: refused
      {cells_in_the_way, "cells in the way of a place"},
      {board_size, "size"},
      {board_size_around_largest, "size, up to the largest", size_max},
      {highest_number_around_last, "highest number, up to the last", blocks_max},
      {removed_around_all, "removed by a clear, up to all", blocks_max},
      {shape_placed, "shape placed", 8},
      {shape_removed, "shape removed", 8},
      {gaps_closed_at_a_clear, "gaps closed over a block at a clear"},
      {rows_above_the_removed, "rows above what is removed"},
      {rows_above_around_most, "rows above what is removed, up to the most", size_max - 2},
  }};
  static constexpr std::array<Limit, 13> limits = {{
      {"200 blocks are the most; the 201st is refused", blocks_with_the_placed, blocks_max},
      {"place is illegal outside the board", lines_beyond_the_board, 0},
      {"place is illegal over an occupied cell", cells_in_the_way, 0, "fewer than none"},
      {"2 × 2 is the smallest board", board_size, size_min, "there is no smaller board"},
      {"the judge's smallest board is 4 × 4", board_size, judge_size_min},
      {"50 × 50 is the largest board", board_size_around_largest, size_max, {}, "there is no larger board"},
      {"numbers go up to 200", highest_number_around_last, blocks_max, {}, "there is no block 201"},
      {"all 200 blocks can go at once", removed_around_all, blocks_max, {}, "there is no block 201"},
      {"the first of twelve shapes", shape_placed, 1, "there is none before"},
      {"the last of twelve shapes", shape_placed, shapes, {}, "there is none beyond"},
      {"both gaps of a block are open", gaps_closed_at_a_clear, 0, "fewer than none"},
      {"a removed block can stand in the top row", rows_above_the_removed, 0, "there is no row above"},
      {"a removed block can stand at the bottom of 50 rows",
       rows_above_around_most,
       size_max - 2,
       {},
       "a block is two rows high at least"},
  }};

  static void observe(auto&& emit, const Action&, const Observation& o) {
    switch (o.says) {
      case Says::illegal: return emit(illegal, 1);
      case Says::placed: return emit(number_placed, o.number);
      case Says::cleared: emit(removed_by_a_clear, o.removed); return emit(removed_around_all, o.removed);
    }
  }
  static void survey(auto&& emit, const Snapshot& s) {
    const Depth depth = depth_of(s);
    emit(blocks, depth.blocks);
    emit(levels, depth.levels);
    emit(passes, depth.passes);
    emit(highest_number, depth.highest);
    emit(highest_number_around_last, depth.highest);
    emit(board_size, s.size);
    emit(board_size_around_largest, s.size);
  }
  static void witness(auto&& emit, const Snapshot& before, const Action& action, const Observation& o,
                      const Snapshot&) {
    if (const auto* place = std::get_if<Place>(&action)) {
      const Placing placing = placing_of(before, *place);
      emit(lines_beyond_the_board, placing.beyond);
      if (placing.beyond > 0) return;
      emit(cells_in_the_way, placing.in_the_way);
      emit(shape_placed, place->shape);
      if (placing.in_the_way == 0) emit(blocks_with_the_placed, placing.blocks);
      return;
    }
    for (const Standing& block : standing(before)) {
      emit(gaps_closed_at_a_clear, block.gaps_closed);
      if (!o.numbers.contains(block.number)) continue;
      emit(shape_removed, block.shape);
      emit(rows_above_the_removed, block.row);
      emit(rows_above_around_most, block.row);
    }
  }

  /// The amount of work of a clear. A block with open gaps has level 1; a block that waits for blocks of level n
  /// at most has level n + 1. Computed by schedule.hpp.
  struct Depth {
    int blocks = 0;
    int highest = 0;  // number on the board
    int levels = 0;   // of the blocks that a clear removes
    int passes = 0;   // productive passes of a clear that visits the blocks in order of numbers
  };
  static Depth depth_of(const Snapshot&);

 private:
  /// The board before a placement: a refused placement changes nothing, so only this shows the reason.
  struct Placing {
    int beyond = 0;      // rows or columns of its rectangle outside the board; −n: the distance to the nearer edge is n
    int in_the_way = 0;  // number of its four cells that are occupied (when it is inside)
    int blocks = 0;      // on the board, including this one
  };
  static Placing placing_of(const Snapshot&, const Place&);
  /// A block on the board before a clear. The observation says which blocks are removed.
  struct Standing {
    int number, shape, row;
    int gaps_closed;  // of the two gaps, the number not open to the sky
  };
  static std::vector<Standing> standing(const Snapshot&);
};

}  // namespace lockstep
