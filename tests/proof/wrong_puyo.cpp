// Claims that do not hold: mistakes of canaries, stated as specifications of the right kernel. A claim has its canary's
// name. The right claims come first, and lend their functions.
#include "proof/claims/puyo.cpp"

namespace {

struct Place {
  int row;
  int column;
};

/// The groups of the right claim, with three mistakes to choose from: which neighbours belong together, how many cells
/// vanish, and which cell is a fifth neighbour.
void wrong_groups(const Board& board, Cells& out, auto&& linked, auto&& vanishes, auto&& fifth) {
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
          grown[r][c] = group[r][c] || leads(r + 1, c) || leads(r - 1, c) || leads(r, c + 1) || leads(r, c - 1) ||
                        leads(fifth(r, c).row, fifth(r, c).column);
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

Place no_fifth(int, int) { return {-1, -1}; }
bool four_or_more(int count, bool) { return count >= Puyo::group_min; }

/// What is left falls by a mistaken rule: `lands(rows, row)` is where a puyo lands, `rows` tells which hold one.
void wrong_fall(const Vanishing& in, Board& out, auto&& lands) {
  out = {};
  for (int column = 0; column < Puyo::columns; ++column) {
    bool rows[Puyo::rows];
    for (int row = 0; row < Puyo::rows; ++row) {
      rows[row] = !has(in.doomed.columns, row, column) && colour(in.board, row, column) != 0;
    }
    for (int row = 0; row < Puyo::rows; ++row) {
      for (int to = 0; to <= row; ++to) {
        if (rows[row] && lands(rows, row) == to) put(out, to, column, colour(in.board, row, column));
      }
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
      [](int count, bool at_the_top) { return count >= (at_the_top ? 3 : 4); }, no_fifth);
}

void puyo_top_row_hidden(const Board& in, Cells& out) {
  wrong_groups(
      in, out,
      [&](int r, int c, int r2, int c2) {
        return same_colour(in, r, c, r2, c2) && r != Puyo::rows - 1 && r2 != Puyo::rows - 1;
      },
      four_or_more, no_fifth);
}

void puyo_third_plane_forgotten(const Board& in, Cells& out) {
  wrong_groups(
      in, out,
      [&](int r, int c, int r2, int c2) {
        const int a = colour(in, r, c);
        const int b = colour(in, r2, c2);
        return a == b || (c == c2 && a + b == 6 && (a == 1 || b == 1));
      },
      four_or_more, no_fifth);
}

void puyo_rows_wrap(const Board& in, Cells& out) {
  wrong_groups(
      in, out, [&](int r, int c, int r2, int c2) { return same_colour(in, r, c, r2, c2); }, four_or_more,
      [](int r, int c) {
        return c == 0 ? Place{r + 1, Puyo::columns - 1} : c == Puyo::columns - 1 ? Place{r - 1, 0} : Place{-1, -1};
      });
}

void puyo_columns_wrap(const Board& in, Cells& out) {
  wrong_groups(
      in, out, [&](int r, int c, int r2, int c2) { return same_colour(in, r, c, r2, c2); }, four_or_more,
      [](int r, int c) {
        return r == 0 ? Place{Puyo::rows - 1, c - 1} : r == Puyo::rows - 1 ? Place{0, c + 1} : Place{-1, -1};
      });
}

void puyo_top_row_never_falls(const Vanishing& in, Board& out) {
  wrong_fall(in, out, [](const bool* rows, int row) {
    int to = 0;
    for (int below = 0; below < row; ++below) to += int{rows[below]};
    return row == Puyo::rows - 1 ? row : to;
  });
}

void puyo_split_gap_falls_short(const Vanishing& in, Board& out) {
  wrong_fall(in, out, [](const bool* rows, int row) {
    int to = 0;
    int gaps = 0;
    for (int below = 0; below < row; ++below) {
      to += int{rows[below]};
      gaps += int{!rows[below] && (below == 0 || rows[below - 1])};
    }
    return gaps > 1 ? to + 1 : to;
  });
}

/// What a scenario's board makes vanish: its groups.
bool puyo_groups_vanish(const Vanishing& in) {
  Cells groups;
  puyo_groups_of_four(in.board, groups);
  bool out = puyo_settled_board(in.board);
  for (int column = 0; column < lanes; ++column) out = out && in.doomed.columns[column] == groups.columns[column];
  return out;
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
const bool rows_wrap = WRONG(rows_wrap);
const bool columns_wrap = WRONG(columns_wrap);

#define WRONG_FALL(NAME)                                                                   \
  claim<Vanishing, Board>({.game = "canaries of puyo",                                     \
                           .name = #NAME,                                                  \
                           .says = "a mistake",                                            \
                           .kernel = LOCKSTEP_SYMBOL(puyo_lanes_fall),                     \
                           .specification = LOCKSTEP_SYMBOL(puyo_##NAME),                  \
                           .invariant = LOCKSTEP_SYMBOL(puyo_any_vanishing),               \
                           .draw =                                                         \
                               [](Draws& draws, Vanishing& in) {                           \
                                 draw_board(draws, in.board);                              \
                                 for (std::uint16_t& column : in.doomed.columns) {         \
                                   column = static_cast<std::uint16_t>(draws() & draws()); \
                                 }                                                         \
                               },                                                          \
                           .rounds = Puyo::rows * Puyo::columns,                           \
                           .lawful = LOCKSTEP_SYMBOL(puyo_groups_vanish),                  \
                           .scenario = [](const Vanishing& in) { return scenario_of(in.board); }})

const bool top_row_never_falls = WRONG_FALL(top_row_never_falls);
const bool split_gap_falls_short = WRONG_FALL(split_gap_falls_short);
