// Claims that do not hold: mistakes of canaries, stated as specifications of the right kernel. A claim has its canary's
// name. The right claims come first, and lend their functions.
#include <string>

#include "proof/claims/ts_tetris.cpp"

namespace {

struct Step {
  int right;
  int up;
};
constexpr Step steps[4] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};  // in the order of the canaries' search

/// Adds the cells of one direction's runs; `overlooked` says whether the next one is missed.
void add_runs(const Plane<std::uint16_t>& plane, const Step& step, Runs<std::uint16_t>& out, auto&& overlooked) {
  const auto is_set = cells_of(plane);
  for (int column = 0; column < columns; ++column) {
    for (int row = 0; row < rows<std::uint16_t>; ++row) {
      bool in_run = is_run(is_set, column, row, step.right, step.up) && !is_set(column - step.right, row - step.up) &&
                    !overlooked();
      for (int i = 0; i < columns; ++i) {
        in_run = in_run && is_set(column + i * step.right, row + i * step.up);
        if (!in_run) continue;
        set(out.cells, column + i * step.right, row + i * step.up);
        out.any.columns[0] = 1;
      }
    }
  }
}

/// Drops make no run of thirteen, but a change of the region with the bottom left cell does. All 2 become 1.
constexpr const char* before_a_change[2] = {"...222..222.....",  //
                                            "2222122221222..."};

std::string scenario_of_change(const Cells<std::uint16_t>&) {
  std::string out = "lockstep 1 ts_tetris\nwidth 16\nheight 2\nto_move 1\nscore_1 0\nscore_2 0\nboard\n";
  for (const char* row : before_a_change) out += std::string(row) + "\n";
  return out + "actions\nchange column=0\n";
}

}  // namespace

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

/// The runs of the first direction that has one vanish before the next direction is searched.
void ts_tetris_gravity_between_directions(const Cells<std::uint16_t>& in, Runs<std::uint16_t>& out) {
  out = {};
  for (const Step& step : steps) {
    const bool over = out.any.columns[0] != 0;
    add_runs(in.mine, step, out, [=] { return over; });
    add_runs(in.theirs, step, out, [=] { return over; });
  }
}

/// The first run of the mover vanishes, no other: after a drop, all runs are the mover's.
void ts_tetris_one_run_at_a_time(const Cells<std::uint16_t>& in, Runs<std::uint16_t>& out) {
  out = {};
  for (const Step& step : steps) add_runs(in.mine, step, out, [&] { return out.any.columns[0] != 0; });
}

/// The thirteenth cell of a run stays, and all that follow.
void ts_tetris_run_capped_at_12(const Cells<std::uint16_t>& in, Runs<std::uint16_t>& out) {
  runs_of_both(in, out, [](auto&& is_set, int column, int row) {
    bool vanishes = false;
    for (const Step& step : steps) {
      bool in_a_run = false;
      for (int i = 0; i < run; ++i) {
        in_a_run = in_a_run || is_run(is_set, column - i * step.right, row - i * step.up, step.right, step.up);
      }
      bool follows_twelve = true;
      for (int i = 1; i <= 12; ++i) {
        follows_twelve = follows_twelve && is_set(column - i * step.right, row - i * step.up);
      }
      vanishes = vanishes || (in_a_run && !follows_twelve);
    }
    return vanishes;
  });
}

bool ts_tetris_after_the_change(const Cells<std::uint16_t>& in) {
  bool out = true;
  for (int column = 0; column < columns; ++column) {
    const int height = int{before_a_change[1][column] != '.'} + int{before_a_change[0][column] != '.'};
    out = out && in.mine.columns[column] == (1 << height) - 1 && in.theirs.columns[column] == 0;
  }
  return out;
}

/// After a drop, the mistake leaves at most four cells of runs: too few to vanish in the next round.
bool ts_tetris_few_are_left(const Cells<std::uint16_t>& in, const Runs<std::uint16_t>& wrong) {
  Runs<std::uint16_t> right;
  ts_tetris_runs_16(in, right);
  int left = 0;
  for (int column = 0; column < columns; ++column) {
    for (int row = 0; row < rows<std::uint16_t>; ++row) {
      left += int{cells_of(right.cells)(column, row) && !cells_of(wrong.cells)(column, row)};
    }
  }
  return ts_tetris_after_a_drop_16(in) && left < run;
}
bool ts_tetris_few_are_left_between_directions(const Cells<std::uint16_t>& in) {
  Runs<std::uint16_t> wrong;
  ts_tetris_gravity_between_directions(in, wrong);
  return ts_tetris_few_are_left(in, wrong);
}
bool ts_tetris_few_are_left_by_one_run(const Cells<std::uint16_t>& in) {
  Runs<std::uint16_t> wrong;
  ts_tetris_one_run_at_a_time(in, wrong);
  return ts_tetris_few_are_left(in, wrong);
}

}  // extern "C"

#define WRONG_RUNS(NAME, LAWFUL, SCENARIO)                                                                \
  claim<Cells<std::uint16_t>, Runs<std::uint16_t>>({.game = "canaries of ts_tetris",                      \
                                                    .name = #NAME,                                        \
                                                    .says = "a mistake",                                  \
                                                    .kernel = LOCKSTEP_SYMBOL(ts_tetris_window_runs_16),  \
                                                    .specification = LOCKSTEP_SYMBOL(ts_tetris_##NAME),   \
                                                    .invariant = LOCKSTEP_SYMBOL(ts_tetris_any_cells_16), \
                                                    .draw = draw_cells<std::uint16_t>,                    \
                                                    .lawful = LOCKSTEP_SYMBOL(ts_tetris_##LAWFUL),        \
                                                    .scenario = SCENARIO})

const bool diagonal_stops_before_edge =
    WRONG_RUNS(diagonal_stops_before_edge, after_a_drop_16, scenario_of<std::uint16_t>);
const bool gravity_between_directions =
    WRONG_RUNS(gravity_between_directions, few_are_left_between_directions, scenario_of<std::uint16_t>);
const bool one_run_at_a_time = WRONG_RUNS(one_run_at_a_time, few_are_left_by_one_run, scenario_of<std::uint16_t>);
const bool run_capped_at_12 = WRONG_RUNS(run_capped_at_12, after_the_change, scenario_of_change);

// Drops -------------------------------------------------------------------------------------------

namespace {

/// Cells of the two players take turns in each column, so there is no run: the first player's are the even rows.
constexpr std::uint64_t rows_of_player[2] = {0x5555'5555'5555'5555, 0xaaaa'aaaa'aaaa'aaaa};

std::string scenario_of_drop(const Dropping& in) {
  std::string out = "lockstep 1 ts_tetris\nwidth 3\nheight " + std::to_string(in.height) +
                    "\nto_move 1\nscore_1 0\nscore_2 0\nboard\n";
  for (int row = in.height - 1; row >= 0; --row) {
    for (const std::uint8_t height : in.heights) out += row >= height ? '.' : row % 2 == 0 ? '1' : '2';
    out += '\n';
  }
  return out + "actions\ndrop column=0\n";
}

}  // namespace

extern "C" {

/// Only the first column of the three is looked at; a cell that has no room is lost.
void ts_tetris_full_check_on_first_column(const Dropping& in, Dropped& out) {
  std::memcpy(&out, &in, sizeof out);
  out.legal = in.heights[0] != in.height ? 1 : 0;
  tell_rows(in, out);
  out.astray = 0;
  for (int column = 0; column < 3; ++column) {
    for (int row = 0; row < TsTetris::side_max; ++row) {
      if (out.legal == 0 || in.heights[column] != row || row >= in.height) continue;
      ++out.heights[column];
      for (std::uint32_t player = 0; player < 2; ++player) {
        if (player != in.player) continue;
        ++out.left[player];
        out.cells[player][row / bits][column] |= std::uint64_t{1} << row % bits;
      }
    }
  }
}

bool ts_tetris_low_board_without_runs(const Dropping& in) {
  bool out = in.height >= TsTetris::height_min && in.height <= 4 && in.player == 0;
  for (int player = 0; player < 2; ++player) {
    std::uint32_t left = 0;
    for (int column = 0; column < 3; ++column) {
      const std::uint64_t filled = (std::uint64_t{1} << (in.heights[column] & 7)) - 1;
      left += static_cast<std::uint32_t>((in.heights[column] + (player == 0 ? 1 : 0)) / 2);
      for (int layer = 0; layer < layers; ++layer) {
        out = out && in.cells[player][layer][column] == (layer == 0 ? filled & rows_of_player[player] : 0);
      }
    }
    out = out && in.left[player] == left;
  }
  return out;
}

}  // extern "C"

const bool full_check_on_first_column =
    claim<Dropping, Dropped>({.game = "canaries of ts_tetris",
                              .name = "full_check_on_first_column",
                              .says = "a mistake",
                              .kernel = LOCKSTEP_SYMBOL(ts_tetris_bit_planes_drop),
                              .specification = LOCKSTEP_SYMBOL(ts_tetris_full_check_on_first_column),
                              .invariant = LOCKSTEP_SYMBOL(ts_tetris_any_dropping),
                              .rounds = TsTetris::side_max,
                              .lawful = LOCKSTEP_SYMBOL(ts_tetris_low_board_without_runs),
                              .scenario = scenario_of_drop});

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
