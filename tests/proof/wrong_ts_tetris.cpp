// A claim that does not hold: a canary's mistake as a specification of the right kernel. The claim has the canary's name.
// The right claims come first, and lend their functions.
#include "proof/claims/ts_tetris.cpp"

/// Rising diagonals that reach the right wall are overlooked.
extern "C" void ts_tetris_diagonal_stops_before_edge(const Cells<std::uint16_t>& in, Runs<std::uint16_t>& out) {
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
