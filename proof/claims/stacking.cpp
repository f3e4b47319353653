// Claims about the simulators of Stacking: all boards of all sides up to twelve, ten pieces.
//
// packed_stacks looks up where a piece lands: packed_stacks.landings says that the table holds, for every cell and
// facing of every board, where the rule takes the piece, which way up, and which way it then faces. packed_stacks.move
// says what a move then does. `play` compares standings (packed_stacks.stands_as); that a period may be skipped is said
// where it does so.
//
// Lemma: a move of any piece on any board. packed_stacks.move is about two cells, numbers 17 and 32, with any stacks
// that a running game can have there, and any landing from one to the other or to the same. The code of the move reads one
// landing, the stacks of the mover's cell and of the landing's, and cell, level and facing of the mover alone. It
// writes these two stacks, cell and level of the group's pieces and of slot 0, which nothing reads, and the mover's
// facing. Cells are nothing to it but indices of stacks and landings and values that it stores, so with other numbers
// for the two cells it does the same there, and the stacks of all other cells stay. The claim's other premise, that
// cells and levels of the pieces are those of the stacks, holds at first (the constructor) and after each move (the
// claim).
#include <array>
#include <cstdint>
#include <utility>

#include "games/stacking/game.hpp"
#include "optimized/stacking/packed_stacks.cpp"
#include "optimized/stacking/packed_stacks.hpp"
#include "proof/claim.hpp"
#include "proof/claims/kernels.hpp"

namespace {

using lockstep::Grid;
using lockstep::Stacking;
using lockstep::optimized::PackedStacks;
using lockstep::proof::claim;
using lockstep::proof::Draws;
using lockstep::proof::Unmade;

constexpr int sides = Stacking::size_max;
constexpr int row_of_cells = 16;  // a cell's number is 16 × its row + its column
constexpr int cells = sides * row_of_cells;
constexpr int slots = 16;  // by a piece's number, from 1; slot 0 is no piece's

// Standings ---------------------------------------------------------------------------------------

/// Two standings, and how many pieces there are.
struct Standings {
  std::uint8_t cell[2][slots];
  std::uint8_t below[2][slots];
  std::uint16_t facing[2][slots];
  std::uint32_t count;
};
struct Same {
  std::uint32_t same;
};

// The landing table -------------------------------------------------------------------------------

constexpr int down[4] = {0, 0, -1, 1};  // by facing
constexpr int right[4] = {1, -1, 0, 0};

struct Board {
  std::uint32_t size;
  std::uint8_t cells[sides][sides];
};
/// By facing, row and column: the cell, 0xf00 if the group lands upside down, and the new facing.
struct Landings {
  std::uint32_t of[4][sides][sides];
};

bool is_on(const Board& board, int row, int column) {
  const int size = static_cast<int>(board.size);
  return row >= 0 && row < size && column >= 0 && column < size;
}
bool is_blocked(const Board& board, int row, int column) {
  return !is_on(board, row, column) || board.cells[row][column] == Stacking::blue;
}

template <int size>
void find_landings(const Board& in, Landings& out) {
  if (in.size != size) return;
  std::uint8_t on_board[size * size];
  for (int row = 0; row < size; ++row) {
    for (int column = 0; column < size; ++column) on_board[row * size + column] = in.cells[row][column];
  }
  Unmade<Grid> grid;
  grid.it.rows = grid.it.columns = size;
  grid.it.cells._M_impl._M_start = on_board;
  grid.it.cells._M_impl._M_finish = grid.it.cells._M_impl._M_end_of_storage = on_board + size * size;
  Unmade<PackedStacks> board;
  board.it.find_landings(grid.it);
  for (int facing = 0; facing < 4; ++facing) {
    for (int row = 0; row < size; ++row) {
      for (int column = 0; column < size; ++column) {
        out.of[facing][row][column] =
            board.it.landings_[static_cast<std::size_t>(facing * cells + row * row_of_cells + column)];
      }
    }
  }
}

void draw_board(Draws& draws, Board& in) {
  in.size = static_cast<std::uint32_t>(1 + draws.below(sides));
  for (unsigned row = 0; row < in.size; ++row) {
    for (unsigned column = 0; column < in.size; ++column) {
      in.cells[row][column] = static_cast<std::uint8_t>(draws.below(3));
    }
  }
}

// A move ------------------------------------------------------------------------------------------

constexpr unsigned height_max = Stacking::end_height - 1;  // while the game is running
constexpr unsigned origin = row_of_cells + 1;              // the mover's cell
constexpr unsigned elsewhere = 2 * row_of_cells;           // the other cell
constexpr unsigned stack_cells[2] = {origin, elsewhere};

/// The stacks of two cells, and how the mover lands. The mover is in the first stack.
struct Moving {
  std::uint8_t stack[2][height_max];  // pieces, numbered from 1, the bottom one first; 0: none
  std::uint8_t level;                 // of the mover
  std::uint8_t stays;                 // it lands in its own cell
  std::uint8_t cell[slots];           // of every piece
  std::uint8_t below[slots];          // 4 × the level of every piece
  std::uint16_t facing[slots];
  std::uint16_t faces;  // afterwards
  std::uint16_t upside_down;
};
struct Moved {
  std::uint16_t pieces[2];
  std::uint16_t bits[2];
  std::uint8_t cell[slots];
  std::uint8_t below[slots];
  std::uint16_t facing[slots];
  std::uint32_t ended;
};

/// Deals the ten pieces to the two stacks.
void draw_moving(Draws& draws, Moving& in) {
  std::uint8_t pieces[Stacking::pieces_max] = {};
  for (std::size_t i = 0; i < std::size(pieces); ++i) {
    const std::size_t other = draws.below(i + 1);
    pieces[i] = pieces[other];
    pieces[other] = static_cast<std::uint8_t>(i + 1);
  }
  const unsigned heights[2] = {static_cast<unsigned>(1 + draws.below(height_max)),
                               static_cast<unsigned>(draws.below(height_max + 1))};
  for (std::size_t which = 0; which < 2; ++which) {
    for (std::size_t i = 0; i < heights[which]; ++i) in.stack[which][i] = pieces[which * height_max + i];
  }
  for (std::size_t slot = 0; slot < slots; ++slot) {
    in.cell[slot] = static_cast<std::uint8_t>(draws());
    in.below[slot] = static_cast<std::uint8_t>(draws());
    in.facing[slot] = static_cast<std::uint16_t>(draws());
  }
  in.level = static_cast<std::uint8_t>(draws.below(heights[0]));
  in.stays = static_cast<std::uint8_t>(draws.below(2));
  in.upside_down = static_cast<std::uint16_t>(draws.below(2));
  in.faces = static_cast<std::uint16_t>(draws());
  const std::size_t mover = in.stack[0][in.level];
  in.cell[mover] = origin;
  in.below[mover] = static_cast<std::uint8_t>(4 * in.level);
  in.facing[mover] = static_cast<std::uint16_t>(draws.below(4) * cells);
}

bool is_facing(unsigned facing) { return facing % cells == 0 && facing / cells < 4; }
unsigned height_of(const std::uint8_t (&stack)[height_max]) {
  unsigned out = 0;
  for (const std::uint8_t piece : stack) out += piece != 0 ? 1 : 0;
  return out;
}
unsigned mover_of(const Moving& in) {
  unsigned out = 0;
  for (unsigned level = 0; level < height_max; ++level) out = level == in.level ? in.stack[0][level] : out;
  return out;
}

}  // namespace

extern "C" {

bool stacking_any_standings(const Standings& in) { return in.count <= Stacking::pieces_max; }

void stacking_packed_stacks_stands_as(const Standings& in, Same& out) {
  Unmade<PackedStacks> unmade;
  PackedStacks::Standing then;
  unmade.it.count_ = in.count;
  for (std::size_t slot = 0; slot < slots; ++slot) {
    unmade.it.now_.cell[slot] = in.cell[0][slot];
    unmade.it.now_.below[slot] = in.below[0][slot];
    unmade.it.now_.facing[slot] = in.facing[0][slot];
    then.cell[slot] = in.cell[1][slot];
    then.below[slot] = in.below[1][slot];
    then.facing[slot] = in.facing[1][slot];
  }
  out.same = unmade.it.stands_as(then) ? 1 : 0;
}

/// All pieces are on the same cells, at the same levels, and face the same way.
void stacking_same_standing(const Standings& in, Same& out) {
  out.same = 1;
  for (std::size_t slot = 1; slot <= Stacking::pieces_max; ++slot) {
    const bool same = in.cell[0][slot] == in.cell[1][slot] && in.below[0][slot] == in.below[1][slot] &&
                      in.facing[0][slot] == in.facing[1][slot];
    if (slot <= in.count && !same) out.same = 0;
  }
}

bool stacking_any_board(const Board& in) {
  bool out = in.size >= 1 && in.size <= sides;
  for (int row = 0; row < sides; ++row) {
    for (int column = 0; column < sides; ++column) {
      out = out && in.cells[row][column] <= (is_on(in, row, column) ? Stacking::blue : 0);
    }
  }
  return out;
}

void stacking_packed_stacks_landings(const Board& in, Landings& out) {
  out = {};
  [&]<int... size>(std::integer_sequence<int, size...>) {
    (find_landings<size + 1>(in, out), ...);
  }(std::make_integer_sequence<int, sides>{});
}

/// A piece that is blocked turns round; it stays if it is blocked then, too.
void stacking_places_where_pieces_land(const Board& in, Landings& out) {
  out = {};
  for (int facing = 0; facing < 4; ++facing) {
    for (int row = 0; row < sides; ++row) {
      for (int column = 0; column < sides; ++column) {
        if (!is_on(in, row, column)) continue;
        const bool turns = is_blocked(in, row + down[facing], column + right[facing]);
        const int to = turns ? facing ^ 1 : facing;  // 0, 1: right, left; 2, 3: up, down
        const int there_row = row + (turns ? -down[facing] : down[facing]);
        const int there_column = column + (turns ? -right[facing] : right[facing]);
        const bool stays = is_blocked(in, there_row, there_column);
        const int cell = stays ? row_of_cells * row + column : row_of_cells * there_row + there_column;
        const unsigned upside_down = !stays && in.cells[there_row][there_column] == Stacking::red ? 0xf00 : 0;
        out.of[facing][row][column] =
            static_cast<unsigned>(cell) | upside_down | static_cast<std::uint32_t>(to * cells) << 16;
      }
    }
  }
}

bool stacking_any_moving(const Moving& in) {
  bool out = in.stack[0][0] != 0 && in.level < height_of(in.stack[0]) && in.stays <= 1 && in.upside_down <= 1;
  bool seen[slots] = {};
  for (const auto& stack : in.stack) {
    for (unsigned i = 0; i < height_max; ++i) {
      out = out && stack[i] <= Stacking::pieces_max && (i == 0 || stack[i] == 0 || stack[i - 1] != 0);
      for (unsigned piece = 1; piece < slots; ++piece) {
        if (stack[i] != piece) continue;
        out = out && !seen[piece];
        seen[piece] = true;
      }
    }
  }
  for (unsigned slot = 0; slot < slots; ++slot) {
    if (slot != mover_of(in)) continue;
    out = out && in.cell[slot] == origin && in.below[slot] == 4 * in.level && is_facing(in.facing[slot]);
  }
  return out;
}

void stacking_packed_stacks_move(const Moving& in, Moved& out) {
  Unmade<PackedStacks> unmade;
  PackedStacks& board = unmade.it;
  for (std::size_t slot = 0; slot < slots; ++slot) {
    board.now_.cell[slot] = in.cell[slot];
    board.now_.below[slot] = in.below[slot];
    board.now_.facing[slot] = in.facing[slot];
  }
  for (const unsigned which : {0u, 1u}) {
    unsigned word = 0;
    for (unsigned i = 0; i < height_max; ++i) word |= static_cast<unsigned>(in.stack[which][i]) << 4 * i;
    board.stacks_[stack_cells[which]] = {static_cast<std::uint16_t>(word),
                                         static_cast<std::uint16_t>(4 * height_of(in.stack[which]))};
  }
  const unsigned mover = mover_of(in);
  for (unsigned facing = 0; facing < 4; ++facing) {  // other landings stay undefined
    if (in.facing[mover] != facing * cells) continue;
    board.landings_[facing * cells + origin] = (in.stays != 0 ? origin : elsewhere) |
                                               (in.upside_down != 0 ? 0xf00u : 0u) |
                                               static_cast<std::uint32_t>(in.faces) << 16;
  }
  out.ended = board.move(mover) ? 1 : 0;
  for (const unsigned which : {0u, 1u}) {
    out.pieces[which] = board.stacks_[stack_cells[which]].pieces;
    out.bits[which] = board.stacks_[stack_cells[which]].bits;
  }
  for (std::size_t slot = 0; slot < slots; ++slot) {
    out.cell[slot] = slot == 0 ? std::uint8_t{0} : board.now_.cell[slot];  // what slot 0 holds is never read
    out.below[slot] = slot == 0 ? std::uint8_t{0} : board.now_.below[slot];
    out.facing[slot] = board.now_.facing[slot];
  }
}

/// Moves a group to a cell, upside down or not.
void stacking_moves_the_group(const Moving& in, Moved& out) {
  const unsigned mover = mover_of(in);
  const unsigned lifted = height_of(in.stack[0]) - in.level;
  const unsigned there = in.stays != 0 ? in.level : height_of(in.stack[1]);
  const unsigned to = in.stays != 0 ? 0u : 1u;  // which of the two stacks
  unsigned stacks[2][2 * height_max] = {};
  for (unsigned i = 0; i < height_max; ++i) {
    stacks[0][i] = i < in.level ? in.stack[0][i] : 0u;
    stacks[1][i] = in.stack[1][i];
  }
  for (unsigned slot = 0; slot < slots; ++slot) {
    out.cell[slot] = in.cell[slot];
    out.below[slot] = in.below[slot];
    out.facing[slot] = slot == mover ? in.faces : in.facing[slot];
  }
  for (unsigned i = 0; i < height_max; ++i) {
    if (i >= lifted) continue;
    const unsigned from = in.level + (in.upside_down != 0 ? lifted - 1 - i : i);
    unsigned piece = 0;
    for (unsigned level = 0; level < height_max; ++level) piece = level == from ? in.stack[0][level] : piece;
    for (unsigned place = 0; place < 2 * height_max; ++place) {
      if (place == there + i) stacks[to][place] = piece;
    }
    for (unsigned slot = 0; slot < slots; ++slot) {
      if (slot != piece) continue;
      out.cell[slot] = static_cast<std::uint8_t>(stack_cells[to]);
      out.below[slot] = static_cast<std::uint8_t>(4 * (there + i));
    }
  }
  out.cell[0] = out.below[0] = 0;
  for (unsigned which = 0; which < 2; ++which) {
    unsigned height = 0;
    unsigned word = 0;
    for (unsigned place = 0; place < 2 * height_max; ++place) {
      height += stacks[which][place] != 0 ? 1 : 0;
      if (place < 4) word |= stacks[which][place] << 4 * place;
    }
    out.pieces[which] = static_cast<std::uint16_t>(word);
    out.bits[which] = static_cast<std::uint16_t>(4 * height);
  }
  out.ended = there + lifted >= Stacking::end_height ? 1 : 0;
}

}  // extern "C"

const bool packed_stacks_move =
    claim<Moving, Moved>({.game = "stacking",
                          .name = "packed_stacks.move",
                          .says = "a group of up to three lands on up to three: all stacks of ten pieces",
                          .kernel = LOCKSTEP_SYMBOL(stacking_packed_stacks_move),
                          .specification = LOCKSTEP_SYMBOL(stacking_moves_the_group),
                          .invariant = LOCKSTEP_SYMBOL(stacking_any_moving),
                          .draw = draw_moving});

const bool packed_stacks_stands_as =
    claim<Standings, Same>({.game = "stacking",
                            .name = "packed_stacks.stands_as",
                            .says = "standings are equal if cell, level and facing of each piece are: ten pieces",
                            .kernel = LOCKSTEP_SYMBOL(stacking_packed_stacks_stands_as),
                            .specification = LOCKSTEP_SYMBOL(stacking_same_standing),
                            .invariant = LOCKSTEP_SYMBOL(stacking_any_standings),
                            .draw =
                                [](Draws& draws, Standings& in) {
                                  in.count = static_cast<std::uint32_t>(draws.below(Stacking::pieces_max + 1));
                                  for (std::size_t slot = 0; slot < slots; ++slot) {
                                    in.cell[1][slot] = in.cell[0][slot] = static_cast<std::uint8_t>(draws());
                                    in.below[1][slot] = in.below[0][slot] = static_cast<std::uint8_t>(draws());
                                  }
                                  if (draws.below(2) == 0) in.below[1][draws.below(slots)] ^= 4;
                                },
                            .rounds = Stacking::pieces_max});

const bool packed_stacks_landings =
    claim<Board, Landings>({.game = "stacking",
                            .name = "packed_stacks.landings",
                            .says = "where a piece lands, which way up and facing: all boards of all sides up to 12",
                            .kernel = LOCKSTEP_SYMBOL(stacking_packed_stacks_landings),
                            .specification = LOCKSTEP_SYMBOL(stacking_places_where_pieces_land),
                            .invariant = LOCKSTEP_SYMBOL(stacking_any_board),
                            .draw = draw_board,
                            // A board has rows; and a copy of the loop over its cells for each facing and for tables
                            // that overlap with the framed board, which is another object.
                            .dead_ways = 11});
