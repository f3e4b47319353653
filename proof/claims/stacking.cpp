// Claims about the simulators of Stacking: all boards of all sides up to twelve, ten pieces.
//
// packed_stacks looks up where a piece lands: packed_stacks.landings says that the table holds, for every cell and
// facing of every board, where the rule takes the piece, which way up, and which way it then faces. `play` compares
// standings (packed_stacks.stands_as); that a period may be skipped is said where it does so. The move itself has no
// claim.
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

/// A piece that is blocked turns round; it stays if it is blocked then, too.
void land_by_the_rule(const Board& board, Landings& out, auto&& ends_upside_down) {
  out = {};
  for (int facing = 0; facing < 4; ++facing) {
    for (int row = 0; row < sides; ++row) {
      for (int column = 0; column < sides; ++column) {
        if (!is_on(board, row, column)) continue;
        const bool turns = is_blocked(board, row + down[facing], column + right[facing]);
        const int to = turns ? facing ^ 1 : facing;  // 0, 1: right, left; 2, 3: up, down
        const int there_row = row + (turns ? -down[facing] : down[facing]);
        const int there_column = column + (turns ? -right[facing] : right[facing]);
        const bool stays = is_blocked(board, there_row, there_column);
        const int cell = stays ? row_of_cells * row + column : row_of_cells * there_row + there_column;
        const bool red = !stays && board.cells[there_row][there_column] == Stacking::red;
        const unsigned upside_down = ends_upside_down(red, turns, stays) ? 0xf00 : 0;
        out.of[facing][row][column] =
            static_cast<unsigned>(cell) | upside_down | static_cast<std::uint32_t>(to * cells) << 16;
      }
    }
  }
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

void stacking_places_where_pieces_land(const Board& in, Landings& out) {
  land_by_the_rule(in, out, [](bool red, bool, bool) { return red; });
}

}  // extern "C"

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
                            .dead_ways = 11});
