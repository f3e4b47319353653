"""The wrong programs, each as a change of the right program in its language: the starter of `lockstep init` with the
solution in tests/starters. stress_programs.py writes them."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Changed:
    says: str  # the first line of the program
    smallest: int | None  # how many numbers (or puyos) the smallest known failing input has that are not 0
    changes: tuple[tuple[str, str], ...]  # old and new text; the old one occurs exactly once
    verdict: str = "wrong answer"


# For programs in C++, C and Java that measure a run from its first cell only.
FROM_ITS_FIRST_CELL = ("      int length = 0;\n", """\
      int before_r = r - dr[d], before_c = c - dc[d];
      if (before_r >= 0 && before_r < height && before_c >= 0 && board[before_r][before_c] == board[r][c]) continue;
      int length = 0;
""")

CHANGED = {
    # A Java machine takes a hundred times as long to start as to answer, so the other programs in Java read all cases.
    "block_game/right_for_one_case.java": Changed("Reads one case.", None, (
        ("while (in.hasNext())", "if (in.hasNext())"),)),

    "block_game/wrong_32_columns.java": Changed(
        "Columns are bits of an int, which has 32: column 32 covers column 0.", 8, (
            ("      for (int r = top; r <= bottom; ++r) {\n", """\
      for (int r = top; r <= bottom; ++r) {
        int closed = 0;
        for (int i = 0; i < (r + 1) * n; ++i) {
          if (board[i / n][i % n] != 0) closed |= 1 << i % n;
        }
"""),
            ("if (board[up][c] != 0) open = 0;", "if ((closed & 1 << c) != 0) open = 0;"))),
    "block_game/wrong_array_one_too_small.cpp": Changed(
        "The numbers are 1 to 200, and the array has 200 places.", 4, (
            ("  int removed = 0;\n", """\
  int removed = 0;
  std::vector<int> cells_of(200);
  for (const auto& row : board) {
    for (const int number : row) ++cells_of.at(number);
  }
"""),
            ("number <= 200", "number < 200"),
            ("if (bottom < 0) continue;", "if (cells_of[number] == 0 || bottom < 0) continue;")),
        "runtime error"),
    "block_game/wrong_four_shapes.cpp": Changed(
        "Knows four of the five shapes that can be removed: not the one with its two gaps at the upper corners.", 4, (
            ("if (open == 0)", "if (open == 0 || (board[top][left] != number && board[top][right] != number))"),)),
    "block_game/wrong_numbers_without_gaps.cpp": Changed(
        "Takes k blocks to have the numbers 1 to k.", 4, (
            ("  int removed = 0;\n", """\
  int removed = 0, cells = 0;
  for (int i = 0; i < n * n; ++i) cells += board[i / n][i % n] != 0;
"""),
            ("number <= 200", "number <= cells / 4"))),
    "block_game/wrong_one_pass.cpp": Changed(
        "One pass: a block that another one with a higher number uncovers is not looked at again.", 8, (
            ("      again = 1;\n", ""),)),
    "block_game/wrong_own_block_lets_through.c": Changed(
        "On its way down a black square passes the cells of the block itself.", 4, (
            ("if (board[up][c] != 0)", "if (board[up][c] != 0 && board[up][c] != number)"),)),
    "block_game/wrong_signed_numbers.c": Changed(
        "The board is an array of signed characters: block 128 and those above it are negative.", 4, (
            ("int solution(int n, int board[50][50])", "int solution(int n, signed char board[50][50])"),
            ("static int board", "static signed char board"),
            ('scanf("%d", &board', 'scanf("%hhd", &board'))),
    "block_game/wrong_without_the_sky.cpp": Changed(
        "Removes a block when its two gaps are empty and lie open to the row above, without looking up to the sky.", 8, (
            ("up >= 0 && board", "up >= 0 && up >= r - 1 && board"),)),

    "omok/wrong_array_one_too_small.cpp": Changed(
        "The rows have no border between them: a line that leaves one row continues in the next.", 5, (
            ("y >= 0 && y < 19 && x >= 0 && x < 19 && board[y][x] == board[r][c]",
             "y * 19 + x >= 0 && y * 19 + x < 361 && board[(y * 19 + x) / 19][(y * 19 + x) % 19] == board[r][c]"),)),
    "omok/wrong_beside_the_other_colour.js": Changed(
        "Lines are cut at empty cells only: five stones with one of the other colour beside them are not found.", 6, (
            (" === board[r][c] ? 1 : 0);", " || 0);"),
            ("=== '0111110'", "=== `0${String(board[r][c]).repeat(5)}0`"))),
    "omok/wrong_bottom_of_a_vertical_line.cpp": Changed(
        "Of a vertical line the lowest stone is named.", 5, (
            ("win.row = r + 1;", "win.row = r + (d == 1 ? 5 : 1);"),)),
    "omok/wrong_five_inside_six.cpp": Changed(
        "Looks at the stone after the five, but not at the one before: the last five of six count.", 6, (
            ("int at = -1;", "int at = 0;"),)),
    "omok/wrong_last_row.rs": Changed(
        "Only rows 1 to 14 can begin a line that goes down: one that ends in the last row is missed.", 5, (
            ("if colour != 0 &&", "if colour != 0 && (dr == 0 || r + 4 * i32::min(dr, 0) < 14) &&"),)),
    "omok/wrong_not_at_the_edge.py": Changed(
        "The cell after the five must exist, so a line that ends at the edge is not found.", 5, (
            ("if board[r][c] and same", "if board[r][c] and 0 <= r + 5 * dr < 19 and c + 5 * dc < 19 and same"),)),
    "omok/wrong_six_ends_the_search.c": Changed(
        "A line of six or more ends the search, also for the other directions of its stones and all that comes after it.",
        10, (
            ("    if (board[r][c] == 0 ||", "    if (board[r][c] != 0 && inside == 5 && beside > 0) break;\n"
                                             "    if (board[r][c] == 0 ||"),)),
    "omok/wrong_topmost_on_the_rising_diagonal.cpp": Changed(
        "Searches row by row and names the first stone found: on a rising diagonal that is the rightmost one.", 5, (
            ("{0, 1, 1, -1}, dc[] = {1, 0, 1, 1}", "{0, 1, 1, 1}, dc[] = {1, 0, 1, -1}"),
            ("r = i / 4 % 19, c = i / 4 / 19", "r = i / 4 / 19, c = i / 4 % 19"))),
    "omok/wrong_visited_in_any_direction.java": Changed(
        "A stone that was passed in one direction is not looked at in the others.", 6, (
            ("same = 0;\n", "same = 0;\n        if (visited[r][c]) continue;\n"),
            ("    for (int i = 0; i < 4 * 19 * 19; ++i) {\n", """\
    boolean[][] visited = new boolean[19][19];
    for (int i = 0; i < 4 * 19 * 19; ++i) {
"""),
            ("        if (board[r][c] != 0 &&", """\
        for (int at = 1; (same & 1) == 0 && (same >> at & 2) != 0; ++at) visited[r + at * dr[d]][c + at * dc[d]] = true;
        if (board[r][c] != 0 &&"""))),

    "puyo/wrong_diagonal_neighbours.py": Changed(
        "Neighbours at the corner belong to a group, too.", 5, (
            ("in (r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1):",
             "in ((r + i, c + j) for i in (-1, 0, 1) for j in (-1, 0, 1)):"),)),
    "puyo/wrong_each_group_is_a_chain.cpp": Changed(
        "Two groups that vanish at once count as two chains.", 8, (
            ("for (int chains = 0;; ++chains) {", "for (int chains = 0;;) {"),
            ("      gone = 1;\n", "      gone = 1;\n      chains += group[i] == i;\n"))),
    "puyo/wrong_exactly_four.cpp": Changed(
        "A group vanishes if it has exactly four puyos.", 5, (
            ("size[group[i]] < 4", "size[group[i]] != 4"),)),
    "puyo/wrong_falls_one_cell.c": Changed(
        "After a group vanished each puyo falls by one cell only.", 8, (
            ("field[to--][c] = cell;", "to = to > r ? r + 1 : r;\n        field[to--][c] = cell;"),)),
    "puyo/wrong_one_digit.c": Changed(
        "The answer is written as one digit: ten chains become a colon.", 43, (
            (r'printf("%d\n", solution(field))', r'printf("%c\n", '"'0' + solution(field))"),),
        "bad output format"),
    "puyo/wrong_purple_forgotten.java": Changed(
        "Four colours are known; purple never vanishes.", 4, (
            ("if (field[i / 6][i % 6] != '.') ++size", "if (\"RGBY\".indexOf(field[i / 6][i % 6]) >= 0) ++size"),)),
    "puyo/wrong_top_row_stays.cpp": Changed(
        "Falling begins in the second row: what lies in the highest row of a full column stays there.", 12, (
            ("int r = 11, to = 11; r >= 0; --r", "int r = 11, to = 11; r > 0; --r"),)),
    "puyo/wrong_visited_not_cleared.cpp": Changed(
        "`visited` is not cleared between the chains.", 7, (
            ("  for (int chains = 0;; ++chains) {\n", "  bool visited[72] = {};\n  for (int chains = 0;; ++chains) {\n"),
            ("!= field[i / 6][i % 6]) continue;", "!= field[i / 6][i % 6] || visited[i] || visited[r * 6 + c]) continue;"),
            ("if (field[i / 6][i % 6] != '.') ++size[group[i]];", """\
if (field[i / 6][i % 6] == '.') continue;
      if (!visited[i]) ++size[group[i]];
      visited[i] = true;"""))),

    "stacking/only_in_a_loop.c": Changed(
        "Right for one game. The stacks are not cleared before the next one.", None, (
            ("int stack[12][12][10], height[12][12] = {{0}};", "static int stack[12][12][4000], height[12][12];"),)),
    "stacking/wrong_before_turn_1000.cpp": Changed(
        "Stops before turn 1000, in which a game may still end.", 16, (
            ("turn <= 1000", "turn < 1000"),)),
    "stacking/wrong_end_after_the_turn.cpp": Changed(
        "Looks for a stack of four after a whole turn only: the stack may have come apart by then.", 4, (
            ("      if (height[y][x] >= 4) return turn;\n    }\n", """\
    }
    for (int i = 0; i < n * n; ++i) {
      if (height[i / n][i % n] >= 4) return turn;
    }
"""),)),
    "stacking/wrong_exactly_four.cpp": Changed(
        "The game ends at a stack of exactly four; a stack that grows from three to five is not noticed.", 5, (
            ("height[y][x] >= 4", "height[y][x] == 4"),)),
    "stacking/wrong_only_the_piece_on_red.cpp": Changed(
        "On red only a group of two or more is turned over, and with it whatever stands there already.", 5, (
            ("#include <iostream>\n", "#include <algorithm>\n#include <iostream>\n"),
            ("board[y][x] == 1 ? first + top - at : at", "at"),
            ("      if (height[y][x] >= 4)", """\
      if (board[y][x] == 1 && top > first) std::reverse(stack[y][x], stack[y][x] + height[y][x]);
      if (height[y][x] >= 4)"""))),
    "stacking/wrong_red_behind_is_white.c": Changed(
        "A group that turns round at a blue cell and lands on red keeps its order.", 5, (
            ("blue = 1, first = 0;", "blue = 1, first = 0, facing = pieces[i][2];"),
            ("board[y][x] == 1 ?", "board[y][x] == 1 && pieces[i][2] == facing ?"))),
    "stacking/wrong_reversed_too_late.cpp": Changed(
        "A group that lands on red is put down first and turned over with all that stands there.", 5, (
            ("#include <iostream>\n", "#include <algorithm>\n#include <iostream>\n"),
            ("board[y][x] == 1 ? first + top - at : at", "at"),
            ("      if (height[y][x] >= 4)", """\
      if (board[y][x] == 1) std::reverse(stack[y][x], stack[y][x] + height[y][x]);
      if (height[y][x] >= 4)"""))),
    "stacking/wrong_turn_1001.c": Changed(
        "Plays one turn too many: a game that ends in turn 1001 is given as such, not as -1.", 18, (
            ("turn <= 1000", "turn <= 1001"),)),
    "stacking/wrong_turns_back_again.java": Changed(
        "A piece between two blue cells turns round twice, so it keeps its direction.", 5, (
            ("if (blue == 1) continue;", "if (blue == 1) pieces[i][2] = back[pieces[i][2]];\n      if (blue == 1) continue;"),)),
    "stacking/wrong_whole_stack_moves.c": Changed(
        "The whole stack moves, also what lies below the piece.", 4, (
            ("      while (stack[r][c][first] != i) ++first;\n", ""),)),

    "ts_tetris/wrong_all_cells_score.cpp": Changed(
        "The opponent's cells that vanish score, too.", 5, (
            ("gone == 1 && cell == player", "gone == 1"),)),
    "ts_tetris/wrong_heights_are_characters.c": Changed(
        "The heights are signed characters: a column of 128 cells has a negative height, and counts as empty.", 129, (
            ("board[r][c] = player;\n  }\n  return",
             "board[(signed char)(height - 1 - r) < 0 ? height - 1 : r][c] = player;\n  }\n  return"),)),
    "ts_tetris/wrong_no_cascade.cpp": Changed(
        "What has fallen is not looked at again: one round of runs for each turn.", 5, (
            ("again = 1; again == 1;)", "again = 1; again == 1; again = 0)"),)),
    "ts_tetris/wrong_only_five_of_a_run.cpp": Changed(
        "Of a longer run only the first five cells vanish.", 3, (
            FROM_ITS_FIRST_CELL, ("at < length &&", "at < 5 &&"))),
    "ts_tetris/wrong_only_own_runs.cpp": Changed(
        "Only runs of the player who moves vanish; the opponent's, which falling cells can make, stay.", 5, (
            ("if (board[r][c] == 0 ||", "if (board[r][c] != player ||"),)),
    "ts_tetris/wrong_scores_survive.cpp": Changed(
        "The scores of a case survive into the next one.", 4, (
            ("  scores[1] = scores[2] = 0;\n", ""),)),
    "ts_tetris/wrong_shared_cell_scores_twice.java": Changed(
        "A cell that belongs to two runs scores twice.", 9, (
            FROM_ITS_FIRST_CELL,
            ("      for (int at = 0; at < length", """\
      if (length >= 5 && board[r][c] == player) points += length;
      for (int at = 0; at < length"""),
            ("++points;", "continue;"))),
    "ts_tetris/wrong_three_directions.c": Changed(
        "Looks right, up and up to the right, but never down to the right.", 7, (
            ("{0, 1, 1, -1}", "{0, 1, -1, -1}"),)),
    "ts_tetris/wrong_tie_is_won_by_player_1.c": Changed(
        "Equal scores count as a win of player 1.", 1, (
            ("scores[1] > scores[2] ?", "scores[1] >= scores[2] ?"),)),
    "ts_tetris/wrong_twelve_at_most.cpp": Changed(
        "A run is taken to have at most twelve cells.", 30, (
            FROM_ITS_FIRST_CELL, ("at < length &&", "at < length && at < 12 &&"))),
}
