// Claims that do not hold: mistakes of canaries, stated as specifications of the right kernel. A claim has its canary's
// name. The right claims come first, and lend their functions.
#include "proof/claims/puyo.cpp"

namespace {

/// The groups of the right claim, with two mistakes to choose from: which neighbours belong together, and how many
/// cells vanish.
void wrong_groups(const Board& board, Cells& out, auto&& linked, auto&& vanishes) {
  out = {};
  for (int start = 0; start < Puyo::rows * Puyo::columns; ++start) {
    bool group[Puyo::rows][Puyo::columns] = {};
    group[start / Puyo::columns][start % Puyo::columns] =
        colour(board, start / Puyo::columns, start % Puyo::columns) != 0;
    for (int round = 0; round < 3; ++round) {
      bool grown[Puyo::rows][Puyo::columns] = {};
      for (int r = 0; r < Puyo::rows; ++r) {
        for (int c = 0; c < Puyo::columns; ++c) {
          const auto leads = [&](int r2, int c2) { return is_inside(r2, c2) && group[r2][c2] && linked(r, c, r2, c2); };
          grown[r][c] = group[r][c] || leads(r + 1, c) || leads(r - 1, c) || leads(r, c + 1) || leads(r, c - 1);
        }
      }
      for (int r = 0; r < Puyo::rows; ++r) {
        for (int c = 0; c < Puyo::columns; ++c) group[r][c] = grown[r][c];
      }
    }
    int count = 0;
    bool at_the_top = false;
    for (int r = 0; r < Puyo::rows; ++r) {
      for (int c = 0; c < Puyo::columns; ++c) {
        count += int{group[r][c]};
        at_the_top = at_the_top || (group[r][c] && r == Puyo::rows - 1);
      }
    }
    if (vanishes(count, at_the_top)) {
      std::uint16_t& column = out.columns[start % Puyo::columns];
      column = static_cast<std::uint16_t>(column | 1 << (start / Puyo::columns));
    }
  }
}

bool same_colour(const Board& board, int r, int c, int r2, int c2) {
  return colour(board, r, c) == colour(board, r2, c2);
}

}  // namespace

extern "C" {

void puyo_three_at_the_top(const Board& in, Cells& out) {
  wrong_groups(
      in, out, [&](int r, int c, int r2, int c2) { return same_colour(in, r, c, r2, c2); },
      [](int count, bool at_the_top) { return count >= (at_the_top ? 3 : 4); });
}

void puyo_top_row_hidden(const Board& in, Cells& out) {
  wrong_groups(
      in, out,
      [&](int r, int c, int r2, int c2) {
        return same_colour(in, r, c, r2, c2) && r != Puyo::rows - 1 && r2 != Puyo::rows - 1;
      },
      [](int count, bool) { return count >= 4; });
}

void puyo_third_plane_forgotten(const Board& in, Cells& out) {
  wrong_groups(
      in, out,
      [&](int r, int c, int r2, int c2) {
        const int a = colour(in, r, c);
        const int b = colour(in, r2, c2);
        return a == b || (c == c2 && a + b == 6 && (a == 1 || b == 1));
      },
      [](int count, bool) { return count >= 4; });
}

}  // extern "C"

#define WRONG(NAME)                                                       \
  claim<Board, Cells>({.game = "canaries of puyo",                        \
                       .name = #NAME,                                     \
                       .says = "a mistake",                               \
                       .kernel = LOCKSTEP_SYMBOL(puyo_lanes_find_doomed), \
                       .specification = LOCKSTEP_SYMBOL(puyo_##NAME),     \
                       .invariant = LOCKSTEP_SYMBOL(puyo_any_board),      \
                       .draw = draw_board,                                \
                       .rounds = Puyo::rows * Puyo::columns,              \
                       .lawful = LOCKSTEP_SYMBOL(puyo_settled_board),     \
                       .scenario = scenario_of})

const bool three_at_the_top = WRONG(three_at_the_top);
const bool top_row_hidden = WRONG(top_row_hidden);
const bool third_plane_forgotten = WRONG(third_plane_forgotten);

// Without a scenario ------------------------------------------------------------------------------

extern "C" {

void puyo_three_at_the_top_of_two_boards(const Two<Board>& in, InLanes<Cells>& out) {
  out = {};
  for (int i = 0; i < 2; ++i) puyo_three_at_the_top(in.of[i], out.results.of[i]);
}

/// A puyo in the top row stays.
void puyo_top_rows_never_fall(const Two<Vanishing>& in, InLanes<Board>& out) {
  out = {};
  for (int i = 0; i < 2; ++i) {
    Vanishing below = in.of[i];
    for (std::uint16_t& column : below.doomed.columns)
      column = static_cast<std::uint16_t>(column | 1 << (Puyo::rows - 1));
    Board& board = out.results.of[i];
    puyo_everything_falls(below, board);
    for (int column = 0; column < Puyo::columns; ++column) {
      if (!has(in.of[i].doomed.columns, Puyo::rows - 1, column))
        put(board, Puyo::rows - 1, column, colour(in.of[i].board, Puyo::rows - 1, column));
    }
  }
}

}  // extern "C"

const bool three_at_the_top_in_a_batch =
    claim<Two<Board>, InLanes<Cells>>({.game = "mistakes in puyo",
                                       .name = "three_at_the_top_in_a_batch",
                                       .says = "a mistake",
                                       .kernel = LOCKSTEP_SYMBOL(puyo_batch_find_doomed_baseline),
                                       .specification = LOCKSTEP_SYMBOL(puyo_three_at_the_top_of_two_boards),
                                       .invariant = LOCKSTEP_SYMBOL(puyo_any_two_boards),
                                       .rounds = Puyo::rows * Puyo::columns});
const bool top_rows_never_fall =
    claim<Two<Vanishing>, InLanes<Board>>({.game = "mistakes in puyo",
                                           .name = "top_rows_never_fall",
                                           .says = "a mistake",
                                           .kernel = LOCKSTEP_SYMBOL(puyo_batch_fall_baseline),
                                           .specification = LOCKSTEP_SYMBOL(puyo_top_rows_never_fall),
                                           .invariant = LOCKSTEP_SYMBOL(puyo_two_settled_boards),
                                           .rounds = Puyo::rows / 2});
