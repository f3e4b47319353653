// Claims about the simulators of Puyo Puyo. Boards need not be settled. Unless a claim says otherwise, cells hold any of
// the seven numbers that three planes can write as colours.
//
// Lemma: `lanes` resolves a board as the rule says. A round of its loop is one chain: lanes.chain says, for each
// level, that it removes the groups of four and lets the rest fall, and that the loop ends when there is no such
// group. A chain's counts are right by induction over the cells that vanish: without any they are 0, and each cell
// more adds one to the count of its colour and nothing to the others (lanes.count_colours). A drop is lanes.drop.
// What is left is plain code: the loop itself, and reading and writing boards. (`answer_many` plays two fields in
// turn, and rounds in which nothing vanishes: by lanes.fall they leave a settled board as it is.)
//
// Lemma: in `batch`, a chain of a settled board is one by the rule. batch.find_doomed says which cells vanish, batch.fall
// where the others fall; in these claims the even lanes hold one board, the odd lanes another. `fall` goes on for all
// lanes while one of them needs it: since these are any two boards, a lane's result is right however long another lane
// needs. Lanes depend on each other in no other way: this has no claim, but all else in the code is done to each lane by
// itself.
//
// batch.lanes_of says which lanes of a register are not 0. `chain` asks this of the cells that vanish, all columns put
// together. No claim: this putting together; counting chains; moving fields between passes.
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "games/puyo/game.hpp"
#include "lockstep/system/processor.hpp"
#include "optimized/puyo/batch.hpp"
#include "optimized/puyo/lanes.hpp"
#include "proof/claim.hpp"
#include "proof/claims/kernels.hpp"

namespace {

using lockstep::Level;
using lockstep::Puyo;
using lockstep::optimized::LanesPuyo;
using lockstep::optimized::PuyoFields;
using lockstep::proof::claim;
using lockstep::proof::Draws;
using lockstep::proof::runs_here;

constexpr int lanes = 8;

/// Three planes, a bit a cell: a column is a lane, row 0 is the floor.
struct alignas(16) Board {
  std::uint16_t ones[lanes];
  std::uint16_t twos[lanes];
  std::uint16_t fours[lanes];
};
struct alignas(16) Cells {
  std::uint16_t columns[lanes];
};
/// A board, and the cells of it that vanish.
struct Vanishing {
  Board board;
  Cells doomed;
};

/// What a chain does. `any`: there was one.
struct Chain {
  Cells doomed;
  Board board;
  std::uint16_t any;
  std::uint16_t unused[7];
};

/// Cells that vanish, and one more.
struct Counted {
  Board board;
  Cells doomed;
  std::uint16_t row;
  std::uint16_t column;
  std::uint16_t unused[6];
};
struct Counts {
  std::uint8_t of_none[Puyo::colours];
  std::uint8_t by_the_cell[Puyo::colours];  // what the cell adds
};

struct Dropping {
  Board board;
  std::uint16_t column;
  std::uint16_t colour;
  std::uint16_t unused[6];
};
struct Dropped {
  Board board;
  std::uint16_t says;
  std::uint16_t counts;  // not 0: the answer has a number of chains or of puyos that vanished
  std::uint16_t unused[6];
};

bool is_inside(int row, int column) { return row >= 0 && row < Puyo::rows && column >= 0 && column < Puyo::columns; }

bool has(const std::uint16_t* plane, int row, int column) { return (plane[column] >> row & 1) != 0; }

int colour(const Board& board, int row, int column) {
  return int{has(board.ones, row, column)} + 2 * int{has(board.twos, row, column)} +
         4 * int{has(board.fours, row, column)};
}

void put(Board& board, int row, int column, int colour) {
  board.ones[column] = static_cast<std::uint16_t>(board.ones[column] | (colour & 1) << row);
  board.twos[column] = static_cast<std::uint16_t>(board.twos[column] | (colour >> 1 & 1) << row);
  board.fours[column] = static_cast<std::uint16_t>(board.fours[column] | (colour >> 2 & 1) << row);
}

/// Nothing outside of the twelve rows and six columns.
bool has_walls(const std::uint16_t* plane) {
  bool out = true;
  for (int column = 0; column < lanes; ++column) {
    const int outside = column < Puyo::columns ? plane[column] >> Puyo::rows : plane[column];
    out = out && outside == 0;
  }
  return out;
}

/// Whether four cells or more of the cell's colour are connected with it. After k rounds, `group` holds the cells of
/// the group that k steps or fewer lead to. A round that adds nothing has found the whole group, so three rounds that
/// add a cell each suffice to tell a group of four.
bool is_in_group_of_four(const Board& board, int row, int column) {
  if (colour(board, row, column) == 0) return false;
  bool group[Puyo::rows][Puyo::columns] = {};
  group[row][column] = true;
  for (int round = 0; round < 3; ++round) {
    bool grown[Puyo::rows][Puyo::columns] = {};
    for (int r = 0; r < Puyo::rows; ++r) {
      for (int c = 0; c < Puyo::columns; ++c) {
        const auto holds = [&](int r2, int c2) { return is_inside(r2, c2) && group[r2][c2]; };
        const bool touches = holds(r, c) || holds(r + 1, c) || holds(r - 1, c) || holds(r, c + 1) || holds(r, c - 1);
        grown[r][c] = touches && colour(board, r, c) == colour(board, row, column);
      }
    }
    for (int r = 0; r < Puyo::rows; ++r) {
      for (int c = 0; c < Puyo::columns; ++c) group[r][c] = grown[r][c];
    }
  }
  int count = 0;
  for (const auto& cells : group) {
    for (const bool cell : cells) count += int{cell};
  }
  return count >= Puyo::group_min;
}

std::string scenario_of(const Board& board, std::string_view action) {
  std::string out = "lockstep 1 puyo\nboard\n";
  for (int row = Puyo::rows - 1; row >= 0; --row) {
    for (int column = 0; column < Puyo::columns; ++column)
      out += Puyo::cells.symbols[static_cast<std::size_t>(colour(board, row, column))];
    out += '\n';
  }
  return out + "actions\n" + std::string(action) + "\n";
}
std::string scenario_of(const Board& board) { return scenario_of(board, "resolve"); }

/// Few colours make large groups; some boards are settled.
void draw_board(Draws& draws, Board& board) {
  const std::uint64_t colours = 1 + draws.below(7);
  const std::uint64_t full = 1 + draws.below(8);
  const bool settled = draws.below(2) == 0;
  for (int column = 0; column < Puyo::columns; ++column) {
    int height = 0;
    for (int row = 0; row < Puyo::rows; ++row) {
      if (draws.below(8) >= full) continue;
      put(board, settled ? height++ : row, column, static_cast<int>(1 + draws.below(colours)));
    }
  }
}

std::string scenario_of_drop(const Dropping& in) {
  const std::string colour{Puyo::colour_names[in.colour - 1u]};
  return scenario_of(in.board, "drop colour=" + colour + " column=" + std::to_string(in.column));
}

/// Settled boards.
void draw_drop(Draws& draws, Dropping& in) {
  in.column = static_cast<std::uint16_t>(draws.below(Puyo::columns));
  in.colour = static_cast<std::uint16_t>(1 + draws.below(Puyo::colours));
  for (int column = 0; column < Puyo::columns; ++column) {
    const int height = static_cast<int>(draws.below(Puyo::rows + 1));
    for (int row = 0; row < height; ++row) {
      put(in.board, row, column, static_cast<int>(1 + draws.below(Puyo::colours)));
    }
  }
}

// lanes -------------------------------------------------------------------------------------------

template <Level level>
void fall_in_lanes(const Vanishing& in, Board& out) {
  lockstep::at_level<level>([&](auto) __attribute__((always_inline)) {
    auto planes = std::bit_cast<LanesPuyo::Planes>(in.board);
    LanesPuyo::fall<level>(planes, std::bit_cast<LanesPuyo::Lanes>(in.doomed));
    out = std::bit_cast<Board>(planes);
  });
}

/// A round of LanesPuyo::play_chains.
template <Level level>
void chain_in_lanes(const Board& in, Chain& out) {
  lockstep::at_level<level>([&](auto) __attribute__((always_inline)) {
    auto planes = std::bit_cast<LanesPuyo::Planes>(in);
    const LanesPuyo::Lanes doomed = LanesPuyo::find_doomed(planes);
    out = {};
    out.any = LanesPuyo::any(doomed) ? 1 : 0;
    if (out.any != 0) LanesPuyo::fall<level>(planes, doomed);
    out.doomed = std::bit_cast<Cells>(doomed);
    out.board = std::bit_cast<Board>(planes);
  });
}

// batch -------------------------------------------------------------------------------------------

/// Of two boards: what the even and the odd lanes hold.
template <class T>
struct Two {
  T of[2];
};
/// The lanes of the widest register; a level's register has the first ones.
struct Words {
  std::uint16_t of[PuyoFields::lanes];
};
/// Bit i: word i is not 0.
struct Found {
  std::uint32_t lanes;
};

/// The results in lanes 0 and 1 of a register. The first word of `astray` is 0 if the other even lanes have that of
/// lane 0, the other odd ones that of lane 1, and no bit outside of the rows is set; the other words are 0.
template <class T>
struct InLanes {
  Two<T> results;
  std::uint16_t astray[8];
};

/// The batch's columns have the top row in bit 0.
std::uint16_t turned(std::uint16_t column) {
  unsigned out = 0;
  for (int row = 0; row < Puyo::rows; ++row) out |= (column >> row & 1u) << (Puyo::rows - 1 - row);
  return static_cast<std::uint16_t>(out);
}

template <Level level>
using FieldKernel = PuyoFields::Kernel<lockstep::CompiledFor<level>>;
template <Level level>
using Columns = FieldKernel<level>::Register[PuyoFields::columns];

template <Level level>
void spread(Columns<level>& out, const std::uint16_t* even, const std::uint16_t* odd) {
  for (std::size_t column = 0; column < PuyoFields::columns; ++column) {
    for (std::size_t lane = 0; lane < FieldKernel<level>::lanes; ++lane) {
      out[column][lane] = turned(lane % 2 == 0 ? even[column] : odd[column]);
    }
  }
}
template <Level level>
void collect(const Columns<level>& from, std::uint16_t* even, std::uint16_t* odd, std::uint16_t& astray) {
  for (std::size_t column = 0; column < PuyoFields::columns; ++column) {
    even[column] = turned(from[column][0]);
    odd[column] = turned(from[column][1]);
    const unsigned outside = (from[column][0] | from[column][1]) >> Puyo::rows;
    astray = static_cast<std::uint16_t>(astray | outside);
    for (std::size_t lane = 2; lane < FieldKernel<level>::lanes; ++lane) {
      astray = static_cast<std::uint16_t>(astray | (from[column][lane] ^ from[column][lane % 2]));
    }
  }
}

template <Level level>
void find_in_fields(const Two<Board>& in, InLanes<Cells>& out) {
  out = {};
  Columns<level> field[PuyoFields::planes];
  const Board &even = in.of[0], &odd = in.of[1];
  spread<level>(field[0], even.ones, odd.ones);
  spread<level>(field[1], even.twos, odd.twos);
  spread<level>(field[2], even.fours, odd.fours);
  lockstep::at_level<level>([&](auto) __attribute__((always_inline)) {
    Columns<level> doomed;
    FieldKernel<level>::find_doomed(field, doomed);
    collect<level>(doomed, out.results.of[0].columns, out.results.of[1].columns, out.astray[0]);
  });
}

/// The level chooses between the two ways to fall as in `chain`.
template <Level level>
void fall_in_fields(const Two<Vanishing>& in, InLanes<Board>& out) {
  out = {};
  Columns<level> field[PuyoFields::planes];
  Columns<level> doomed;
  const Board &even = in.of[0].board, &odd = in.of[1].board;
  spread<level>(field[0], even.ones, odd.ones);
  spread<level>(field[1], even.twos, odd.twos);
  spread<level>(field[2], even.fours, odd.fours);
  spread<level>(doomed, in.of[0].doomed.columns, in.of[1].doomed.columns);
  lockstep::at_level<level>([&](auto) __attribute__((always_inline)) {
    if constexpr (level >= Level::avx512vbmi) {
      auto& [ones, twos, fours] = field;
      for (std::size_t c = 0; c < PuyoFields::columns; ++c) {
        FieldKernel<level>::fall_by_runs(ones[c], twos[c], fours[c], doomed[c]);
      }
    } else {
      FieldKernel<level>::template fall<0>(field, doomed);
      FieldKernel<level>::template fall<3>(field, doomed);
    }
  });
  Board &first = out.results.of[0], &second = out.results.of[1];
  collect<level>(field[0], first.ones, second.ones, out.astray[0]);
  collect<level>(field[1], first.twos, second.twos, out.astray[0]);
  collect<level>(field[2], first.fours, second.fours, out.astray[0]);
}

template <Level level>
void find_lanes(const Words& in, Found& out) {
  typename FieldKernel<level>::Register words;
  for (std::size_t lane = 0; lane < FieldKernel<level>::lanes; ++lane) words[lane] = in.of[lane];
  lockstep::at_level<level>([&](auto)
                                __attribute__((always_inline)) { out.lanes = FieldKernel<level>::lanes_of(words); });
}

template <std::size_t count>
void note_lanes(const Words& in, Found& out) {
  out.lanes = 0;
  for (std::size_t lane = 0; lane < count; ++lane) out.lanes |= std::uint32_t{in.of[lane] != 0} << lane;
}

void draw_vanishing(Draws& draws, Vanishing& in) {
  for (int column = 0; column < Puyo::columns; ++column) {
    const int height = static_cast<int>(draws.below(Puyo::rows + 1));
    for (int row = 0; row < height; ++row) put(in.board, row, column, static_cast<int>(1 + draws.below(7)));
    in.doomed.columns[column] = static_cast<std::uint16_t>(draws() & draws() & ((1u << Puyo::rows) - 1));
  }
}

}  // namespace

extern "C" {

bool puyo_any_board(const Board& in) { return has_walls(in.ones) && has_walls(in.twos) && has_walls(in.fours); }

/// What a scenario's board can be: five colours, no empty cell below a puyo.
bool puyo_settled_board(const Board& in) {
  bool out = puyo_any_board(in);
  for (int column = 0; column < Puyo::columns; ++column) {
    for (int row = 0; row < Puyo::rows; ++row) {
      out = out && colour(in, row, column) <= Puyo::colours;
      if (row > 0) out = out && (colour(in, row, column) == 0 || colour(in, row - 1, column) != 0);
    }
  }
  return out;
}

void puyo_lanes_find_doomed(const Board& in, Cells& out) {
  out = std::bit_cast<Cells>(LanesPuyo::find_doomed(std::bit_cast<LanesPuyo::Planes>(in)));
}

void puyo_groups_of_four(const Board& in, Cells& out) {
  out = {};
  for (int row = 0; row < Puyo::rows; ++row) {
    for (int column = 0; column < Puyo::columns; ++column) {
      if (is_in_group_of_four(in, row, column)) {
        out.columns[column] = static_cast<std::uint16_t>(out.columns[column] | 1 << row);
      }
    }
  }
}

bool puyo_any_vanishing(const Vanishing& in) { return puyo_any_board(in.board); }

#define PUYO_LANES(LEVEL)                                                                                 \
  void puyo_lanes_fall_##LEVEL(const Vanishing& in, Board& out) { fall_in_lanes<Level::LEVEL>(in, out); } \
  void puyo_lanes_chain_##LEVEL(const Board& in, Chain& out) { chain_in_lanes<Level::LEVEL>(in, out); }
PUYO_LANES(baseline)
PUYO_LANES(avx2)
PUYO_LANES(avx512)
PUYO_LANES(avx512vbmi)

/// A puyo above an empty cell moves down by one, until none does: each of the eleven rounds moves every such puyo.
void puyo_everything_falls(const Vanishing& in, Board& out) {
  out = {};
  for (int column = 0; column < Puyo::columns; ++column) {
    int cells[Puyo::rows];
    for (int row = 0; row < Puyo::rows; ++row) {
      cells[row] = has(in.doomed.columns, row, column) ? 0 : colour(in.board, row, column);
    }
    for (int round = 1; round < Puyo::rows; ++round) {
      for (int row = 1; row < Puyo::rows; ++row) {
        if (cells[row - 1] != 0) continue;
        cells[row - 1] = cells[row];
        cells[row] = 0;
      }
    }
    for (int row = 0; row < Puyo::rows; ++row) put(out, row, column, cells[row]);
  }
}

bool puyo_any_two_boards(const Two<Board>& in) { return puyo_any_board(in.of[0]) && puyo_any_board(in.of[1]); }
/// Boards without an empty cell below a puyo, and any cells that vanish.
bool puyo_two_settled_boards(const Two<Vanishing>& in) {
  bool out = true;
  for (const Vanishing& each : in.of) {
    out = out && puyo_any_vanishing(each) && has_walls(each.doomed.columns);
    for (int column = 0; column < Puyo::columns; ++column) {
      for (int row = 1; row < Puyo::rows; ++row) {
        out = out && (colour(each.board, row, column) == 0 || colour(each.board, row - 1, column) != 0);
      }
    }
  }
  return out;
}
void puyo_groups_of_two_boards(const Two<Board>& in, InLanes<Cells>& out) {
  out = {};
  for (int i = 0; i < 2; ++i) puyo_groups_of_four(in.of[i], out.results.of[i]);
}
void puyo_two_boards_fall(const Two<Vanishing>& in, InLanes<Board>& out) {
  out = {};
  for (int i = 0; i < 2; ++i) puyo_everything_falls(in.of[i], out.results.of[i]);
}

bool puyo_any_words(const Words&) { return true; }

#define PUYO_BATCH(LEVEL)                                                                              \
  void puyo_batch_find_doomed_##LEVEL(const Two<Board>& in, InLanes<Cells>& out) {                     \
    find_in_fields<Level::LEVEL>(in, out);                                                             \
  }                                                                                                    \
  void puyo_batch_fall_##LEVEL(const Two<Vanishing>& in, InLanes<Board>& out) {                        \
    fall_in_fields<Level::LEVEL>(in, out);                                                             \
  }                                                                                                    \
  void puyo_batch_lanes_of_##LEVEL(const Words& in, Found& out) { find_lanes<Level::LEVEL>(in, out); } \
  void puyo_lanes_not_empty_##LEVEL(const Words& in, Found& out) {                                     \
    note_lanes<lockstep::CompiledFor<Level::LEVEL>::bytes / sizeof(std::uint16_t)>(in, out);           \
  }
PUYO_BATCH(baseline)
PUYO_BATCH(avx2)
PUYO_BATCH(avx512)
PUYO_BATCH(avx512vbmi)

void puyo_one_chain(const Board& in, Chain& out) {
  Vanishing vanishing{.board = in, .doomed = {}};
  puyo_groups_of_four(in, vanishing.doomed);
  out = {};
  out.doomed = vanishing.doomed;
  for (const std::uint16_t column : out.doomed.columns) out.any = column != 0 ? 1 : out.any;
  out.board = in;
  if (out.any != 0) puyo_everything_falls(vanishing, out.board);
}

/// Five colours; the cell is a puyo that does not vanish yet.
bool puyo_one_cell_more(const Counted& in) {
  bool out = has_walls(in.doomed.columns) && puyo_any_board(in.board);
  out = out && in.row < Puyo::rows && in.column < Puyo::columns;
  for (const std::uint16_t each : in.unused) out = out && each == 0;
  for (int column = 0; column < Puyo::columns; ++column) {
    for (int row = 0; row < Puyo::rows; ++row) {
      const int here = colour(in.board, row, column);
      out = out && here <= Puyo::colours && (here != 0 || !has(in.doomed.columns, row, column));
      if (row == in.row && column == in.column) out = out && here != 0 && !has(in.doomed.columns, row, column);
    }
  }
  return out;
}

void puyo_lanes_count_colours(const Counted& in, Counts& out) {
  const auto planes = std::bit_cast<LanesPuyo::Planes>(in.board);
  Cells more = in.doomed;
  more.columns[in.column] = static_cast<std::uint16_t>(more.columns[in.column] | 1 << in.row);
  std::uint8_t before[Puyo::colours], after[Puyo::colours];
  LanesPuyo::count_colours(planes, LanesPuyo::Lanes{}, out.of_none);
  LanesPuyo::count_colours(planes, std::bit_cast<LanesPuyo::Lanes>(in.doomed), before);
  LanesPuyo::count_colours(planes, std::bit_cast<LanesPuyo::Lanes>(more), after);
  for (int i = 0; i < Puyo::colours; ++i) out.by_the_cell[i] = static_cast<std::uint8_t>(after[i] - before[i]);
}

void puyo_the_cell_counts(const Counted& in, Counts& out) {
  out = {};
  for (int column = 0; column < Puyo::columns; ++column) {
    for (int row = 0; row < Puyo::rows; ++row) {
      for (int i = 0; i < Puyo::colours; ++i) {
        if (row == in.row && column == in.column && colour(in.board, row, column) == i + 1) out.by_the_cell[i] = 1;
      }
    }
  }
}

/// A board that a game can have, and any puyo.
bool puyo_any_drop(const Dropping& in) {
  bool out = puyo_settled_board(in.board) && in.column < Puyo::columns && in.colour >= 1 && in.colour <= Puyo::colours;
  for (const std::uint16_t each : in.unused) out = out && each == 0;
  return out;
}

void puyo_lanes_drop(const Dropping& in, Dropped& out) {
  auto simulator = std::bit_cast<LanesPuyo>(in.board);
  out = {};
  const Puyo::Observation answer = simulator.play({.colour = in.colour, .column = in.column});
  out.says = static_cast<std::uint16_t>(answer.says);
  out.counts = answer.chains;
  for (const std::uint8_t count : answer.vanished) out.counts |= count;
  out.board = std::bit_cast<Board>(simulator);
}

/// The puyo is put into the lowest empty cell of its column.
void puyo_lands_on_top(const Dropping& in, Dropped& out) {
  out = {};
  out.board = in.board;
  out.says = static_cast<std::uint16_t>(Puyo::Says::illegal);
  for (int column = 0; column < Puyo::columns; ++column) {
    for (int row = 0; row < Puyo::rows; ++row) {
      if (column != in.column || colour(in.board, row, column) != 0) continue;
      if (out.says == static_cast<std::uint16_t>(Puyo::Says::dropped)) continue;
      out.says = static_cast<std::uint16_t>(Puyo::Says::dropped);
      put(out.board, row, column, in.colour);
    }
  }
}

}  // extern "C"

const bool find_doomed =
    claim<Board, Cells>({.game = "puyo",
                         .name = "lanes.find_doomed",
                         .says = "exactly the cells of groups of four or more vanish: all 8^72 boards",
                         .kernel = LOCKSTEP_SYMBOL(puyo_lanes_find_doomed),
                         .specification = LOCKSTEP_SYMBOL(puyo_groups_of_four),
                         .invariant = LOCKSTEP_SYMBOL(puyo_any_board),
                         .draw = draw_board,
                         .lawful = LOCKSTEP_SYMBOL(puyo_settled_board),
                         .scenario = scenario_of});

#define LANES(LEVEL)                                                                                  \
  const bool fall_##LEVEL = claim<Vanishing, Board>(                                                  \
      {.game = "puyo",                                                                                \
       .name = "lanes.fall_" #LEVEL,                                                                  \
       .says = "puyos above empty cells fall until none does: all 8^72 boards, any cells vanish",     \
       .kernel = LOCKSTEP_SYMBOL(puyo_lanes_fall_##LEVEL),                                            \
       .specification = LOCKSTEP_SYMBOL(puyo_everything_falls),                                       \
       .invariant = LOCKSTEP_SYMBOL(puyo_any_vanishing),                                              \
       .draw =                                                                                        \
           [](Draws& draws, Vanishing& in) {                                                          \
             draw_board(draws, in.board);                                                             \
             for (std::uint16_t& column : in.doomed.columns) {                                        \
               column = static_cast<std::uint16_t>(draws() & draws());                                \
             }                                                                                        \
           },                                                                                         \
       .rounds = Puyo::rows - 1,                                                                      \
       .quick = false,                                                                                \
       .runs_here = runs_here<Level::LEVEL>});                                                        \
  const bool chain_##LEVEL =                                                                          \
      claim<Board, Chain>({.game = "puyo",                                                            \
                           .name = "lanes.chain_" #LEVEL,                                             \
                           .says = "a chain: groups of four vanish, the rest falls: all 8^72 boards", \
                           .kernel = LOCKSTEP_SYMBOL(puyo_lanes_chain_##LEVEL),                       \
                           .specification = LOCKSTEP_SYMBOL(puyo_one_chain),                          \
                           .invariant = LOCKSTEP_SYMBOL(puyo_any_board),                              \
                           .draw = draw_board,                                                        \
                           .rounds = Puyo::rows - 1,                                                  \
                           .lawful = LOCKSTEP_SYMBOL(puyo_settled_board),                             \
                           .scenario = scenario_of,                                                   \
                           .quick = false,                                                            \
                           .runs_here = runs_here<Level::LEVEL>})
LANES(baseline);
LANES(avx2);
LANES(avx512);
LANES(avx512vbmi);

const bool count_colours =
    claim<Counted, Counts>({.game = "puyo",
                            .name = "lanes.count_colours",
                            .says = "each puyo that vanishes adds one to the count of its colour: five colours",
                            .kernel = LOCKSTEP_SYMBOL(puyo_lanes_count_colours),
                            .specification = LOCKSTEP_SYMBOL(puyo_the_cell_counts),
                            .invariant = LOCKSTEP_SYMBOL(puyo_one_cell_more),
                            .draw =
                                [](Draws& draws, Counted& in) {
                                  in.row = static_cast<std::uint16_t>(draws.below(Puyo::rows));
                                  in.column = static_cast<std::uint16_t>(draws.below(Puyo::columns));
                                  const std::uint64_t full = 1 + draws.below(8);
                                  for (int column = 0; column < Puyo::columns; ++column) {
                                    for (int row = 0; row < Puyo::rows; ++row) {
                                      const bool is_it = row == in.row && column == in.column;
                                      if (!is_it && draws.below(8) >= full) continue;
                                      put(in.board, row, column, static_cast<int>(1 + draws.below(Puyo::colours)));
                                      if (is_it || draws.below(2) == 0) continue;
                                      std::uint16_t& doomed = in.doomed.columns[column];
                                      doomed = static_cast<std::uint16_t>(doomed | 1 << row);
                                    }
                                  }
                                },
                            .quick = false});

const bool drop = claim<Dropping, Dropped>({.game = "puyo",
                                            .name = "lanes.drop",
                                            .says = "a puyo lands on top of its column: all settled boards",
                                            .kernel = LOCKSTEP_SYMBOL(puyo_lanes_drop),
                                            .specification = LOCKSTEP_SYMBOL(puyo_lands_on_top),
                                            .invariant = LOCKSTEP_SYMBOL(puyo_any_drop),
                                            .draw = draw_drop,
                                            .scenario = scenario_of_drop});

#define BATCH(LEVEL)                                                                                                   \
  const bool batch_find_doomed_##LEVEL =                                                                               \
      claim<Two<Board>, InLanes<Cells>>({.game = "puyo",                                                               \
                                         .name = "batch.find_doomed_" #LEVEL,                                          \
                                         .says = "exactly the cells of groups of four or more vanish: all boards",     \
                                         .kernel = LOCKSTEP_SYMBOL(puyo_batch_find_doomed_##LEVEL),                    \
                                         .specification = LOCKSTEP_SYMBOL(puyo_groups_of_two_boards),                  \
                                         .invariant = LOCKSTEP_SYMBOL(puyo_any_two_boards),                            \
                                         .draw =                                                                       \
                                             [](Draws& draws, Two<Board>& in) {                                        \
                                               for (Board & each : in.of) draw_board(draws, each);                     \
                                             },                                                                        \
                                         .quick = false,                                                               \
                                         .covers_only = "two boards: in even and odd lanes",                           \
                                         .runs_here = runs_here<Level::LEVEL>});                                       \
  const bool batch_fall_##LEVEL = claim<Two<Vanishing>, InLanes<Board>>(                                               \
      {.game = "puyo",                                                                                                 \
       .name = "batch.fall_" #LEVEL,                                                                                   \
       .says = "puyos above cells that vanish fall: all settled boards, any cells vanish",                             \
       .kernel = LOCKSTEP_SYMBOL(puyo_batch_fall_##LEVEL),                                                             \
       .specification = LOCKSTEP_SYMBOL(puyo_two_boards_fall),                                                         \
       .invariant = LOCKSTEP_SYMBOL(puyo_two_settled_boards),                                                          \
       .draw =                                                                                                         \
           [](Draws& draws, Two<Vanishing>& in) {                                                                      \
             for (Vanishing & each : in.of) draw_vanishing(draws, each);                                               \
           },                                                                                                          \
       .rounds = Puyo::rows / 2,                                                                                       \
       .quick = false,                                                                                                 \
       .covers_only = "two boards: in even and odd lanes",                                                             \
       .runs_here = runs_here<Level::LEVEL>});                                                                         \
  const bool batch_lanes_of_##LEVEL =                                                                                  \
      claim<Words, Found>({.game = "puyo",                                                                             \
                           .name = "batch.lanes_of_" #LEVEL,                                                           \
                           .says = "the lanes of a register that are not 0: any words",                                \
                           .kernel = LOCKSTEP_SYMBOL(puyo_batch_lanes_of_##LEVEL),                                     \
                           .specification = LOCKSTEP_SYMBOL(puyo_lanes_not_empty_##LEVEL),                             \
                           .invariant = LOCKSTEP_SYMBOL(puyo_any_words),                                               \
                           .draw =                                                                                     \
                               [](Draws& draws, Words& in) {                                                           \
                                 for (std::uint16_t& word : in.of)                                                     \
                                   word = draws.below(2) == 0 ? 0 : static_cast<std::uint16_t>(1u << draws.below(16)); \
                               },                                                                                      \
                           .runs_here = runs_here<Level::LEVEL>})
BATCH(baseline);
BATCH(avx2);
BATCH(avx512);
BATCH(avx512vbmi);
