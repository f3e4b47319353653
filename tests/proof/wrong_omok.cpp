// Claims that do not hold: mistakes of canaries as specifications of the right kernel. A claim has its canary's name.
// The right claims come first, and lend their functions.
#include "proof/claims/omok.cpp"

extern "C" {

void omok_stone_number_in_a_byte(const Rows& in, Answer& out) {
  omok_leftmost_win(in, out);
  const int number = (out.row - 1) * sides + out.column - 1;
  if (out.winner == 0 || number < 256) return;
  out.row = static_cast<std::int8_t>((number - 256) / sides + 1);
  out.column = static_cast<std::int8_t>((number - 256) % sides + 1);
}

/// A known side keeps the specification plain.
bool omok_board_of_19(const Rows& in) { return omok_any_board(in) && in.size == sides; }

void omok_six_counts_as_five(const Lines& in, Wins& out) {
  changes(in, out, [](std::uint32_t line, int place) {
    bool five = !has_stone(line, place - 1);
    for (int k = 0; k < Omok::win_length; ++k) five = five && has_stone(line, place + k);
    return five;
  });
}

/// Each board's white stone in the last cell goes to the next board, before they are judged.
void omok_batch_shares_a_cell(const Boards& in, Differs& out) {
  compare_boards<Level::baseline>(in, out, [](OmokBoards::Group& group) {
    for (std::uint64_t& word : group.at(sides - 1, sides - 1).white) word <<= 1;
  });
}

}  // extern "C"

const bool stone_number_in_a_byte = claim<Rows, Answer>({.game = "canaries of omok",
                                                         .name = "stone_number_in_a_byte",
                                                         .says = "a mistake",
                                                         .kernel = LOCKSTEP_SYMBOL(omok_shifts_judge),
                                                         .specification = LOCKSTEP_SYMBOL(omok_stone_number_in_a_byte),
                                                         .invariant = LOCKSTEP_SYMBOL(omok_board_of_19),
                                                         .draw = draw_board,
                                                         .rounds = sides,
                                                         .scenario = scenario_of});
const bool six_counts_as_five = claim<Lines, Wins>({.game = "canaries of omok",
                                                    .name = "six_counts_as_five",
                                                    .says = "a mistake",
                                                    .kernel = LOCKSTEP_SYMBOL(omok_lines_changed_wins),
                                                    .specification = LOCKSTEP_SYMBOL(omok_six_counts_as_five),
                                                    .invariant = LOCKSTEP_SYMBOL(omok_any_lines),
                                                    .draw = draw_lines,
                                                    .lawful = LOCKSTEP_SYMBOL(omok_one_line),
                                                    .scenario = scenario_of_line});
/// A kernel whose boards depend on each other: planted changes err in each board alone.
const bool batch_shares_a_cell = claim<Boards, Differs>({.game = "mistakes in omok",
                                                         .name = "batch_shares_a_cell",
                                                         .says = "boards that are not independent",
                                                         .kernel = LOCKSTEP_SYMBOL(omok_batch_shares_a_cell),
                                                         .specification = LOCKSTEP_SYMBOL(omok_boards_do_not_differ),
                                                         .invariant = LOCKSTEP_SYMBOL(omok_any_boards),
                                                         .draw = draw_boards});
