// Claims about the simulators of the block game: boards of 50 × 50 cells. For the sweep, smaller boards are such boards
// whose other cells are empty. (Reading a smaller board is another matter, which has no claim: its rows are shorter in
// memory.)
//
// Lemma: `clear` removes exactly the blocks that the rule removes. By induction over the rows r of the sweep: before
// its round at r, no block is removable whose lowest cells are in a row above r.
//   - The round reads the rows r − 2 … r and the union of all rows above them, nothing else, and does the same at every
//     row. So the claim is about four rows and what lies above them: bit_rows.row says that the round removes exactly
//     the removable blocks with lowest row r, and leaves the words of the board without them. (The invariant holds the
//     induction's premise as far as these rows show it.) A round passes to the next what it has stored of two rows, and
//     their links of before the sweep; bit_rows.hpp says why those of removed blocks, which the claim lacks, change
//     nothing, and why the sweep may end early.
//   - A block that is removable only now has a gap below a block removed at r, so its lowest row is below r. So the
//     premise holds at r + 1; after the last row, no block is removable.
//
// Lemma: `batch` finds the corners of the blocks that the rule removes. batch.lanes says that what it finds in a lane
// depends on no other lane, so it is what it finds if all lanes hold the same board. For this case batch.row says what
// a round of the sweep does: the same as in bit_rows.row, except that the links of removed blocks stay in place. The
// invariant has such links: those of blocks that were removed in earlier rounds, none of which reaches row r. The
// induction is that of bit_rows.row; what a round passes on to the next is part of the claim.
//
// No claim: that the sweep loads one row after the other and stores its corners; how corners are counted.
//
// bit_rows.place says where a block fits in the last three rows, and what it adds to their words: all twelve shapes, in
// all columns. In other rows the code is the same: the row's number is added to the index of the words, and compared with
// the board's size. No claim: the numbers of blocks.
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "games/block_game/game.hpp"
#include "lockstep/system/processor.hpp"
#include "optimized/block_game/batch.hpp"
#include "optimized/block_game/bit_rows.hpp"
#include "proof/claim.hpp"
#include "proof/claims/kernels.hpp"

namespace {

using lockstep::BlockGame;
using lockstep::Level;
using lockstep::optimized::BitRows;
using lockstep::optimized::BlockBoards;
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
/// The words of the rows of a window, and the blocks that were removed, each by its leftmost column.
struct Words {
  std::uint64_t removed;
  std::uint64_t removed_elsewhere;  // at other rows than r
  std::uint64_t changed_elsewhere;  // not 0: words of other rows than the window's changed
  std::uint64_t occupied[rows];
  std::uint64_t right[rows];
  std::uint64_t below[rows];
};
struct RowWords {
  std::uint64_t occupied, right, below;
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
bool is_removable(const Window& in, const Shape& shape, int bottom, int column) {
  const int top = bottom + 1 - shape.rows;
  if (top < 0 || column + shape.columns > columns) return false;
  int number = 0;
  for (int i = 0; i < shape.rows * shape.columns; ++i) {
    if (shape.picture[i] == '#') number = in.cells[top + i / shape.columns][column + i % shape.columns];
  }
  bool out = number != 0;
  for (int r = 0; r < shape.rows; ++r) {
    for (int c = 0; c < shape.columns; ++c) {
      out = out && (is_cell(shape, r, c) ? in.cells[top + r][column + c] == number : is_open(in, top + r, column + c));
    }
  }
  return out;
}

/// The words of a row of the window, below which there is nothing.
RowWords words_of(const Window& in, int row) {
  RowWords out{};
  for (int column = 0; column < columns; ++column) {
    const std::uint64_t bit = std::uint64_t{1} << column;
    const int number = in.cells[row][column];
    if (number == 0) continue;
    out.occupied |= bit;
    if (column + 1 < columns && in.cells[row][column + 1] == number) out.right |= bit;
    if (row + 1 < rows && in.cells[row + 1][column] == number) out.below |= bit;
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
  for (int row = 0; row < rows; ++row) {
    const RowWords words = words_of(left, row);
    out.occupied[row] = words.occupied;
    out.right[row] = words.right;
    out.below[row] = words.below;
  }
}

/// The words of rows that a kernel must leave as they are.
constexpr RowWords other = {0x2a5a5a5a5a5a5, 0x0a5a5a5a5a5a5, 0x2050505050505};

void fill(BitRows& board) {
  board.occupied_.fill(other.occupied);
  board.right_.fill(other.right);
  board.below_.fill(other.below);
}
/// Copies the words of some rows, from the given one on, and puts `other` in their place.
template <std::size_t count>
void take_words(BitRows& board, std::size_t first, std::uint64_t (&occupied)[count], std::uint64_t (&right)[count],
                std::uint64_t (&below)[count]) {
  for (std::size_t row = 0; row < count; ++row) {
    occupied[row] = std::exchange(board.occupied_[first + row + BitRows::above], other.occupied);
    right[row] = std::exchange(board.right_[first + row + BitRows::above], other.right);
    below[row] = std::exchange(board.below_[first + row + BitRows::above], other.below);
  }
}
/// Not 0: a row does not hold `other`.
std::uint64_t changes_in(const BitRows& board) {
  std::uint64_t out = 0;
  for (const std::uint64_t row : board.occupied_) out |= row ^ other.occupied;
  for (const std::uint64_t row : board.right_) out |= row ^ other.right;
  for (const std::uint64_t row : board.below_) out |= row ^ other.below;
  return out;
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

/// A window on a board whose words still have links of blocks that have been removed.
struct Stale {
  Window window;
  std::uint8_t removed[rows][columns];  // 1: the cell's block has been
};
/// What a round finds, and what it passes on.
struct Passed {
  std::uint64_t corners;
  std::uint64_t covered;  // columns with a cell above row r − 1
  std::uint64_t row_2;    // cells of row r − 1
  std::uint64_t row_1;    // cells of row r
  std::uint64_t links_2;  // below row r − 1, those of removed blocks too
  std::uint64_t links_1;
};
struct PassedOfAll {
  Passed lanes[BlockBoards::lanes];  // 0 beyond the register
};

Window without_removed(const Stale& in) {
  Window out = in.window;
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      if (in.removed[row][column] != 0) out.cells[row][column] = 0;
    }
  }
  return out;
}

/// A round of the sweep at row r, with the same board in all lanes.
template <Level level>
void take_row(const Stale& in, PassedOfAll& out) {
  out = {};
  const Window left = without_removed(in);
  std::uint64_t covered = 0;
  for (int column = 0; column < columns; ++column) {
    if (in.window.above[column] != 0) covered |= std::uint64_t{1} << column;
  }
  const RowWords here = words_of(in.window, lowest);
  const std::uint64_t given[] = {covered,
                                 words_of(left, lowest - 1).occupied,
                                 words_of(left, lowest - 2).occupied,
                                 words_of(in.window, lowest - 1).below,
                                 words_of(in.window, lowest - 2).below,
                                 here.occupied,
                                 here.right,
                                 here.below};
  lockstep::at_level<level>([&](auto compiled) __attribute__((always_inline)) {
    using Rows = lockstep::Vector<std::uint64_t, decltype(compiled)::bytes>;
    BlockBoards::Above<Rows> above;
    const Rows none{};
    above.covered = none + given[0];
    above.row_1 = none + given[1];
    above.row_2 = none + given[2];
    above.links_1 = none + given[3];
    above.links_2 = none + given[4];
    const Rows occupied = none + given[5], right = none + given[6], below = none + given[7];
    Rows corners;
    above.take(occupied, right, below, corners);
    for (std::size_t lane = 0; lane < lanes_of<level>; ++lane) {
      out.lanes[lane] = {corners[lane],     above.covered[lane], above.row_2[lane],
                         above.row_1[lane], above.links_2[lane], above.links_1[lane]};
    }
  });
}

void pass_on(const Stale& in, PassedOfAll& out, std::size_t lanes) {
  Words words;
  const Window left = without_removed(in);
  remove(left, words, [&](const Shape& shape, int column) { return is_removable(left, shape, lowest, column); });
  Passed passed = {.corners = words.removed,
                   .covered = words.occupied[lowest - 2],
                   .row_2 = words.occupied[lowest - 1],
                   .row_1 = words.occupied[lowest],
                   .links_2 = 0,
                   .links_1 = 0};
  for (int column = 0; column < columns; ++column) {
    const std::uint64_t bit = std::uint64_t{1} << column;
    const auto links = [&](int row) {
      const int number = in.window.cells[row][column];
      return number != 0 && in.window.cells[row + 1][column] == number;
    };
    if (in.window.above[column] != 0) passed.covered |= bit;
    if (links(lowest - 1)) passed.links_2 |= bit;
    if (links(lowest)) passed.links_1 |= bit;
  }
  for (std::size_t lane = 0; lane < BlockBoards::lanes; ++lane) out.lanes[lane] = lane < lanes ? passed : Passed{};
}

/// Some blocks of the window that do not reach row r are gone.
void draw_stale(Draws& draws, Stale& in) {
  draw_window(draws, in.window);
  in.window.swept = rows;
  for (int number = 1; number <= 0xff; ++number) {
    if (draws.below(2) == 0) continue;
    bool ends = true;
    for (int row = lowest; row < rows; ++row) {
      for (const std::uint8_t cell : in.window.cells[row]) ends = ends && cell != number;
    }
    for (int row = 0; row < lowest; ++row) {
      for (int column = 0; column < columns; ++column) {
        if (ends && in.window.cells[row][column] == number) in.removed[row][column] = 1;
      }
    }
  }
}

/// The words of a board's last rows, and a block that is asked for there.
constexpr int tallest = 3;
struct Placing {
  std::uint64_t occupied[tallest];
  std::uint64_t right[tallest];
  std::uint64_t below[tallest];
  std::uint32_t shape;  // from 1
  std::uint32_t column;
  std::uint32_t row;  // of these, the block's top one
  std::uint32_t unused;
};
struct Placed {
  std::uint64_t occupied[tallest];
  std::uint64_t right[tallest];
  std::uint64_t below[tallest];
  std::uint64_t fits;
  std::uint64_t changed_elsewhere;  // not 0: words of other rows changed
};

/// What the words become if the block fits.
void place_by_pictures(const Placing& in, Placed& out) {
  bool block[tallest + 1][columns + 1] = {};
  bool fits = true;
  for (const Shape& shape : shapes) {
    const bool asked = static_cast<std::uint32_t>(&shape - shapes + 1) == in.shape;
    fits = fits && (!asked || (in.column + static_cast<std::uint32_t>(shape.columns) <= columns &&
                               in.row + static_cast<std::uint32_t>(shape.rows) <= tallest));
    for (int r = 0; r < shape.rows; ++r) {
      for (int c = 0; c < shape.columns; ++c) {
        if (!is_cell(shape, r, c)) continue;
        for (int row = r; row < tallest; ++row) {
          for (int column = c; column < columns; ++column) {
            block[row][column] |= asked && in.row == static_cast<std::uint32_t>(row - r) &&
                                  in.column == static_cast<std::uint32_t>(column - c);
          }
        }
      }
    }
  }
  for (int row = 0; row < tallest; ++row) {
    for (int column = 0; column < columns; ++column) {
      fits = fits && !(block[row][column] && (in.occupied[row] >> column & 1) != 0);
    }
  }
  out.fits = fits ? 1 : 0;
  out.changed_elsewhere = 0;
  for (int row = 0; row < tallest; ++row) {
    out.occupied[row] = in.occupied[row];
    out.right[row] = in.right[row];
    out.below[row] = in.below[row];
    for (int column = 0; column < columns; ++column) {
      const std::uint64_t bit = std::uint64_t{1} << column;
      if (!fits || !block[row][column]) continue;
      out.occupied[row] |= bit;
      if (block[row][column + 1]) out.right[row] |= bit;
      if (block[row + 1][column]) out.below[row] |= bit;
    }
  }
}

/// Asks the simulator whether the shape fits in the last rows, and puts it there if it does.
template <std::size_t shape>
void place(const Placing& in, Placed& out, BitRows& board) {
  if (in.shape != shape) return;
  const unsigned row = columns - tallest + (in.row & 3);  // in two bits, so that few addresses are possible
  if (!board.fits(BitRows::shapes[shape - 1], row, in.column)) return;
  out.fits = 1;
  board.put(BitRows::shapes[shape - 1], row, in.column);
}

void draw_placing(Draws& draws, Placing& in) {
  const std::uint64_t board = (std::uint64_t{1} << columns) - 1;
  for (int row = 0; row < tallest; ++row) {
    in.occupied[row] = draws() & draws() & draws() & board;
    in.right[row] = in.occupied[row] & draws() & board >> 1;
    in.below[row] = in.occupied[row] & draws();
  }
  in.shape = static_cast<std::uint32_t>(1 + draws.below(BlockGame::shapes));
  in.column = static_cast<std::uint32_t>(draws.below(columns));
  in.row = static_cast<std::uint32_t>(draws.below(tallest));
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
      out = out && !is_removable(in, shape, lowest - 1, column);
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

/// Row 0 of the simulator's board stands for all rows above, so that row r is its row 3.
void block_game_bit_rows_row(const Window& in, Words& out) {
  Unmade<BitRows> unmade;
  BitRows& board = unmade.it;
  fill(board);
  for (std::size_t row = 0; row <= BitRows::above; ++row)
    board.occupied_[row] = board.right_[row] = board.below_[row] = 0;
  std::uint64_t covered = 0;
  for (int column = 0; column < columns; ++column) {
    if (in.above[column] != 0) covered |= std::uint64_t{1} << column;
  }
  board.occupied_[BitRows::above] = covered;
  for (int row = 0; row < rows; ++row) {
    const RowWords words = words_of(in, row);
    const auto at = static_cast<std::size_t>(row) + 1 + BitRows::above;
    board.occupied_[at] = words.occupied, board.right_[at] = words.right, board.below_[at] = words.below;
  }
  board.size_ = in.swept;
  out = {};
  board.sweep((BitRows::Row{1} << columns) - 1, [&](unsigned row, BitRows::Row corners) {
    (row == lowest + 1 ? out.removed : out.removed_elsewhere) |= corners;
  });
  take_words(board, 1, out.occupied, out.right, out.below);
  board.occupied_[BitRows::above] ^= covered;
  for (std::size_t row = 0; row <= BitRows::above; ++row) {
    out.changed_elsewhere |= std::exchange(board.occupied_[row], other.occupied) |
                             std::exchange(board.right_[row], other.right) |
                             std::exchange(board.below_[row], other.below);
  }
  out.changed_elsewhere |= changes_in(board);
}

void block_game_removable_blocks(const Window& in, Words& out) {
  remove(in, out, [&](const Shape& shape, int column) { return is_removable(in, shape, lowest, column); });
}

#define BLOCK_GAME_BATCH(LEVEL) \
  void block_game_batch_lanes_##LEVEL(const Rows& in, Differs& out) { compare_lanes<Level::LEVEL>(in, out); }
BLOCK_GAME_BATCH(baseline)
BLOCK_GAME_BATCH(avx2)
BLOCK_GAME_BATCH(avx512)
BLOCK_GAME_BATCH(avx512vbmi)

/// As block_game_any_window. Blocks that have been removed are whole, and end above row r.
bool block_game_any_stale(const Stale& in) {
  bool out = in.window.swept == rows && has_blocks(in.window, false);
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      const int number = in.window.cells[row][column];
      const bool gone = in.removed[row][column] != 0;
      out = out && in.removed[row][column] <= (row < lowest && number != 0 ? 1 : 0);
      const auto agrees = [&](int r, int c) {
        return in.window.cells[r][c] != number || number == 0 || (in.removed[r][c] != 0) == gone;
      };
      if (row + 1 < rows) out = out && agrees(row + 1, column);
      if (column + 1 < columns) out = out && agrees(row, column + 1);
    }
  }
  return out && block_game_any_window(without_removed(in));
}

#define BLOCK_GAME_BATCH_ROW(LEVEL)                                                                         \
  void block_game_batch_row_##LEVEL(const Stale& in, PassedOfAll& out) { take_row<Level::LEVEL>(in, out); } \
  void block_game_passed_on_##LEVEL(const Stale& in, PassedOfAll& out) { pass_on(in, out, lanes_of<Level::LEVEL>); }
BLOCK_GAME_BATCH_ROW(baseline)
BLOCK_GAME_BATCH_ROW(avx2)
BLOCK_GAME_BATCH_ROW(avx512)
BLOCK_GAME_BATCH_ROW(avx512vbmi)

/// Any words of the board's size.
bool block_game_any_placing(const Placing& in) {
  bool out = in.shape >= 1 && in.shape <= BlockGame::shapes && in.column < columns && in.row < tallest;
  for (int row = 0; row < tallest; ++row) {
    out = out && in.occupied[row] >> columns == 0 && in.right[row] >> columns == 0 && in.below[row] >> columns == 0;
  }
  return out;
}

void block_game_bit_rows_place(const Placing& in, Placed& out) {
  Unmade<BitRows> unmade;
  BitRows& board = unmade.it;
  board.size_ = columns;
  fill(board);
  constexpr std::size_t first = columns - tallest;
  for (std::size_t row = 0; row < tallest; ++row) {
    board.occupied_[first + row + BitRows::above] = in.occupied[row];
    board.right_[first + row + BitRows::above] = in.right[row];
    board.below_[first + row + BitRows::above] = in.below[row];
  }
  out.fits = 0;
  [&]<std::size_t... shape>(std::index_sequence<shape...>) {
    (place<shape + 1>(in, out, board), ...);
  }(std::make_index_sequence<BlockGame::shapes>{});
  take_words(board, first, out.occupied, out.right, out.below);
  out.changed_elsewhere = changes_in(board);
}

void block_game_blocks_are_placed(const Placing& in, Placed& out) { place_by_pictures(in, out); }

bool block_game_any_rows(const Rows&) { return true; }
void block_game_lanes_do_not_differ(const Rows&, Differs& out) { out = {}; }

/// Each number is beside an equal one, as the cells of blocks are.
bool block_game_any_linked_numbers(const Board& in) {
  bool out = true;
  for (int row = 0; row < columns; ++row) {
    for (int column = 0; column < columns; ++column) {
      const int number = in.cells[row][column];
      const bool across = (column > 0 && in.cells[row][column - 1] == number) ||
                          (column + 1 < columns && in.cells[row][column + 1] == number);
      const bool down = (row > 0 && in.cells[row - 1][column] == number) ||
                        (row + 1 < columns && in.cells[row + 1][column] == number);
      out = out && (number == 0 || across || down);
    }
  }
  return out;
}

#define BLOCK_GAME_READ(LEVEL)                                                                                  \
  void block_game_bit_rows_read_##LEVEL(const Board& in, BoardWords& out) {                                     \
    Unmade<BitRows> unmade;                                                                                     \
    BitRows& board = unmade.it;                                                                                 \
    board.size_ = columns;                                                                                      \
    board.numbers_ = {};                                                                                        \
    std::memcpy(board.numbers_.data(), in.cells, sizeof in.cells);                                              \
    lockstep::at_level<Level::LEVEL>([&](auto compiled)                                                         \
                                         __attribute__((always_inline)) { board.read<decltype(compiled)>(); }); \
    take_words(board, 0, out.occupied, out.right, out.below);                                                   \
  }
BLOCK_GAME_READ(baseline)
BLOCK_GAME_READ(avx2)
BLOCK_GAME_READ(avx512)
BLOCK_GAME_READ(avx512vbmi)

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

/// Pairs of equal numbers, all of them side by side or one above the other.
const auto draw_pairs = [](Draws& draws, Board& in) {
  const bool down = draws.below(2) == 0;
  for (int pair = 0; pair < columns / 2 * columns; ++pair) {
    const int along = pair / columns * 2;
    const int across = pair % columns;
    const auto number = static_cast<std::uint8_t>(draws.below(4));
    for (const int at : {along, along + 1}) (down ? in.cells[at][across] : in.cells[across][at]) = number;
  }
};

/// A board has rows, and these have cells in each of their registers.
#define READ(LEVEL)                                                                             \
  const bool bit_rows_read_##LEVEL = claim<Board, BoardWords>(                                  \
      {.game = "block_game",                                                                    \
       .name = "bit_rows.read_" #LEVEL,                                                         \
       .says = "cells and links are read from the numbers of all 50 rows: any that are linked", \
       .kernel = LOCKSTEP_SYMBOL(block_game_bit_rows_read_##LEVEL),                             \
       .specification = LOCKSTEP_SYMBOL(block_game_words_of_the_cells),                         \
       .invariant = LOCKSTEP_SYMBOL(block_game_any_linked_numbers),                             \
       .draw = draw_pairs,                                                                      \
       .quick = false,                                                                          \
       .covers_only = "boards of 50 rows",                                                      \
       .runs_here = runs_here<Level::LEVEL>,                                                    \
       .dead_ways = 64 / lockstep::CompiledFor<Level::LEVEL>::bytes})
READ(baseline);
READ(avx2);
READ(avx512);
READ(avx512vbmi);

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
                            .dead_ways = 2}) /* a board has rows: two calls are inlined */
BATCH(baseline);
BATCH(avx2);
BATCH(avx512);
BATCH(avx512vbmi);

const bool bit_rows_place =
    claim<Placing, Placed>({.game = "block_game",
                            .name = "bit_rows.place",
                            .says = "where each shape fits in the last rows, and its words: any words of 50 columns",
                            .kernel = LOCKSTEP_SYMBOL(block_game_bit_rows_place),
                            .specification = LOCKSTEP_SYMBOL(block_game_blocks_are_placed),
                            .invariant = LOCKSTEP_SYMBOL(block_game_any_placing),
                            .draw = draw_placing,
                            .covers_only = "the last three rows"});

#define BATCH_ROW(LEVEL)                                                                                           \
  const bool batch_row_##LEVEL =                                                                                   \
      claim<Stale, PassedOfAll>({.game = "block_game",                                                             \
                                 .name = "batch.row_" #LEVEL,                                                      \
                                 .says = "the sweep finds at a row what the rule removes: 50 columns, any blocks", \
                                 .kernel = LOCKSTEP_SYMBOL(block_game_batch_row_##LEVEL),                          \
                                 .specification = LOCKSTEP_SYMBOL(block_game_passed_on_##LEVEL),                   \
                                 .invariant = LOCKSTEP_SYMBOL(block_game_any_stale),                               \
                                 .draw = draw_stale,                                                               \
                                 .quick = false,                                                                   \
                                 .covers_only = "the same board in all lanes",                                     \
                                 .runs_here = runs_here<Level::LEVEL>})
BATCH_ROW(baseline);
BATCH_ROW(avx2);
BATCH_ROW(avx512);
BATCH_ROW(avx512vbmi);
