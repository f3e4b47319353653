// Claims about the simulators of omok: 19 × 19 and every smaller side, all boards.
//
// bands.judge is about a board from its bytes to the answer. (A smaller board is put into the corner of one of 19 × 19.)
//
// Lemma: for each board of a full register, `batch` answers what the rule says, whatever the other boards are.
// batch.lanes says that a board's answer stays the same if all boards are emptied whose number differs from its own in
// one given binary digit. This holds for any boards, so it holds again for those that are left: digit by digit, all
// other boards are emptied. So the answer depends on the board alone. Hence it is the answer for a batch in which every
// board is this one, of which batch.judge says that it is right.
//
// No claim: a register that is not full, of which only the first answers are written.
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "games/omok/game.hpp"
#include "lockstep/system/processor.hpp"
#include "optimized/omok/bands.hpp"
#include "optimized/omok/batch.hpp"
#include "optimized/omok/lines.hpp"
#include "optimized/omok/shifts.hpp"
#include "optimized/omok/wide_board.hpp"
#include "proof/claim.hpp"
#include "proof/claims/kernels.hpp"

namespace {

using lockstep::Level;
using lockstep::Omok;
using lockstep::optimized::BandsOmok;
using lockstep::optimized::LinesOmok;
using lockstep::optimized::OmokBoards;
using lockstep::optimized::ShiftsOmok;
using lockstep::optimized::WideBoardOmok;
using lockstep::proof::claim;
using lockstep::proof::Draws;
using lockstep::proof::runs_here;
using lockstep::proof::Unmade;

constexpr int sides = Omok::size_max;
constexpr int border = 5;  // empty rows above and below

/// The simulator's memory: a row is a word, a cell two bits, column 0 lowest.
struct Rows {
  std::int32_t size;
  std::uint32_t unused;
  std::uint64_t words[sides + 2 * border];
};
struct Answer {
  std::uint8_t says;
  std::int8_t winner;
  std::int8_t row;
  std::int8_t column;
};

int cell(const Rows& board, int row, int column) {
  return static_cast<int>(board.words[row + border] >> (2 * column) & 3);
}

void put(Rows& board, int row, int column, int colour) {
  const int shift = 2 * column;
  board.words[row + border] =
      (board.words[row + border] & ~(std::uint64_t{3} << shift)) | static_cast<std::uint64_t>(colour) << shift;
}

/// The colour of the board's stone at a place; 0 where there is none, and outside.
int stone(const Rows& board, int row, int column) {
  const bool inside = row >= 0 && row < sides && column >= 0 && column < sides;
  return inside && row < board.size && column < board.size ? cell(board, row, column) : 0;
}

/// Whether the stone begins a maximal run of exactly five that steps by `down` rows and `right` columns.
bool wins(const Rows& board, int row, int column, int down, int right) {
  const int colour = stone(board, row, column);
  bool five = colour != 0;
  for (int k = 1; k < Omok::win_length; ++k) five = five && stone(board, row + k * down, column + k * right) == colour;
  const bool before = stone(board, row - down, column - right) == colour;
  const bool behind = stone(board, row + Omok::win_length * down, column + Omok::win_length * right) == colour;
  return five && !before && !behind;
}

std::string scenario_of(const Rows& board) {
  std::string out = "lockstep 1 omok\nsize " + std::to_string(board.size) + "\nboard\n";
  for (int row = 0; row < board.size; ++row) {
    for (int column = 0; column < board.size; ++column) {
      out += Omok::cells.symbols[static_cast<std::size_t>(cell(board, row, column))];
    }
    out += '\n';
  }
  return out + "actions\njudge\n";
}

/// Sparse stones, and runs of four to seven.
void draw_board(Draws& draws, Rows& board) {
  const auto below = [&](int bound) { return static_cast<int>(draws.below(static_cast<std::uint64_t>(bound))); };
  board.size = 1 + below(sides);
  const int stones = below(4) * board.size * board.size / 4;
  for (int i = 0; i < stones; ++i) put(board, below(board.size), below(board.size), below(3));
  for (int runs = below(4); runs > 0; --runs) {
    const int colour = 1 + below(2);
    const int way = below(4);
    int row = below(board.size);
    int column = below(board.size);
    for (int length = 4 + below(4); length > 0; --length) {
      if (row < 0 || row >= board.size || column < 0 || column >= board.size) break;
      put(board, row, column, colour);
      row += way == 0 ? 0 : way == 3 ? -1 : 1;
      column += way == 1 ? 0 : 1;
    }
  }
}

/// The four lines of one colour through a cell, with or without a stone there: bit p is place p of the line.
struct Lines {
  std::uint32_t stones[4];
  std::uint32_t places[4];  // of the cell on each line
};
/// Places at which a win begins with the stone, and not without it, or the other way round.
struct Wins {
  std::uint64_t begin[4];  // bit i: at place i − 6; the wins that a window shows may begin before the line
};

bool has_stone(std::uint32_t line, int place) { return place >= 0 && place < sides && (line >> place & 1) != 0; }

/// Whether a run of exactly five begins at the place.
bool is_five(std::uint32_t line, int place) {
  bool out = !has_stone(line, place - 1) && !has_stone(line, place + Omok::win_length);
  for (int k = 0; k < Omok::win_length; ++k) out = out && has_stone(line, place + k);
  return out;
}

/// The wins that differ between the lines with and without the stone; `wins` may err.
void changes(const Lines& in, Wins& out, auto&& wins) {
  out = {};
  for (int direction = 0; direction < 4; ++direction) {
    const std::uint32_t stone = 1u << in.places[direction];
    const std::uint32_t line = in.stones[direction] & ~stone;
    for (int place = 0; place < sides; ++place) {
      if (wins(line, place) == wins(line | stone, place)) continue;
      out.begin[direction] |= std::uint64_t{1} << (place + 6);
    }
  }
}

/// The line is the board's middle row, the cell is where the stone is placed.
std::string scenario_of_line(const Lines& in) {
  std::string out = "lockstep 1 omok\nsize 19\nboard\n";
  for (int row = 0; row < sides; ++row) {
    for (int column = 0; column < sides; ++column) out += row == 9 && has_stone(in.stones[0], column) ? 'B' : '.';
    out += '\n';
  }
  return out + "actions\nplace colour=black row=9 column=" + std::to_string(in.places[0]) + "\njudge\n";
}

/// Long runs and short gaps.
void draw_lines(Draws& draws, Lines& in) {
  for (int direction = 0; direction < 4; ++direction) {
    in.places[direction] = static_cast<std::uint32_t>(draws.below(sides));
    in.stones[direction] = static_cast<std::uint32_t>((draws() | draws()) & ((1u << sides) - 1));
  }
}

/// Reads the board's bytes and judges them.
template <Level level>
void judge_bands(const Rows& in, Answer& out) {
  std::uint8_t cells[sides * sides];
  for (int row = 0; row < sides; ++row) {
    for (int column = 0; column < sides; ++column)
      cells[sides * row + column] = static_cast<std::uint8_t>(cell(in, row, column));
  }
  Unmade<BandsOmok> board;
  Omok::Observation answer{.says = Omok::Says::judged};
  board.it.read(cells);
  lockstep::at_level<level>([&](auto) __attribute__((always_inline)) { board.it.judge(answer); });
  out = std::bit_cast<Answer>(answer);
}

// batch -------------------------------------------------------------------------------------------

constexpr std::size_t group_words = OmokBoards::lanes / 64;

/// Any black and white stones of the boards of a group, a bit each, by cell.
struct Boards {
  std::uint64_t black[sides * sides][group_words];
  std::uint64_t white[sides * sides][group_words];
};
struct Differs {
  std::uint32_t bits;  // not 0: some board's answer depends on another board
};
/// Of all boards of a group.
struct Answers {
  Answer of[OmokBoards::lanes];
};

/// Judges the boards of a group, register by register.
template <Level level>
void judge_group(const OmokBoards::Group& group, Omok::Observation* answers) {
  lockstep::at_level<level>([&](auto compiled) __attribute__((always_inline)) {
    constexpr std::size_t here = 8 * OmokBoards::bytes_at<decltype(compiled)>;
    for (std::size_t first = 0; first < OmokBoards::lanes; first += here) {
      const OmokBoards::Kernel<decltype(compiled)> kernel{group, first / 64};
      kernel.judge(std::span{answers + first, here});
    }
  });
}

/// By digit and word: the boards whose number has the digit 1.
constexpr auto boards_with_digit = [] {
  std::array<std::array<std::uint64_t, group_words>, 8> out{};
  for (std::size_t digit = 0; digit < out.size(); ++digit) {
    for (std::size_t board = 0; board < OmokBoards::lanes; ++board) {
      out[digit][board / 64] |= std::uint64_t{board >> digit & 1} << (board % 64);
    }
  }
  return out;
}();

/// Judges the boards, then, for each digit of a board's number and both values of it, the boards with that value alone,
/// the others being empty. `spoil` may spoil what is judged.
template <Level level>
void compare_boards(const Boards& in, Differs& out, auto&& spoil) {
  OmokBoards::Group group{};
  const auto judge = [&](Omok::Observation* answers, auto&& kept) {
    for (std::size_t cell = 0; cell < group.cells.size(); ++cell) {
      for (std::size_t word = 0; word < group_words; ++word) {
        group.cells[cell].black[word] = in.black[cell][word] & kept(word);
        group.cells[cell].white[word] = in.white[cell][word] & kept(word);
      }
    }
    spoil(group);
    judge_group<level>(group, answers);
  };
  out = {};
  Omok::Observation all[OmokBoards::lanes];
  judge(all, [](std::size_t) { return ~std::uint64_t{0}; });
  for (std::size_t digit = 0; digit < boards_with_digit.size(); ++digit) {
    for (const bool value : {false, true}) {
      Omok::Observation some[OmokBoards::lanes];
      judge(some,
            [=](std::size_t word) { return value ? boards_with_digit[digit][word] : ~boards_with_digit[digit][word]; });
      for (std::size_t board = 0; board < OmokBoards::lanes; ++board) {
        if ((board >> digit & 1) != std::size_t{value}) continue;
        out.bits |= std::bit_cast<std::uint32_t>(some[board]) ^ std::bit_cast<std::uint32_t>(all[board]);
      }
    }
  }
}

/// Every board of a group is this one.
template <Level level>
void judge_copies(const Rows& in, Answers& out) {
  OmokBoards::Group group;
  for (int row = 0; row < sides; ++row) {
    for (int column = 0; column < sides; ++column) {
      group.at(row, column).black.fill(cell(in, row, column) == 1 ? ~std::uint64_t{0} : 0);
      group.at(row, column).white.fill(cell(in, row, column) == 2 ? ~std::uint64_t{0} : 0);
    }
  }
  Omok::Observation answers[OmokBoards::lanes];
  judge_group<level>(group, answers);
  for (std::size_t board = 0; board < OmokBoards::lanes; ++board) out.of[board] = std::bit_cast<Answer>(answers[board]);
}

/// Stones on half of the cells of a board, so that there are some runs of five.
void draw_boards(Draws& draws, Boards& in) {
  for (int cell = 0; cell < sides * sides; ++cell) {
    for (std::size_t word = 0; word < group_words; ++word) {
      in.black[cell][word] = draws();
      in.white[cell][word] = draws() & ~in.black[cell][word];
    }
  }
}

}  // namespace

extern "C" {

/// Cells inside of the board's side are empty, black or white; everything else is 0.
bool omok_any_board(const Rows& in) {
  bool out = in.size >= Omok::size_min && in.size <= Omok::size_max && in.unused == 0;
  for (int row = -border; row < sides + border; ++row) {
    out = out && in.words[row + border] >> (2 * sides) == 0;
    for (int column = 0; column < sides; ++column) {
      const int colour = cell(in, row, column);
      const bool inside = row >= 0 && row < in.size && column < in.size;
      out = out && (inside ? colour != 3 : colour == 0);
    }
  }
  return out;
}

void omok_shifts_judge(const Rows& in, Answer& out) {
  auto board = std::bit_cast<ShiftsOmok>(in);
  out = std::bit_cast<Answer>(board.judge());
}

/// The leftmost, then topmost stone that begins a win; a line begins at its left end, a vertical one at its top.
void omok_leftmost_win(const Rows& in, Answer& out) {
  out = {.says = static_cast<std::uint8_t>(Omok::Says::judged), .winner = 0, .row = 0, .column = 0};
  for (int column = 0; column < sides; ++column) {
    for (int row = 0; row < sides; ++row) {
      const bool won = wins(in, row, column, 0, 1) || wins(in, row, column, 1, 0) || wins(in, row, column, 1, 1) ||
                       wins(in, row, column, -1, 1);
      if (!won || out.winner != 0) continue;
      out.winner = static_cast<std::int8_t>(stone(in, row, column));
      out.row = static_cast<std::int8_t>(row + 1);
      out.column = static_cast<std::int8_t>(column + 1);
    }
  }
}

[[gnu::target(LOCKSTEP_AVX512VBMI)]] void omok_wide_board_judge(const Rows& in, Answer& out) {
  Unmade<WideBoardOmok> unmade;
  WideBoardOmok& board = unmade.it;
  board.stones_ = {};
  for (int row = 0; row < sides; ++row) {
    for (int column = 0; column < sides; ++column) {
      const int colour = cell(in, row, column);
      const auto bit = static_cast<std::size_t>(sides * row + column);
      board.stones_[0].word[bit / 64] |= std::uint64_t{colour == 1} << (bit % 64);
      board.stones_[1].word[bit / 64] |= std::uint64_t{colour == 2} << (bit % 64);
    }
  }
  out = std::bit_cast<Answer>(board.judge());
}

/// The cell is on the board. It is empty if the stone is placed, and holds the stone if it is removed.
bool omok_any_lines(const Lines& in) {
  bool out = true;
  for (int direction = 0; direction < 4; ++direction) {
    out = out && in.places[direction] < sides && in.stones[direction] >> sides == 0;
  }
  return out;
}

/// Only the first line has stones, so that it can be a row of an empty board; the stone is placed.
bool omok_one_line(const Lines& in) {
  bool out = omok_any_lines(in) && in.stones[1] == 0 && in.stones[2] == 0 && in.stones[3] == 0;
  return out && !has_stone(in.stones[0], static_cast<int>(in.places[0] & 31));
}

void omok_lines_changed_wins(const Lines& in, Wins& out) {
  std::uint64_t windows = 0;
  for (std::size_t direction = 0; direction < 4; ++direction) {
    windows |= LinesOmok::around(in.stones[direction] << LinesOmok::reach, static_cast<int>(in.places[direction]),
                                 static_cast<LinesOmok::Direction>(direction));
  }
  const std::uint64_t changed = LinesOmok::wins_of_stone(windows);
  for (std::size_t direction = 0; direction < 4; ++direction) {
    const std::uint64_t starts = changed >> (LinesOmok::lane * direction) & 0xffff;
    out.begin[direction] = starts << in.places[direction];
  }
}

void omok_wins_that_change(const Lines& in, Wins& out) { changes(in, out, is_five); }

bool omok_any_boards(const Boards&) { return true; }
void omok_boards_do_not_differ(const Boards&, Differs& out) { out = {}; }

#define OMOK_BANDS(LEVEL) \
  void omok_bands_judge_##LEVEL(const Rows& in, Answer& out) { judge_bands<Level::LEVEL>(in, out); }
OMOK_BANDS(baseline)
OMOK_BANDS(avx2)
OMOK_BANDS(avx512)
OMOK_BANDS(avx512vbmi)

#define OMOK_BATCH(LEVEL)                                             \
  void omok_batch_lanes_##LEVEL(const Boards& in, Differs& out) {     \
    compare_boards<Level::LEVEL>(in, out, [](OmokBoards::Group&) {}); \
  }                                                                   \
  void omok_batch_judge_##LEVEL(const Rows& in, Answers& out) { judge_copies<Level::LEVEL>(in, out); }
OMOK_BATCH(baseline)
OMOK_BATCH(avx2)
OMOK_BATCH(avx512)
OMOK_BATCH(avx512vbmi)

/// For each copy of the board.
void omok_leftmost_win_of_each(const Rows& in, Answers& out) {
  Answer one;
  omok_leftmost_win(in, one);
  for (Answer& each : out.of) each = one;
}

}  // extern "C"

const bool lines_changed_wins = claim<Lines, Wins>(
    {.game = "omok",
     .name = "lines.changed_wins",
     .says = "the wins that a stone makes or breaks are those found: all lines, all places, placed or removed",
     .kernel = LOCKSTEP_SYMBOL(omok_lines_changed_wins),
     .specification = LOCKSTEP_SYMBOL(omok_wins_that_change),
     .invariant = LOCKSTEP_SYMBOL(omok_any_lines),
     .draw = draw_lines,
     .lawful = LOCKSTEP_SYMBOL(omok_one_line),
     .scenario = scenario_of_line});

const bool shifts_judge = claim<Rows, Answer>(
    {.game = "omok",
     .name = "shifts.judge",
     .says = "the answer is the leftmost, then topmost run of exactly five: all boards of all sides up to 19",
     .kernel = LOCKSTEP_SYMBOL(omok_shifts_judge),
     .specification = LOCKSTEP_SYMBOL(omok_leftmost_win),
     .invariant = LOCKSTEP_SYMBOL(omok_any_board),
     .draw = draw_board,
     .rounds = sides,
     .scenario = scenario_of,
     .quick = false});

const bool wide_board_judge = claim<Rows, Answer>(
    {.game = "omok",
     .name = "wide_board.judge",
     .says = "the answer is the leftmost, then topmost run of exactly five: all boards of all sides up to 19",
     .kernel = LOCKSTEP_SYMBOL(omok_wide_board_judge),
     .specification = LOCKSTEP_SYMBOL(omok_leftmost_win),
     .invariant = LOCKSTEP_SYMBOL(omok_any_board),
     .draw = draw_board,
     .scenario = scenario_of,
     .quick = false,
     .runs_here = runs_here<Level::avx512vbmi>});

#define BANDS(LEVEL)                                                                                             \
  const bool bands_judge_##LEVEL = claim<Rows, Answer>(                                                          \
      {.game = "omok",                                                                                           \
       .name = "bands.judge_" #LEVEL,                                                                            \
       .says = "the answer is the leftmost, then topmost run of exactly five: all boards of all sides up to 19", \
       .kernel = LOCKSTEP_SYMBOL(omok_bands_judge_##LEVEL),                                                      \
       .specification = LOCKSTEP_SYMBOL(omok_leftmost_win),                                                      \
       .invariant = LOCKSTEP_SYMBOL(omok_any_board),                                                             \
       .draw = draw_board,                                                                                       \
       .scenario = scenario_of,                                                                                  \
       .quick = false,                                                                                           \
       .runs_here = runs_here<Level::LEVEL>})
BANDS(baseline);
BANDS(avx2);
BANDS(avx512);
BANDS(avx512vbmi);

#define BATCH(LEVEL)                                                                                             \
  const bool batch_lanes_##LEVEL =                                                                               \
      claim<Boards, Differs>({.game = "omok",                                                                    \
                              .name = "batch.lanes_" #LEVEL,                                                     \
                              .says = "a board's answer depends on no other board: any boards",                  \
                              .kernel = LOCKSTEP_SYMBOL(omok_batch_lanes_##LEVEL),                               \
                              .specification = LOCKSTEP_SYMBOL(omok_boards_do_not_differ),                       \
                              .invariant = LOCKSTEP_SYMBOL(omok_any_boards),                                     \
                              .draw = draw_boards,                                                               \
                              .quick = false,                                                                    \
                              .covers_only = "full groups of boards",                                            \
                              .runs_here = runs_here<Level::LEVEL>,                                              \
                              .dead_ways = 2}); /* a group has boards, and they have rows */                     \
  const bool batch_judge_##LEVEL = claim<Rows, Answers>(                                                         \
      {.game = "omok",                                                                                           \
       .name = "batch.judge_" #LEVEL,                                                                            \
       .says = "the answer is the leftmost, then topmost run of exactly five: all boards of all sides up to 19", \
       .kernel = LOCKSTEP_SYMBOL(omok_batch_judge_##LEVEL),                                                      \
       .specification = LOCKSTEP_SYMBOL(omok_leftmost_win_of_each),                                              \
       .invariant = LOCKSTEP_SYMBOL(omok_any_board),                                                             \
       .draw = draw_board,                                                                                       \
       .scenario = scenario_of,                                                                                  \
       .quick = false,                                                                                           \
       .covers_only = "full groups of boards",                                                                   \
       .runs_here = runs_here<Level::LEVEL>,                                                                     \
       .dead_ways = 2}) /* likewise */
BATCH(baseline);
BATCH(avx2);
BATCH(avx512);
BATCH(avx512vbmi);
