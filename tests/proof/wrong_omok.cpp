// Claims that do not hold: mistakes of canaries, stated as specifications of the right kernel. A claim has its canary's
// name. The right claims come first, and lend their functions.
#include "proof/claims/omok.cpp"

namespace {

void wrong_winner(const Rows& board, Answer& out, bool topmost, auto&& wins_there) {
  out = {.says = static_cast<std::uint8_t>(Omok::Says::judged), .winner = 0, .row = 0, .column = 0};
  for (int i = 0; i < sides; ++i) {
    for (int k = 0; k < sides; ++k) {
      const int row = topmost ? i : k;
      const int column = topmost ? k : i;
      const bool won = wins_there(row, column, 0, 1) || wins_there(row, column, 1, 0) ||
                       wins_there(row, column, 1, 1) || wins_there(row, column, -1, 1);
      if (!won || out.winner != 0) continue;
      out.winner = static_cast<std::int8_t>(stone(board, row, column));
      out.row = static_cast<std::int8_t>(row + 1);
      out.column = static_cast<std::int8_t>(column + 1);
    }
  }
}

/// The leftmost win; `wins_there` errs about which stones name one.
void leftmost(const Rows& board, Answer& out, auto&& wins_there) { wrong_winner(board, out, false, wins_there); }

bool is_on(const Rows& board, int row, int column) {
  return row >= 0 && row < board.size && column >= 0 && column < board.size;
}

/// The rows of a board of 19 × 19 as a single line: behind the last cell of a row lies the first of the next.
int stone_in_order(const Rows& board, int row, int column) {
  if (column < 0) return stone(board, row - 1, column + sides);
  if (column >= sides) return stone(board, row + 1, column - sides);
  return stone(board, row, column);
}

/// Four lines through the middle of a board, and what is done there.
std::string scenario_of_middle(const Lines& in, bool has_middle, const std::string& does) {
  std::string out = "lockstep 1 omok\nsize 19\nboard\n";
  constexpr int middle = sides / 2;
  for (int row = 0; row < sides; ++row) {
    for (int column = 0; column < sides; ++column) {
      const bool black = (row == middle && has_stone(in.stones[0], column)) ||
                         (column == middle && has_stone(in.stones[1], row)) ||
                         (row == column && has_stone(in.stones[2], column)) ||
                         (row == sides - 1 - column && has_stone(in.stones[3], column)) ||
                         (has_middle && row == middle && column == middle);
      out += black ? 'B' : '.';
    }
    out += '\n';
  }
  return out + "actions\njudge\n" + does + " row=9 column=9\njudge\n";
}
std::string scenario_of_placing(const Lines& in) { return scenario_of_middle(in, false, "place colour=black"); }
std::string scenario_of_removing(const Lines& in) { return scenario_of_middle(in, true, "remove"); }

}  // namespace

extern "C" {

void omok_six_counts_as_five(const Rows& in, Answer& out) {
  leftmost(in, out, [&](int row, int column, int down, int right) {
    const int colour = stone(in, row, column);
    bool five = colour != 0 && stone(in, row - down, column - right) != colour;
    for (int k = 1; k < 5; ++k) five = five && stone(in, row + k * down, column + k * right) == colour;
    return five;
  });
}

void omok_topmost_win_answers(const Rows& in, Answer& out) {
  wrong_winner(in, out, true,
               [&](int row, int column, int down, int right) { return wins(in, row, column, down, right); });
}

void omok_hemmed_five_missed(const Rows& in, Answer& out) {
  leftmost(in, out, [&](int row, int column, int down, int right) {
    const int other = 3 - stone(in, row, column);
    const bool hemmed =
        stone(in, row - down, column - right) == other && stone(in, row + 5 * down, column + 5 * right) == other;
    return wins(in, row, column, down, right) && !hemmed;
  });
}

void omok_run_at_the_end_missed(const Rows& in, Answer& out) {
  leftmost(in, out, [&](int row, int column, int down, int right) {
    return wins(in, row, column, down, right) && is_on(in, row + 5 * down, column + 5 * right);
  });
}

void omok_vertical_from_the_bottom(const Rows& in, Answer& out) {
  leftmost(in, out, [&](int row, int column, int down, int right) {
    return wins(in, right == 0 ? row - 4 : row, column, down, right);
  });
}

void omok_anti_diagonal_from_the_top(const Rows& in, Answer& out) {
  leftmost(in, out, [&](int row, int column, int down, int right) {
    return down < 0 ? wins(in, row + 4, column - 4, down, right) : wins(in, row, column, down, right);
  });
}

void omok_white_before_black(const Rows& in, Answer& out) {
  const auto of = [&](int colour) {
    leftmost(in, out, [&](int row, int column, int down, int right) {
      return stone(in, row, column) == colour && wins(in, row, column, down, right);
    });
  };
  of(2);
  if (out.winner == 0) of(1);
}

void omok_corner_diagonal_missed(const Rows& in, Answer& out) {
  leftmost(in, out, [&](int row, int column, int down, int right) {
    const bool fills_its_line =
        !is_on(in, row - down, column - right) && !is_on(in, row + 5 * down, column + 5 * right);
    const bool slants = down != 0 && right != 0;
    return wins(in, row, column, down, right) && !(slants && fills_its_line);
  });
}

void omok_length_in_three_bits(const Rows& in, Answer& out) {
  leftmost(in, out, [&](int row, int column, int down, int right) {
    const int colour = stone(in, row, column);
    bool thirteen = colour != 0 && stone(in, row - down, column - right) != colour &&
                    stone(in, row + 13 * down, column + 13 * right) != colour;
    for (int k = 1; k < 13; ++k) thirteen = thirteen && stone(in, row + k * down, column + k * right) == colour;
    return thirteen || wins(in, row, column, down, right);
  });
}

/// For mistakes that depend on the side: one that is known keeps the specification plain.
bool omok_board_of_19(const Rows& in) { return omok_any_board(in) && in.size == sides; }

void omok_rows_wrap_around(const Rows& in, Answer& out) {
  leftmost(in, out, [&](int row, int column, int down, int right) {
    if (down != 0) return wins(in, row, column, down, right);
    const int colour = stone(in, row, column);
    bool five =
        colour != 0 && stone_in_order(in, row, column - 1) != colour && stone_in_order(in, row, column + 5) != colour;
    for (int k = 1; k < 5; ++k) five = five && stone_in_order(in, row, column + k) == colour;
    return five;
  });
}

void omok_stone_number_in_a_byte(const Rows& in, Answer& out) {
  omok_leftmost_win(in, out);
  const int number = (out.row - 1) * sides + out.column - 1;
  if (out.winner == 0 || number < 256) return;
  out.row = static_cast<std::int8_t>((number - 256) / sides + 1);
  out.column = static_cast<std::int8_t>((number - 256) % sides + 1);
}

void omok_sixteen_wins_overflow(const Rows& in, Answer& out) {
  unsigned count = 0;
  leftmost(in, out, [&](int row, int column, int down, int right) { return wins(in, row, column, down, right); });
  for (int row = 0; row < sides; ++row) {
    for (int column = 0; column < sides; ++column) {
      count += unsigned{wins(in, row, column, 0, 1)} + unsigned{wins(in, row, column, 1, 0)} +
               unsigned{wins(in, row, column, 1, 1)} + unsigned{wins(in, row, column, -1, 1)};
    }
  }
  if (count % 16 == 0)
    out = {.says = static_cast<std::uint8_t>(Omok::Says::judged), .winner = 0, .row = 0, .column = 0};
}

void omok_six_counts_as_five_on_a_line(const Lines& in, Wins& out) {
  changes(in, out, [](std::uint32_t line, int place) {
    bool five = !has_stone(line, place - 1);
    for (int k = 0; k < Omok::win_length; ++k) five = five && has_stone(line, place + k);
    return five;
  });
}

/// What a scenario on the middle of a board can show: the lines without the stone.
bool omok_lines_through_the_middle(const Lines& in) {
  bool out = omok_any_lines(in);
  for (int direction = 0; direction < 4; ++direction) {
    out = out && in.places[direction] == sides / 2 && !has_stone(in.stones[direction], sides / 2);
  }
  return out;
}

/// The wins that the stone breaks stay.
void omok_joined_six_keeps_old_win(const Lines& in, Wins& out) {
  Wins all;
  omok_wins_that_change(in, all);
  out = {};
  for (int direction = 0; direction < 4; ++direction) {
    for (int place = 0; place < sides; ++place) {
      const std::uint32_t before = in.stones[direction] & ~(1u << in.places[direction]);
      if (!is_five(before, place)) out.begin[direction] |= all.begin[direction] & 1u << place;
    }
  }
}

/// The same wins are not made when the stone is removed.
void omok_six_cut_to_five_missed(const Lines& in, Wins& out) { omok_joined_six_keeps_old_win(in, out); }

void omok_remove_forgets_anti_diagonal(const Lines& in, Wins& out) {
  omok_wins_that_change(in, out);
  out.begin[3] = 0;
}

/// Only the last win of a line counts.
void omok_one_win_a_line(const Lines& in, Wins& out) {
  changes(in, out, [](std::uint32_t line, int place) {
    bool last = is_five(line, place);
    for (int later = place + 1; later < sides; ++later) last = last && !is_five(line, later);
    return last;
  });
}

/// A stone that ends two fours, each of which it makes a five, makes neither.
void omok_closed_fours_cancel(const Lines& in, Wins& out) {
  omok_wins_that_change(in, out);
  std::uint64_t closed[4] = {};
  int count = 0;
  for (int direction = 0; direction < 4; ++direction) {
    for (int place = 0; place < sides; ++place) {
      const int stone = static_cast<int>(in.places[direction]);
      if (place != stone && place + 4 != stone) continue;
      const std::uint64_t begins = std::uint64_t{1} << (place + 6);
      if ((out.begin[direction] & begins) == 0) continue;
      closed[direction] |= begins;
      ++count;
    }
  }
  for (int direction = 0; direction < 4; ++direction) {
    if (count == 2) out.begin[direction] &= ~closed[direction];
  }
}

}  // extern "C"

#define WRONG_LINES(NAME, SCENARIO)                                             \
  claim<Lines, Wins>({.game = "canaries of omok",                               \
                      .name = #NAME,                                            \
                      .says = "a mistake",                                      \
                      .kernel = LOCKSTEP_SYMBOL(omok_lines_changed_wins),       \
                      .specification = LOCKSTEP_SYMBOL(omok_##NAME),            \
                      .invariant = LOCKSTEP_SYMBOL(omok_any_lines),             \
                      .draw = draw_lines,                                       \
                      .lawful = LOCKSTEP_SYMBOL(omok_lines_through_the_middle), \
                      .scenario = SCENARIO})

const bool joined_six_keeps_old_win = WRONG_LINES(joined_six_keeps_old_win, scenario_of_placing);
const bool six_cut_to_five_missed = WRONG_LINES(six_cut_to_five_missed, scenario_of_removing);
const bool remove_forgets_anti_diagonal = WRONG_LINES(remove_forgets_anti_diagonal, scenario_of_removing);
const bool one_win_a_line = WRONG_LINES(one_win_a_line, scenario_of_placing);
const bool closed_fours_cancel = WRONG_LINES(closed_fours_cancel, scenario_of_placing);

const bool six_counts_as_five_on_a_line =
    claim<Lines, Wins>({.game = "canaries of omok",
                        .name = "six_counts_as_five",
                        .says = "a mistake",
                        .kernel = LOCKSTEP_SYMBOL(omok_lines_changed_wins),
                        .specification = LOCKSTEP_SYMBOL(omok_six_counts_as_five_on_a_line),
                        .invariant = LOCKSTEP_SYMBOL(omok_any_lines),
                        .draw = draw_lines,
                        .lawful = LOCKSTEP_SYMBOL(omok_one_line),
                        .scenario = scenario_of_line});

#define WRONG(NAME, INVARIANT)                                         \
  claim<Rows, Answer>({.game = "canaries of omok",                     \
                       .name = #NAME,                                  \
                       .says = "a mistake",                            \
                       .kernel = LOCKSTEP_SYMBOL(omok_shifts_judge),   \
                       .specification = LOCKSTEP_SYMBOL(omok_##NAME),  \
                       .invariant = LOCKSTEP_SYMBOL(omok_##INVARIANT), \
                       .draw = draw_board,                             \
                       .rounds = sides,                                \
                       .scenario = scenario_of})

const bool six_counts_as_five = WRONG(six_counts_as_five, any_board);
const bool topmost_win_answers = WRONG(topmost_win_answers, any_board);
const bool hemmed_five_missed = WRONG(hemmed_five_missed, any_board);
const bool run_at_the_end_missed = WRONG(run_at_the_end_missed, any_board);
const bool vertical_from_the_bottom = WRONG(vertical_from_the_bottom, any_board);
const bool anti_diagonal_from_the_top = WRONG(anti_diagonal_from_the_top, any_board);
const bool white_before_black = WRONG(white_before_black, any_board);
const bool corner_diagonal_missed = WRONG(corner_diagonal_missed, any_board);
const bool length_in_three_bits = WRONG(length_in_three_bits, any_board);
const bool rows_wrap_around = WRONG(rows_wrap_around, board_of_19);
const bool stone_number_in_a_byte = WRONG(stone_number_in_a_byte, board_of_19);
const bool sixteen_wins_overflow = WRONG(sixteen_wins_overflow, any_board);

// batch -------------------------------------------------------------------------------------------

extern "C" {

void omok_six_counts_as_five_for_each(const Rows& in, Answers& out) {
  Answer one;
  omok_six_counts_as_five(in, one);
  for (Answer& each : out.of) each = one;
}

/// Each board's white stone in the last cell goes to the next board, before they are judged.
void omok_batch_shares_a_cell(const Boards& in, Differs& out) {
  compare_boards<Level::baseline>(in, out, [](OmokBoards::Group& group) {
    for (std::uint64_t& word : group.at(sides - 1, sides - 1).white) word <<= 1;
  });
}

}  // extern "C"

const bool six_counts_as_five_in_a_batch =
    claim<Rows, Answers>({.game = "canaries of omok",
                          .name = "six_counts_as_five",
                          .says = "a mistake",
                          .kernel = LOCKSTEP_SYMBOL(omok_batch_judge_baseline),
                          .specification = LOCKSTEP_SYMBOL(omok_six_counts_as_five_for_each),
                          .invariant = LOCKSTEP_SYMBOL(omok_any_board),
                          .draw = draw_board,
                          .scenario = scenario_of});

const bool batch_shares_a_cell = claim<Boards, Differs>({.game = "mistakes in omok",
                                                         .name = "batch_shares_a_cell",
                                                         .says = "boards that are not independent",
                                                         .kernel = LOCKSTEP_SYMBOL(omok_batch_shares_a_cell),
                                                         .specification = LOCKSTEP_SYMBOL(omok_boards_do_not_differ),
                                                         .invariant = LOCKSTEP_SYMBOL(omok_any_boards),
                                                         .draw = draw_boards});
