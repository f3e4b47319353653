// A claim that does not hold: a canary's mistake as a specification of the right kernel. The claim has the canary's name.
// The right claims come first, and lend their functions.
#include "proof/claims/block_game.cpp"

extern "C" void block_game_tee_stays(const Window& in, Words& out) {
  remove(in, out, [&](const Shape& shape, int column) {
    return &shape != &shapes[8] && is_removable(in, shape, lowest, column);
  });
}

const bool tee_stays = claim<Window, Words>({.game = "canaries of block_game",
                                             .name = "tee_stays",
                                             .says = "a mistake",
                                             .kernel = LOCKSTEP_SYMBOL(block_game_bit_rows_row),
                                             .specification = LOCKSTEP_SYMBOL(block_game_tee_stays),
                                             .invariant = LOCKSTEP_SYMBOL(block_game_any_window),
                                             .draw = draw_window,
                                             .lawful = LOCKSTEP_SYMBOL(block_game_top_of_a_board),
                                             .scenario = scenario_of});
