// Claims that do not hold: mistakes of canaries as specifications of the right kernel. A claim has its canary's name.
// The right claims come first, and lend their functions.
#include "proof/claims/puyo.cpp"

extern "C" {

void puyo_top_row_hidden(const Board& in, Cells& out) {
  constexpr std::uint16_t below = (1 << (Puyo::rows - 1)) - 1;
  Board hidden = in;
  for (int column = 0; column < Puyo::columns; ++column) {
    hidden.ones[column] &= below;
    hidden.twos[column] &= below;
    hidden.fours[column] &= below;
  }
  puyo_groups_of_four(hidden, out);
}

void puyo_eleven_fill_a_column(const Dropping& in, Dropped& out) {
  puyo_lands_on_top(in, out);
  for (int column = 0; column < Puyo::columns; ++column) {
    if (column != in.column || colour(in.board, Puyo::rows - 2, column) == 0) continue;
    out.board = in.board;
    out.says = static_cast<std::uint16_t>(Puyo::Says::illegal);
  }
}

}  // extern "C"

const bool top_row_hidden = claim<Board, Cells>({.game = "canaries of puyo",
                                                 .name = "top_row_hidden",
                                                 .says = "a mistake",
                                                 .kernel = LOCKSTEP_SYMBOL(puyo_lanes_find_doomed),
                                                 .specification = LOCKSTEP_SYMBOL(puyo_top_row_hidden),
                                                 .invariant = LOCKSTEP_SYMBOL(puyo_any_board),
                                                 .draw = draw_board,
                                                 .rounds = Puyo::rows * Puyo::columns,
                                                 .lawful = LOCKSTEP_SYMBOL(puyo_settled_board),
                                                 .scenario = scenario_of});
const bool eleven_fill_a_column = claim<Dropping, Dropped>({.game = "canaries of puyo",
                                                            .name = "eleven_fill_a_column",
                                                            .says = "a mistake",
                                                            .kernel = LOCKSTEP_SYMBOL(puyo_lanes_drop),
                                                            .specification = LOCKSTEP_SYMBOL(puyo_eleven_fill_a_column),
                                                            .invariant = LOCKSTEP_SYMBOL(puyo_any_drop),
                                                            .draw = draw_drop,
                                                            .scenario = scenario_of_drop});
