// Claims that do not hold: mistakes of canaries, stated as specifications of the right kernel. A claim has its canary's
// name. The right claims come first, and lend their functions.
#include "proof/claims/block_game.cpp"

namespace {

/// A shape's number, as games/block_game/game.hpp counts them.
long number_of(const Shape& shape) { return &shape - shapes + 1; }

}  // namespace

extern "C" {

/// The rule removes nothing from the board whose top the window is.
bool block_game_nothing_goes(const Window& in) {
  bool out = block_game_top_of_a_board(in);
  for (int bottom = 0; bottom < rows; ++bottom) {
    for (int column = 0; column < columns; ++column) {
      for (const Shape& shape : shapes) {
        const auto opens = [&](int r, int c) { return is_open(in, r, c); };
        out = out && !is_removable(in, shape, bottom, column, opens);
      }
    }
  }
  return out;
}

void block_game_tee_stays(const Window& in, Words& out) {
  remove(in, out, [&](const Shape& shape, int column) {
    const auto opens = [&](int r, int c) { return is_open(in, r, c); };
    return number_of(shape) != 9 && is_removable(in, shape, lowest, column, opens);
  });
}

void block_game_gaps_swapped_at_the_wall(const Window& in, Words& out) {
  remove(in, out, [&](const Shape& shape, int column) {
    const auto opens = [&](int r, int c) { return is_open(in, r, c); };
    const bool at_the_wall = number_of(shape) == 4 && column + shape.columns == columns;
    return !at_the_wall && is_removable(in, shape, lowest, column, opens);
  });
}

void block_game_first_gap_only(const Window& in, Words& out) {
  remove(in, out, [&](const Shape& shape, int column) {
    int gaps = 0;
    const auto opens = [&](int r, int c) { return ++gaps > 1 || is_open(in, r, c); };
    return is_removable(in, shape, lowest, column, opens);
  });
}

void block_game_thirty_two_columns(const Window& in, Words& out) {
  remove(in, out, [&](const Shape& shape, int column) {
    const auto opens = [&](int r, int c) { return c >= 32 || is_open(in, r, c); };
    return is_removable(in, shape, lowest, column, opens);
  });
}

}  // extern "C"

#define WRONG(NAME, LAWFUL)                                                  \
  claim<Window, Words>({.game = "canaries of block_game",                    \
                        .name = #NAME,                                       \
                        .says = "a mistake",                                 \
                        .kernel = LOCKSTEP_SYMBOL(block_game_bit_rows_row),  \
                        .specification = LOCKSTEP_SYMBOL(block_game_##NAME), \
                        .invariant = LOCKSTEP_SYMBOL(block_game_any_window), \
                        .draw = draw_window,                                 \
                        .lawful = LOCKSTEP_SYMBOL(block_game_##LAWFUL),      \
                        .scenario = scenario_of})

const bool tee_stays = WRONG(tee_stays, top_of_a_board);
const bool gaps_swapped_at_the_wall = WRONG(gaps_swapped_at_the_wall, top_of_a_board);
const bool first_gap_only = WRONG(first_gap_only, nothing_goes);
const bool thirty_two_columns = WRONG(thirty_two_columns, nothing_goes);

// Without a scenario ------------------------------------------------------------------------------

extern "C" {

void block_game_tee_stays_in_a_batch(const Stale& in, PassedOfAll& out) {
  pass_on(in, out, lanes_of<Level::baseline>, [](const Window& left, const Shape& shape, int column) {
    const auto opens = [&](int r, int c) { return is_open(left, r, c); };
    return number_of(shape) != 9 && is_removable(left, shape, lowest, column, opens);
  });
}

/// Blocks that have been removed still cover the gaps below them.
void block_game_removed_blocks_cover(const Stale& in, PassedOfAll& out) {
  pass_on(in, out, lanes_of<Level::baseline>, [&](const Window& left, const Shape& shape, int column) {
    return is_removable(left, shape, lowest, column, [&](int r, int c) { return is_open(in.window, r, c); });
  });
}

void block_game_shape_12_is_shape_10(const Placing& in, Placed& out) {
  place_by_pictures(in, out, [](const Shape& shape, int row, int column) {
    return is_cell(number_of(shape) == 12 ? shapes[9] : shape, row, column);
  });
}

}  // extern "C"

#define WRONG_ROW(NAME)                                                                \
  claim<Stale, PassedOfAll>({.game = "mistakes in block_game",                         \
                             .name = #NAME,                                            \
                             .says = "a mistake",                                      \
                             .kernel = LOCKSTEP_SYMBOL(block_game_batch_row_baseline), \
                             .specification = LOCKSTEP_SYMBOL(block_game_##NAME),      \
                             .invariant = LOCKSTEP_SYMBOL(block_game_any_stale),       \
                             .draw = draw_stale})

const bool tee_stays_in_a_batch = WRONG_ROW(tee_stays_in_a_batch);
const bool removed_blocks_cover = WRONG_ROW(removed_blocks_cover);
const bool shape_12_is_shape_10 =
    claim<Placing, Placed>({.game = "mistakes in block_game",
                            .name = "shape_12_is_shape_10",
                            .says = "a mistake",
                            .kernel = LOCKSTEP_SYMBOL(block_game_bit_rows_place),
                            .specification = LOCKSTEP_SYMBOL(block_game_shape_12_is_shape_10),
                            .invariant = LOCKSTEP_SYMBOL(block_game_any_placing),
                            .draw = draw_placing});
