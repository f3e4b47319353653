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

}  // namespace

extern "C" {

void omok_six_counts_as_five(const Rows& in, Answer& out) {
  wrong_winner(in, out, false, [&](int row, int column, int down, int right) {
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
  wrong_winner(in, out, false, [&](int row, int column, int down, int right) {
    const int other = 3 - stone(in, row, column);
    const bool hemmed =
        stone(in, row - down, column - right) == other && stone(in, row + 5 * down, column + 5 * right) == other;
    return wins(in, row, column, down, right) && !hemmed;
  });
}

void omok_six_counts_as_five_on_a_line(const Lines& in, Wins& out) {
  changes(in, out, [](std::uint32_t line, int place) {
    bool five = !has_stone(line, place - 1);
    for (int k = 0; k < Omok::win_length; ++k) five = five && has_stone(line, place + k);
    return five;
  });
}

}  // extern "C"

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

#define WRONG(NAME)                                                   \
  claim<Rows, Answer>({.game = "canaries of omok",                    \
                       .name = #NAME,                                 \
                       .says = "a mistake",                           \
                       .kernel = LOCKSTEP_SYMBOL(omok_shifts_judge),  \
                       .specification = LOCKSTEP_SYMBOL(omok_##NAME), \
                       .invariant = LOCKSTEP_SYMBOL(omok_any_board),  \
                       .draw = draw_board,                            \
                       .rounds = sides,                               \
                       .scenario = scenario_of})

const bool six_counts_as_five = WRONG(six_counts_as_five);
const bool topmost_win_answers = WRONG(topmost_win_answers);
const bool hemmed_five_missed = WRONG(hemmed_five_missed);

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
