// A claim that does not hold: the mistake of a canary, stated as a specification of the right kernel. The claim has its
// canary's name. The right claims come first, and lend their functions.
#include "proof/claims/ts_tetris.cpp"

extern "C" {

/// Rising diagonals that reach the right wall are overlooked.
void ts_tetris_diagonal_stops_before_edge(const Cells<std::uint16_t>& in, Runs<std::uint16_t>& out) {
  runs_of_both(in, out, [](auto&& set, int column, int row) {
    bool to_the_wall = true;
    for (int i = 0; i < columns; ++i) to_the_wall = to_the_wall && (column + i >= columns || set(column + i, row + i));
    bool in_another_run = false;
    for (int i = 0; i < run; ++i) {
      in_another_run = in_another_run || is_run(set, column, row - i, 0, 1) || is_run(set, column - i, row, 1, 0) ||
                       is_run(set, column - i, row + i, 1, -1) ||
                       (!to_the_wall && is_run(set, column - i, row - i, 1, 1));
    }
    return in_another_run;
  });
}

}  // extern "C"

const bool diagonal_stops_before_edge = claim<Cells<std::uint16_t>, Runs<std::uint16_t>>(
    {.game = "canaries of ts_tetris",
     .name = "diagonal_stops_before_edge",
     .says = "a mistake",
     .kernel = LOCKSTEP_SYMBOL(ts_tetris_window_runs_16),
     .specification = LOCKSTEP_SYMBOL(ts_tetris_diagonal_stops_before_edge),
     .invariant = LOCKSTEP_SYMBOL(ts_tetris_any_cells_16),
     .draw = draw_cells<std::uint16_t>,
     .lawful = LOCKSTEP_SYMBOL(ts_tetris_after_a_drop_16),
     .scenario = scenario_of<std::uint16_t>});

// Without a scenario ------------------------------------------------------------------------------

extern "C" {

/// A run that fills its word is shifted by all 64 bits at once, which moves nothing.
void ts_tetris_full_word_stays(const Squeezing& in, Squeezed& out) {
  ts_tetris_lowest_run_goes(in, out);
  if (out.gone != bits) return;
  out.cells[0] = in.cells[0];
  out.cells[1] = in.cells[1];
  out.doomed = in.doomed;
}

}  // extern "C"

const bool full_word_stays = claim<Squeezing, Squeezed>({.game = "mistakes in ts_tetris",
                                                         .name = "full_word_stays",
                                                         .says = "a mistake",
                                                         .kernel = LOCKSTEP_SYMBOL(ts_tetris_bit_planes_remove_run),
                                                         .specification = LOCKSTEP_SYMBOL(ts_tetris_full_word_stays),
                                                         .invariant = LOCKSTEP_SYMBOL(ts_tetris_any_squeezing)});
