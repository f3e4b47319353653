// Claims that do not hold: mistakes of canaries, stated as specifications of the right kernel. A claim has its canary's
// name. The right claims come first, and lend their functions.
#include "proof/claims/puyo.cpp"

namespace {

struct Place {
  int row;
  int column;
};

/// A step beyond a wall leads to no cell.
Place walled(int row, int column) { return {row, column}; }

/// The groups of the right claim, with three mistakes to choose from: which neighbours belong together, how many cells
/// vanish, and where a step beyond a wall leads.
void wrong_groups(const Board& board, Cells& out, auto&& linked, auto&& vanishes, auto&& stepped) {
  out = {};
  for (int start = 0; start < Puyo::rows * Puyo::columns; ++start) {
    bool group[Puyo::rows][Puyo::columns] = {};
    group[start / Puyo::columns][start % Puyo::columns] =
        colour(board, start / Puyo::columns, start % Puyo::columns) != 0;
    for (int round = 0; round < 3; ++round) {
      bool grown[Puyo::rows][Puyo::columns] = {};
      for (int r = 0; r < Puyo::rows; ++r) {
        for (int c = 0; c < Puyo::columns; ++c) {
          const auto leads = [&](int row, int column) {
            const auto [r2, c2] = stepped(row, column);
            return is_inside(r2, c2) && group[r2][c2] && linked(r, c, r2, c2);
          };
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

/// Cells of a board.
struct Region {
  bool has[Puyo::rows][Puyo::columns];
};

/// The cells of a start's colour that steps from it lead to, among those that are `free`: of the lowest `rows` rows.
Region reached(const Board& board, const Region& start, const Region& free, int rows, bool looks_up) {
  Region out = start;
  for (int round = 1; round < rows * Puyo::columns; ++round) {
    Region grown = out;
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < Puyo::columns; ++c) {
        const auto leads = [&](int r2, int c2) {
          return is_inside(r2, c2) && r2 < rows && out.has[r2][c2] && same_colour(board, r, c, r2, c2);
        };
        const bool touches = leads(r + 1, c) || leads(r, c + 1) || leads(r, c - 1) || (looks_up && leads(r - 1, c));
        grown.has[r][c] = out.has[r][c] || (free.has[r][c] && touches);
      }
    }
    out = grown;
  }
  return out;
}

/// The group of the first cell of `free`, of the rows from the top and the columns from the left.
Region first_group(const Board& board, const Region& free, int rows) {
  Region first;
  bool found = false;
  for (int row = Puyo::rows - 1; row >= 0; --row) {
    for (int column = 0; column < Puyo::columns; ++column) {
      first.has[row][column] = !found && free.has[row][column];
      found = found || free.has[row][column];
    }
  }
  return reached(board, first, free, rows, true);
}

Region region_of(const Cells& cells) {
  Region out;
  for (int row = 0; row < Puyo::rows; ++row) {
    for (int column = 0; column < Puyo::columns; ++column) out.has[row][column] = has(cells.columns, row, column);
  }
  return out;
}

bool is_empty_from(const Board& board, int lowest) {
  bool out = true;
  for (int column = 0; column < Puyo::columns; ++column) {
    for (int row = lowest; row < Puyo::rows; ++row) out = out && colour(board, row, column) == 0;
  }
  return out;
}

std::string scenario_of_counting(const Counted& in) { return scenario_of(in.board); }

void groups_beyond_walls(const Board& board, Cells& out, auto&& stepped) {
  wrong_groups(
      board, out, [&](int r, int c, int r2, int c2) { return same_colour(board, r, c, r2, c2); },
      [](int count, bool) { return count >= 4; }, stepped);
}

/// Of an input whose groups vanish: the first chain makes it fall.
std::string scenario_of_fall(const Vanishing& in) { return scenario_of(in.board); }

}  // namespace

extern "C" {

void puyo_three_at_the_top(const Board& in, Cells& out) {
  wrong_groups(
      in, out, [&](int r, int c, int r2, int c2) { return same_colour(in, r, c, r2, c2); },
      [](int count, bool at_the_top) { return count >= (at_the_top ? 3 : 4); }, walled);
}

void puyo_top_row_hidden(const Board& in, Cells& out) {
  wrong_groups(
      in, out,
      [&](int r, int c, int r2, int c2) {
        return same_colour(in, r, c, r2, c2) && r != Puyo::rows - 1 && r2 != Puyo::rows - 1;
      },
      [](int count, bool) { return count >= 4; }, walled);
}

void puyo_third_plane_forgotten(const Board& in, Cells& out) {
  wrong_groups(
      in, out,
      [&](int r, int c, int r2, int c2) {
        const int a = colour(in, r, c);
        const int b = colour(in, r2, c2);
        return a == b || (c == c2 && a + b == 6 && (a == 1 || b == 1));
      },
      [](int count, bool) { return count >= 4; }, walled);
}

/// Row 0 is the floor: the right end of a row touches the left end of the row below.
void puyo_rows_wrap(const Board& in, Cells& out) {
  groups_beyond_walls(in, out, [](int row, int column) {
    if (column < 0) return Place{row + 1, Puyo::columns - 1};
    if (column == Puyo::columns) return Place{row - 1, 0};
    return Place{row, column};
  });
}

/// The top of a column touches the floor of the column to its right.
void puyo_columns_wrap(const Board& in, Cells& out) {
  groups_beyond_walls(in, out, [](int row, int column) {
    if (row < 0) return Place{Puyo::rows - 1, column - 1};
    if (row == Puyo::rows) return Place{0, column + 1};
    return Place{row, column};
  });
}

void puyo_one_group_at_a_time(const Board& in, Cells& out) {
  Cells all;
  puyo_groups_of_four(in, all);
  const Region group = first_group(in, region_of(all), Puyo::rows);
  out = {};
  for (int row = 0; row < Puyo::rows; ++row) {
    for (int column = 0; column < Puyo::columns; ++column) {
      if (!group.has[row][column]) continue;
      out.columns[column] = static_cast<std::uint16_t>(out.columns[column] | 1 << row);
    }
  }
}

/// The cell and those that vanish already are the groups of a settled board of two rows.
bool puyo_last_of_the_groups(const Counted& in) {
  Cells groups;
  puyo_groups_of_four(in.board, groups);
  bool out = puyo_one_cell_more(in) && puyo_settled_board(in.board) && is_empty_from(in.board, 2);
  for (int row = 0; row < Puyo::rows; ++row) {
    for (int column = 0; column < Puyo::columns; ++column) {
      const bool vanishes = has(in.doomed.columns, row, column) || (row == in.row && column == in.column);
      out = out && vanishes == has(groups.columns, row, column);
    }
  }
  return out;
}

/// The cell has the colour of the last group.
void puyo_last_colour_takes_all(const Counted& in, Counts& out) {
  Cells groups;
  puyo_groups_of_four(in.board, groups);
  Region left = region_of(groups);
  int last = 0;
  for (int i = 0; i < 3; ++i) {  // two rows have room for three groups
    const Region group = first_group(in.board, left, 2);
    for (int row = 0; row < 2; ++row) {
      for (int column = 0; column < Puyo::columns; ++column) {
        if (group.has[row][column]) last = colour(in.board, row, column);
        left.has[row][column] = left.has[row][column] && !group.has[row][column];
      }
    }
  }
  out = {};
  for (int i = 0; i < Puyo::colours; ++i) out.by_the_cell[i] = last == i + 1 ? 1 : 0;
}

bool puyo_two_rows(const Board& in) { return puyo_any_board(in) && is_empty_from(in, 2); }

/// On two rows: from each cell that no search has seen yet, from the top, a search down, left and right.
void puyo_never_looks_up(const Board& in, Cells& out) {
  constexpr int rows = 2;
  out = {};
  Region unseen;
  for (int row = 0; row < Puyo::rows; ++row) {
    for (int column = 0; column < Puyo::columns; ++column) unseen.has[row][column] = colour(in, row, column) != 0;
  }
  for (int start = 0; start < rows * Puyo::columns; ++start) {
    Region group;
    for (int row = 0; row < Puyo::rows; ++row) {
      for (int column = 0; column < Puyo::columns; ++column) {
        const bool is_start = start == (rows - 1 - row) * Puyo::columns + column;
        group.has[row][column] = is_start && unseen.has[row][column];
      }
    }
    group = reached(in, group, unseen, rows, false);
    int count = 0;
    for (const auto& cells : group.has) {
      for (const bool cell : cells) count += int{cell};
    }
    for (int row = 0; row < rows; ++row) {
      for (int column = 0; column < Puyo::columns; ++column) {
        if (!group.has[row][column]) continue;
        unseen.has[row][column] = false;
        if (count >= 4) out.columns[column] = static_cast<std::uint16_t>(out.columns[column] | 1 << row);
      }
    }
  }
}

/// What a scenario can show: the groups of a settled board vanish.
bool puyo_settled_groups(const Vanishing& in) {
  Cells groups;
  puyo_groups_of_four(in.board, groups);
  bool out = puyo_settled_board(in.board);
  for (int column = 0; column < lanes; ++column) out = out && groups.columns[column] == in.doomed.columns[column];
  return out;
}

/// A puyo in the top row stays; below it, everything falls.
void puyo_top_row_never_falls(const Vanishing& in, Board& out) {
  Vanishing below = in;
  for (std::uint16_t& column : below.doomed.columns) {
    column = static_cast<std::uint16_t>(column | 1 << (Puyo::rows - 1));
  }
  puyo_everything_falls(below, out);
  for (int column = 0; column < Puyo::columns; ++column) {
    if (has(in.doomed.columns, Puyo::rows - 1, column)) continue;
    put(out, Puyo::rows - 1, column, colour(in.board, Puyo::rows - 1, column));
  }
}

/// A puyo falls by the number of empty cells below it, less one if they are in two stretches or more.
void puyo_split_gap_falls_short(const Vanishing& in, Board& out) {
  out = {};
  for (int column = 0; column < Puyo::columns; ++column) {
    int empty = 0;
    int gaps = 0;
    bool in_gap = false;
    for (int row = 0; row < Puyo::rows; ++row) {
      const int puyo = has(in.doomed.columns, row, column) ? 0 : colour(in.board, row, column);
      gaps += int{puyo == 0 && !in_gap};
      empty += int{puyo == 0};
      in_gap = puyo == 0;
      for (int lands = 0; lands <= row; ++lands) {
        if (puyo != 0 && lands == row - empty + int{gaps > 1}) put(out, lands, column, puyo);
      }
    }
  }
}

void puyo_eleven_fill_a_column(const Dropping& in, Dropped& out) {
  puyo_lands_on_top(in, out);
  for (int column = 0; column < Puyo::columns; ++column) {
    if (column != in.column || colour(in.board, Puyo::rows - 2, column) == 0) continue;
    out.board = in.board;
    out.says = static_cast<std::uint16_t>(Puyo::Says::illegal);
  }
}

void puyo_full_column_overwritten(const Dropping& in, Dropped& out) {
  puyo_lands_on_top(in, out);
  constexpr int top = Puyo::rows - 1;
  for (int column = 0; column < Puyo::columns; ++column) {
    if (column != in.column || colour(in.board, top, column) == 0) continue;
    out.says = static_cast<std::uint16_t>(Puyo::Says::dropped);
    out.board.ones[column] = static_cast<std::uint16_t>(out.board.ones[column] & ~(1 << top));
    out.board.twos[column] = static_cast<std::uint16_t>(out.board.twos[column] & ~(1 << top));
    out.board.fours[column] = static_cast<std::uint16_t>(out.board.fours[column] & ~(1 << top));
    put(out.board, top, column, in.colour);
  }
}

}  // extern "C"

#define WRONG(NAME, INVARIANT)                                            \
  claim<Board, Cells>({.game = "canaries of puyo",                        \
                       .name = #NAME,                                     \
                       .says = "a mistake",                               \
                       .kernel = LOCKSTEP_SYMBOL(puyo_lanes_find_doomed), \
                       .specification = LOCKSTEP_SYMBOL(puyo_##NAME),     \
                       .invariant = LOCKSTEP_SYMBOL(puyo_##INVARIANT),    \
                       .draw = draw_board,                                \
                       .rounds = Puyo::rows * Puyo::columns,              \
                       .lawful = LOCKSTEP_SYMBOL(puyo_settled_board),     \
                       .scenario = scenario_of})

const bool three_at_the_top = WRONG(three_at_the_top, any_board);
const bool top_row_hidden = WRONG(top_row_hidden, any_board);
const bool third_plane_forgotten = WRONG(third_plane_forgotten, any_board);
const bool rows_wrap = WRONG(rows_wrap, any_board);
const bool columns_wrap = WRONG(columns_wrap, any_board);
const bool one_group_at_a_time = WRONG(one_group_at_a_time, any_board);
const bool never_looks_up = WRONG(never_looks_up, two_rows);

const bool last_colour_takes_all = claim<Counted, Counts>({.game = "canaries of puyo",
                                                           .name = "last_colour_takes_all",
                                                           .says = "a mistake",
                                                           .kernel = LOCKSTEP_SYMBOL(puyo_lanes_count_colours),
                                                           .specification = LOCKSTEP_SYMBOL(puyo_last_colour_takes_all),
                                                           .invariant = LOCKSTEP_SYMBOL(puyo_one_cell_more),
                                                           .lawful = LOCKSTEP_SYMBOL(puyo_last_of_the_groups),
                                                           .scenario = scenario_of_counting});

#define WRONG_FALL(NAME)                                                     \
  claim<Vanishing, Board>({.game = "canaries of puyo",                       \
                           .name = #NAME,                                    \
                           .says = "a mistake",                              \
                           .kernel = LOCKSTEP_SYMBOL(puyo_lanes_fall),       \
                           .specification = LOCKSTEP_SYMBOL(puyo_##NAME),    \
                           .invariant = LOCKSTEP_SYMBOL(puyo_any_vanishing), \
                           .draw = draw_vanishing,                           \
                           .rounds = Puyo::rows - 1,                         \
                           .lawful = LOCKSTEP_SYMBOL(puyo_settled_groups),   \
                           .scenario = scenario_of_fall})

const bool top_row_never_falls = WRONG_FALL(top_row_never_falls);
const bool split_gap_falls_short = WRONG_FALL(split_gap_falls_short);

#define WRONG_DROP(NAME)                                                   \
  claim<Dropping, Dropped>({.game = "canaries of puyo",                    \
                            .name = #NAME,                                 \
                            .says = "a mistake",                           \
                            .kernel = LOCKSTEP_SYMBOL(puyo_lanes_drop),    \
                            .specification = LOCKSTEP_SYMBOL(puyo_##NAME), \
                            .invariant = LOCKSTEP_SYMBOL(puyo_any_drop),   \
                            .draw = draw_drop,                             \
                            .scenario = scenario_of_drop})

const bool eleven_fill_a_column = WRONG_DROP(eleven_fill_a_column);
const bool full_column_overwritten = WRONG_DROP(full_column_overwritten);

// Without a scenario ------------------------------------------------------------------------------

extern "C" {

void puyo_three_at_the_top_of_two_boards(const Two<Board>& in, InLanes<Cells>& out) {
  out = {};
  for (int i = 0; i < 2; ++i) puyo_three_at_the_top(in.of[i], out.results.of[i]);
}

void puyo_top_rows_never_fall(const Two<Vanishing>& in, InLanes<Board>& out) {
  out = {};
  for (int i = 0; i < 2; ++i) puyo_top_row_never_falls(in.of[i], out.results.of[i]);
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
