// Claims about the simulators of the block game: boards of 50 × 50 cells. For the sweep, smaller boards are such boards
// whose other cells are empty. (Reading a smaller board is another matter, which has no claim: its rows are shorter in
// memory.)
//
// Lemma: `clear` removes exactly the blocks that the rule removes. By induction over the rows r of the sweep: before
// its round at r, no block is removable whose lowest cells are in a row above r.
//   - The round reads the rows r − 2 … r and the union of all rows above them, nothing else, and does the same at every
//     row. So the claim is about four rows and what lies above them: bit_rows.row says that the round removes exactly
//     the removable blocks with lowest row r, and leaves the words of the board without them. (The invariant holds the
//     induction's premise as far as these rows show it.)
//   - A block that is removable only now has a gap below a block removed at r, so its lowest row is below r. So the
//     premise holds at r + 1; after the last row, no block is removable.
//
// batch.lanes says that the corners that `batch` finds in a lane depend on no other lane. (That these are the corners of
// the rule's blocks, and that they are counted, has no claim yet.)
#include <array>
#include <cstdint>
#include <cstring>
#include <string>

#include "games/block_game/game.hpp"
#include "lockstep/processor.hpp"
#include "optimized/block_game/batch.hpp"
#include "optimized/block_game/bit_rows.hpp"
#include "optimized/block_game/wide_rows.hpp"
#include "proof/claim.hpp"
#include "proof/claims/kernels.hpp"

namespace {

using lockstep::BlockGame;
using lockstep::Level;
using lockstep::optimized::BitRows;
using lockstep::optimized::BlockBoards;
using lockstep::optimized::WideRows;
using lockstep::proof::claim;
using lockstep::proof::Draws;
using lockstep::proof::runs_here;
using lockstep::proof::Unmade;

constexpr int columns = BlockGame::size_max;
constexpr int rows = 4;    // r − 2 … r + 1
constexpr int lowest = 2;  // row r

/// Some rows of a board, and what lies above them.
struct Window {
  std::uint32_t swept;                // the rows of the sweep: all four, or it ends before row r
  std::uint8_t above[columns];        // 1: a cell in a row above the window is occupied
  std::uint8_t cells[rows][columns];  // numbers of blocks
  std::uint8_t unused[2];
};
/// The words of rows r − 2 … r, and the blocks that were removed, each by its leftmost column.
struct Words {
  std::uint64_t removed;
  std::uint64_t removed_elsewhere;  // at other rows than r
  std::uint64_t occupied[rows - 1];
  std::uint64_t right[rows - 1];
  std::uint64_t below[rows - 1];
};

/// The rectangles of the twelve shapes, row by row, as games/block_game/game.hpp draws them.
struct Shape {
  int rows;
  int columns;
  char picture[7];
};
constexpr Shape shapes[BlockGame::shapes] = {{2, 3, "###..#"}, {3, 2, "###.#."}, {2, 3, "#..###"}, {3, 2, ".#.###"},
                                             {2, 3, "####.."}, {3, 2, "#.#.##"}, {2, 3, "..####"}, {3, 2, "##.#.#"},
                                             {2, 3, ".#.###"}, {3, 2, "#.###."}, {2, 3, "###.#."}, {3, 2, ".###.#"}};
constexpr bool is_cell(const Shape& shape, int row, int column) {
  return shape.picture[row * shape.columns + column] == '#';
}

/// What a cell's surroundings, two cells in each direction, look like from each cell of each shape: a bit for each of
/// the 5 × 5 cells that is of the same block.
constexpr int reach = 2;
constexpr int side = 2 * reach + 1;
constexpr std::uint32_t bit_of(int row, int column) {
  return std::uint32_t{1} << ((row + reach) * side + column + reach);
}
constexpr auto surroundings = [] {
  std::array<std::uint32_t, 4 * BlockGame::shapes> out{};
  std::size_t count = 0;
  for (const Shape& shape : shapes) {
    for (int i = 0; i < shape.rows * shape.columns; ++i) {
      if (shape.picture[i] != '#') continue;
      for (int k = 0; k < shape.rows * shape.columns; ++k) {
        if (shape.picture[k] != '#') continue;
        out[count] |= bit_of(k / shape.columns - i / shape.columns, k % shape.columns - i % shape.columns);
      }
      ++count;
    }
  }
  return out;
}();

/// Whether an occupied cell and those around it with its number can be a block. `whole`: outside of the window there
/// are no cells; else a block may go on there.
bool is_of_a_block(const Window& in, int row, int column, bool whole) {
  std::uint32_t same = 0;
  std::uint32_t seen = 0;
  for (int r = -reach; r <= reach; ++r) {
    for (int c = -reach; c <= reach; ++c) {
      const bool in_rows = row + r >= 0 && row + r < rows;
      const bool in_columns = column + c >= 0 && column + c < columns;
      if (in_rows || whole || !in_columns) seen |= bit_of(r, c);
      if (in_rows && in_columns && in.cells[row + r][column + c] == in.cells[row][column]) same |= bit_of(r, c);
    }
  }
  bool out = false;
  for (const std::uint32_t block : surroundings) out = out || ((same ^ block) & seen) == 0;
  return out;
}

bool has_blocks(const Window& in, bool whole) {
  bool out = true;
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      out = out && (in.cells[row][column] == 0 || is_of_a_block(in, row, column, whole));
    }
  }
  return out;
}

/// Whether the cell is empty and all above it are.
bool is_open(const Window& in, int row, int column) {
  bool out = in.above[column] == 0;
  for (int r = 0; r <= row; ++r) out = out && in.cells[r][column] == 0;
  return out;
}

/// Whether a block has this shape, its rectangle ends in row `bottom` and begins in the column, and two black squares
/// dropped from above fill it.
bool is_removable(const Window& in, const Shape& shape, int bottom, int column, auto&& opens) {
  const int top = bottom + 1 - shape.rows;
  if (top < 0 || column + shape.columns > columns) return false;
  int number = 0;
  for (int i = 0; i < shape.rows * shape.columns; ++i) {
    if (shape.picture[i] == '#') number = in.cells[top + i / shape.columns][column + i % shape.columns];
  }
  bool out = number != 0;
  for (int r = 0; r < shape.rows; ++r) {
    for (int c = 0; c < shape.columns; ++c) {
      out = out && (is_cell(shape, r, c) ? in.cells[top + r][column + c] == number : opens(top + r, column + c));
    }
  }
  return out;
}

/// Removes the blocks with lowest row r that `removable` names.
void remove(const Window& in, Words& out, auto&& removable) {
  Window left = in;
  out = {};
  for (int column = 0; column < columns; ++column) {
    for (const Shape& shape : shapes) {
      if (in.swept != rows || !removable(shape, column)) continue;
      out.removed |= std::uint64_t{1} << column;
      for (int i = 0; i < shape.rows * shape.columns; ++i) {
        if (shape.picture[i] != '#') continue;
        left.cells[lowest + 1 - shape.rows + i / shape.columns][column + i % shape.columns] = 0;
      }
    }
  }
  for (int row = 0; row <= lowest; ++row) {
    for (int column = 0; column < columns; ++column) {
      const std::uint64_t bit = std::uint64_t{1} << column;
      const int number = left.cells[row][column];
      if (number == 0) continue;
      out.occupied[row] |= bit;
      if (column + 1 < columns && left.cells[row][column + 1] == number) out.right[row] |= bit;
      if (left.cells[row + 1][column] == number) out.below[row] |= bit;
    }
  }
}

/// The window is the top of the board. Blocks that do not touch get numbers of their own.
std::string scenario_of(const Window& in) {
  int numbers[rows][columns] = {};
  int blocks = 0;
  const auto spread = [&](const auto& self, int row, int column, int number) -> void {
    if (row < 0 || row >= rows || column < 0 || column >= columns) return;
    if (numbers[row][column] != 0 || in.cells[row][column] != number) return;
    numbers[row][column] = blocks;
    self(self, row + 1, column, number), self(self, row - 1, column, number);
    self(self, row, column + 1, number), self(self, row, column - 1, number);
  };
  for (int cell = 0; cell < rows * columns; ++cell) {
    const int number = in.cells[cell / columns][cell % columns];
    if (number == 0 || numbers[cell / columns][cell % columns] != 0) continue;
    ++blocks;
    spread(spread, cell / columns, cell % columns, number);
  }
  std::string out = "lockstep 1 block_game\nsize " + std::to_string(columns) + "\nboard\n";
  for (int row = 0; row < columns; ++row) {
    for (int column = 0; column < columns; ++column) {
      const int number = row < rows ? numbers[row][column] : 0;
      out += (column == 0 ? "" : " ") + (number == 0 ? std::string(".") : std::to_string(number));
    }
    out += '\n';
  }
  return out + "actions\nclear\n";
}

/// Blocks at any places where they fit, some of them cut by the window.
void draw_window(Draws& draws, Window& in) {
  in.swept = static_cast<std::uint32_t>(rows - (draws.below(8) == 0 ? 1 : 0));
  const auto below = [&](int bound) { return static_cast<int>(draws.below(static_cast<std::uint64_t>(bound))); };
  const int tries = below(4) * 40;
  for (int i = 0; i < tries; ++i) {
    const Shape& shape = shapes[below(BlockGame::shapes)];
    const int top = below(rows + 2) - 2;
    const int left = below(columns - shape.columns + 1);
    bool free = true;
    const auto each_cell = [&](auto&& visit) {
      for (int r = 0; r < shape.rows; ++r) {
        for (int c = 0; c < shape.columns; ++c) {
          if (is_cell(shape, r, c) && top + r >= 0 && top + r < rows) visit(in.cells[top + r][left + c]);
        }
      }
    };
    each_cell([&](std::uint8_t cell) { free = free && cell == 0; });
    if (free) each_cell([&](std::uint8_t& cell) { cell = static_cast<std::uint8_t>(1 + i); });
  }
  if (below(2) != 0) return;
  for (std::uint8_t& column : in.above) column = below(4) == 0 ? 1 : 0;
}

// batch -------------------------------------------------------------------------------------------

/// Rows of the batch's boards. Each round of its sweep does the same, so a few show what it does.
constexpr int tall = 4;

/// Of each board, the leftmost columns of the blocks that were removed, by their lowest row.
struct Corners {
  std::uint64_t of[BlockBoards::lanes][tall - 1];
};
/// Any words of rows.
struct Rows {
  std::uint64_t occupied[BlockBoards::lanes][tall];
  std::uint64_t right[BlockBoards::lanes][tall];
  std::uint64_t below[BlockBoards::lanes][tall];
};
struct Differs {
  std::uint64_t lanes;  // not 0: what is found in a lane depends on another lane
};

template <Level level>
constexpr std::size_t lanes_of = lockstep::CompiledFor<level>::bytes / sizeof(std::uint64_t);

/// The sweep of a register of boards; `word(which, row, lane)` gives their rows.
template <Level level>
void sweep(Corners& out, auto&& word) {
  constexpr std::size_t lanes = lanes_of<level>;
  std::uint64_t memory[4][tall * lanes];
  Unmade<BlockBoards> unmade;
  BlockBoards& boards = unmade.it;
  boards.rows_ = tall;
  boards.stride_ = lanes;
  std::vector<std::uint64_t>* const vectors[] = {&boards.occupied_, &boards.right_, &boards.below_, &boards.corners_};
  for (std::size_t which = 0; which < 4; ++which) {
    vectors[which]->_M_impl._M_start = memory[which];
    vectors[which]->_M_impl._M_finish = vectors[which]->_M_impl._M_end_of_storage = memory[which] + tall * lanes;
    if (which == 3) continue;
    for (std::size_t row = 0; row < tall; ++row) {
      for (std::size_t lane = 0; lane < lanes; ++lane) memory[which][row * lanes + lane] = word(which, row, lane);
    }
  }
  std::uint64_t counts[lanes];
  lockstep::at_level<level>([&](auto compiled)
                                __attribute__((always_inline)) { boards.sweep<decltype(compiled)>(0, counts); });
  out = {};
  for (std::size_t row = 1; row < tall; ++row) {
    for (std::size_t lane = 0; lane < lanes; ++lane) out.of[lane][row - 1] = memory[3][row * lanes + lane];
  }
}

/// Sweeps the boards, then, for each digit of a lane's number and both values of it, the lanes with that value alone, the
/// others being empty. A lane that never changes depends on no other one: one after the other, the digits empty them all.
template <Level level>
void compare_lanes(const Rows& in, Differs& out) {
  out = {};
  const auto swept = [&](auto&& kept) {
    Corners corners;
    sweep<level>(corners, [&](std::size_t which, std::size_t row, std::size_t lane) {
      if (!kept(lane)) return std::uint64_t{0};
      return which == 0 ? in.occupied[lane][row] : which == 1 ? in.right[lane][row] : in.below[lane][row];
    });
    return corners;
  };
  const Corners all = swept([](std::size_t) { return true; });
  for (std::size_t digit = 1; digit < lanes_of<level>; digit *= 2) {
    for (const bool value : {false, true}) {
      const auto kept = [=](std::size_t lane) { return ((lane & digit) != 0) == value; };
      const Corners some = swept(kept);
      for (std::size_t lane = 0; lane < lanes_of<level>; ++lane) {
        for (std::size_t row = 0; row + 1 < tall; ++row) {
          if (kept(lane)) out.lanes |= some.of[lane][row] ^ all.of[lane][row];
        }
      }
    }
  }
}

/// All 50 × 50 cells, and their words.
struct Board {
  std::uint8_t cells[columns][columns];
};
struct BoardWords {
  std::uint64_t occupied[columns];
  std::uint64_t right[columns];
  std::uint64_t below[columns];
};

}  // namespace

extern "C" {

/// Any blocks, any numbers that fit a byte. No block that ends in row r − 1 is removable, as far as the window shows it.
bool block_game_any_window(const Window& in) {
  bool out = in.swept <= rows && in.unused[0] == 0 && in.unused[1] == 0 && has_blocks(in, false);
  for (int column = 0; column < columns; ++column) {
    out = out && in.above[column] <= 1;
    for (const Shape& shape : shapes) {
      const auto opens = [&](int r, int c) { return is_open(in, r, c); };
      out = out && !is_removable(in, shape, lowest - 1, column, opens);
    }
  }
  return out;
}

/// What the top rows of a board can be.
bool block_game_top_of_a_board(const Window& in) {
  bool out = in.swept == rows && has_blocks(in, true);
  for (const std::uint8_t column : in.above) out = out && column == 0;
  return out;
}

/// The simulator links the rows from their numbers, then sweeps. Row 0 of its board stands for all rows above, so that
/// row r is its row 3.
void block_game_bit_rows_row(const Window& in, Words& out) {
  Unmade<BitRows> unmade;
  BitRows& board = unmade.it;
  board.size_ = columns;
  board.occupied_ = board.right_ = board.below_ = {};
  board.numbers_ = {};
  std::memcpy(board.numbers_.data() + columns, in.cells, sizeof in.cells);
  for (int column = 0; column < columns; ++column) {
    if (in.above[column] != 0) board.occupied_[BitRows::above] |= std::uint64_t{1} << column;
  }
  for (unsigned row = 0; row <= lowest; ++row) board.link(row + 1);
  board.size_ = in.swept;
  out = {};
  board.sweep([&](unsigned row, BitRows::Row corners) {
    (row == lowest + 1 ? out.removed : out.removed_elsewhere) |= corners;
  });
  for (std::size_t row = 0; row <= lowest; ++row) {
    const BitRows::Words words = board.words(row + 1);
    out.occupied[row] = words.occupied;
    out.right[row] = words.right;
    out.below[row] = words.below;
  }
}

void block_game_removable_blocks(const Window& in, Words& out) {
  remove(in, out, [&](const Shape& shape, int column) {
    return is_removable(in, shape, lowest, column, [&](int r, int c) { return is_open(in, r, c); });
  });
}

#define BLOCK_GAME_BATCH(LEVEL) \
  void block_game_batch_lanes_##LEVEL(const Rows& in, Differs& out) { compare_lanes<Level::LEVEL>(in, out); }
BLOCK_GAME_BATCH(baseline)
BLOCK_GAME_BATCH(avx2)
BLOCK_GAME_BATCH(avx512)

bool block_game_any_rows(const Rows&) { return true; }
void block_game_lanes_do_not_differ(const Rows&, Differs& out) { out = {}; }

bool block_game_any_numbers(const Board&) { return true; }

void block_game_wide_rows_read(const Board& in, BoardWords& out) {
  Unmade<WideRows> unmade;
  WideRows& board = unmade.it;
  board.size_ = columns;
  board.numbers_ = {};
  std::memcpy(board.numbers_.data(), in.cells, sizeof in.cells);
  board.read();
  for (std::size_t row = 0; row < columns; ++row) {
    const BitRows::Words words = board.words(row);
    out.occupied[row] = words.occupied;
    out.right[row] = words.right;
    out.below[row] = words.below;
  }
}

void block_game_bit_rows_read(const Board& in, BoardWords& out) {
  Unmade<BitRows> unmade;
  BitRows& board = unmade.it;
  board.size_ = columns;
  board.numbers_ = {};
  std::memcpy(board.numbers_.data(), in.cells, sizeof in.cells);
  for (unsigned row = 0; row < columns; ++row) board.link(row);
  for (std::size_t row = 0; row < columns; ++row) {
    const BitRows::Words words = board.words(row);
    out.occupied[row] = words.occupied;
    out.right[row] = words.right;
    out.below[row] = words.below;
  }
}

void block_game_words_of_the_cells(const Board& in, BoardWords& out) {
  out = {};
  for (int row = 0; row < columns; ++row) {
    for (int column = 0; column < columns; ++column) {
      const std::uint64_t bit = std::uint64_t{1} << column;
      const int number = in.cells[row][column];
      if (number == 0) continue;
      out.occupied[row] |= bit;
      if (column + 1 < columns && in.cells[row][column + 1] == number) out.right[row] |= bit;
      if (row + 1 < columns && in.cells[row + 1][column] == number) out.below[row] |= bit;
    }
  }
}

}  // extern "C"

const bool bit_rows_row =
    claim<Window, Words>({.game = "block_game",
                          .name = "bit_rows.row",
                          .says = "the sweep removes at a row what the rule does: 50 columns, any blocks above",
                          .kernel = LOCKSTEP_SYMBOL(block_game_bit_rows_row),
                          .specification = LOCKSTEP_SYMBOL(block_game_removable_blocks),
                          .invariant = LOCKSTEP_SYMBOL(block_game_any_window),
                          .draw = draw_window,
                          .lawful = LOCKSTEP_SYMBOL(block_game_top_of_a_board),
                          .scenario = scenario_of});

const auto draw_numbers = [](Draws& draws, Board& in) {
  for (auto& row : in.cells) {
    for (std::uint8_t& cell : row) cell = static_cast<std::uint8_t>(draws.below(4));
  }
};

const bool bit_rows_read =
    claim<Board, BoardWords>({.game = "block_game",
                              .name = "bit_rows.read",
                              .says = "cells and links are read from the numbers of all 50 rows: any numbers",
                              .kernel = LOCKSTEP_SYMBOL(block_game_bit_rows_read),
                              .specification = LOCKSTEP_SYMBOL(block_game_words_of_the_cells),
                              .invariant = LOCKSTEP_SYMBOL(block_game_any_numbers),
                              .draw = draw_numbers,
                              .quick = false});

const bool wide_rows_read =
    claim<Board, BoardWords>({.game = "block_game",
                              .name = "wide_rows.read",
                              .says = "cells and links are read from the numbers of all 50 rows: any numbers",
                              .kernel = LOCKSTEP_SYMBOL(block_game_wide_rows_read),
                              .specification = LOCKSTEP_SYMBOL(block_game_words_of_the_cells),
                              .invariant = LOCKSTEP_SYMBOL(block_game_any_numbers),
                              .draw = draw_numbers,
                              .quick = false,
                              .runs_here = runs_here<Level::avx512>,
                              .dead_ways = 1});  // a board has rows

#define BATCH(LEVEL)                                                                              \
  const bool batch_lanes_##LEVEL =                                                                \
      claim<Rows, Differs>({.game = "block_game",                                                 \
                            .name = "batch.lanes_" #LEVEL,                                        \
                            .says = "what is found in a lane depends on no other lane: any rows", \
                            .kernel = LOCKSTEP_SYMBOL(block_game_batch_lanes_##LEVEL),            \
                            .specification = LOCKSTEP_SYMBOL(block_game_lanes_do_not_differ),     \
                            .invariant = LOCKSTEP_SYMBOL(block_game_any_rows),                    \
                            .draw =                                                               \
                                [](Draws& draws, Rows& in) {                                      \
                                  for (auto* words : {&in.occupied, &in.right, &in.below}) {      \
                                    for (auto& lane : *words) {                                   \
                                      for (std::uint64_t& row : lane) row = draws() & draws();    \
                                    }                                                             \
                                  }                                                               \
                                },                                                                \
                            .runs_here = runs_here<Level::LEVEL>,                                 \
                            .dead_ways = 2})
BATCH(baseline);
BATCH(avx2);
BATCH(avx512);
