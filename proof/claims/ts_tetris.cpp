// Claims about the simulators of TS Tetris: what happens in a window of sixteen columns and rows, and that the window
// decides it; and how the planes place and remove cells. Windows of 32 rows have claims about runs and a drop's cells
// only, and the loop that plays a turn in a window has none: fuzzing runs them.
//
// Lemma: where a turn is played in a window, the whole board does the same. A position between turns holds no run, so
// after a drop, a change or a vanish every run of the board contains a cell that is new or has fallen. While these are
// inner cells of the window, window.locality says that the board's runs are those of the window; window.gravity says
// what falls; a column ends in its window, so nothing else falls. By induction over the rounds of a turn, window and
// board agree until a cell that fell is an outer one; from there, the search goes on on the planes.
//
// Lemma: `squeeze` removes the doomed bits of a word and moves the others together. While there are doomed bits, it
// removes their lowest run: bit_planes.remove_run says that this run goes, and that all bits above it move down by its
// length, the other doomed bits too.
//
// Lemma: `erase_column` removes the doomed cells of a column, and lets the others fall, if all doomed cells lie in the
// layers from the given one on, and no cell lies above the last. It takes the words one after the other upwards, squeezes
// each, and puts what is left where it lands. Where that is, and which words change, depends on what is left and on how
// many cells are gone, and not on which cells were doomed; so bit_planes.erase_column, in which these are the lowest of
// each word, is about every word that squeezing can leave. It shows the first step, before which no cell is gone, and one
// above a word that may have become empty. After each step, no cell is set from the row on where the next word lands: the
// words of the layers so far were taken out, and what was put back ends below. So the next step may assign the word above
// `lower`, and does the same as the second one, only with more rows and more cells gone. No claim: how many of the gone
// cells were the second player's, if others than the lowest of a word are doomed; `erase_word`, for columns that end in the
// word in which they are searched; and `erase`, which chooses the columns and layers, and lowers the heights.
//
// bit_planes.drop and window.three_cells are about where a drop's cells land and that they do, in any three columns: the
// code uses a column's number only to find its words. That no cell may land if one of the columns is full is asked by
// `play`; the claim repeats this question. No claim: the function `drop`, which chooses a window and the box that is
// searched, and counts cells after a window.
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "games/ts_tetris/game.hpp"
#include "optimized/ts_tetris/bit_planes.hpp"
#include "optimized/ts_tetris/window.hpp"
#include "proof/claim.hpp"
#include "proof/claims/kernels.hpp"

namespace {

using lockstep::TsTetris;
using lockstep::optimized::BitPlanesTsTetris;
using lockstep::optimized::TsTetrisWindow;
using lockstep::proof::claim;
using lockstep::proof::Draws;
using lockstep::proof::Unmade;

constexpr int columns = 16;
constexpr int run = TsTetris::run_min;
constexpr int dropped = 11;  // the first of the three columns of a drop; two columns are between it and the right wall

/// A bit a cell: bit r of a column is row r, the lowest first.
template <class Row>
struct alignas(sizeof(Row) * columns) Plane {
  Row columns[::columns];
};
template <class Row>
struct Cells {
  Plane<Row> mine;
  Plane<Row> theirs;
};
template <class Row>
struct Runs {
  Plane<Row> cells;
  Plane<Row> any;  // bit 0 of the first column: there is a run
};

/// Whether five cells in a row from here, by a step, are all set.
bool is_run(auto&& set, int column, int row, int right, int up) {
  bool out = true;
  for (int i = 0; i < run; ++i) out = out && set(column + i * right, row + i * up);
  return out;
}

/// Whether a cell is in five or more in a row.
bool is_in_a_run(auto&& set, int column, int row) {
  bool out = false;
  for (int i = 0; i < run; ++i) {
    out = out || is_run(set, column, row - i, 0, 1) || is_run(set, column - i, row, 1, 0) ||
          is_run(set, column - i, row - i, 1, 1) || is_run(set, column - i, row + i, 1, -1);
  }
  return out;
}

template <class Row>
constexpr int rows = 8 * static_cast<int>(sizeof(Row));

/// Reads cells; outside of the plane there are none.
template <class Row>
auto cells_of(const Row* plane, int width, int height) {
  return [=](int column, int row) {
    return column >= 0 && column < width && row >= 0 && row < height && (plane[column] >> row & 1) != 0;
  };
}
template <class Row>
auto cells_of(const Plane<Row>& plane) {
  return cells_of(plane.columns, columns, rows<Row>);
}

template <class Row>
void set(Plane<Row>& plane, int column, int row) {
  plane.columns[column] = static_cast<Row>(plane.columns[column] | Row{1} << row);
}

/// (Not std::bit_cast: how a wide vector is returned depends on the processor that is compiled for.)
template <class To, class From>
void copy(To& to, const From& from) {
  static_assert(sizeof to == sizeof from);
  std::memcpy(&to, &from, sizeof to);
}

/// The runs of both players; `in_a_run` may err.
template <class Row>
void runs_of_both(const Cells<Row>& in, Runs<Row>& out, auto&& in_a_run) {
  out = {};
  for (int column = 0; column < columns; ++column) {
    for (int row = 0; row < rows<Row>; ++row) {
      if (!in_a_run(cells_of(in.mine), column, row) && !in_a_run(cells_of(in.theirs), column, row)) continue;
      set(out.cells, column, row);
      out.any.columns[0] = 1;
    }
  }
}

template <class Row>
void runs_of_window(const Cells<Row>& in, Runs<Row>& out) {
  using Window = TsTetrisWindow<Row>;
  typename Window::Lanes mine, theirs;
  copy(mine, in.mine);
  copy(theirs, in.theirs);
  auto cells = ~typename Window::Lanes{};  // what was there goes, if there is a run
  const bool any = Window::find_runs(cells, mine, theirs);
  out = {};
  out.any.columns[0] = any;
  if (any) copy(out.cells, cells);
}

/// Columns without gaps, no cell of both players; the drop's three cells lie on top, and without them there is no run.
template <class Row>
bool is_after_a_drop(const Cells<Row>& in) {
  Cells<Row> before = in;
  bool out = true;
  for (int column = 0; column < columns; ++column) {
    const Row all = static_cast<Row>(in.mine.columns[column] | in.theirs.columns[column]);
    out = out && (in.mine.columns[column] & in.theirs.columns[column]) == 0 && (all & static_cast<Row>(all + 1)) == 0;
    if (column < dropped || column >= dropped + 3) continue;
    const Row top = static_cast<Row>(all ^ all >> 1);
    out = out && (in.mine.columns[column] & top) != 0;
    before.mine.columns[column] = static_cast<Row>(in.mine.columns[column] & ~top);
  }
  Runs<Row> runs;
  runs_of_both(before, runs, [](auto&& cells, int column, int row) { return is_in_a_run(cells, column, row); });
  return out && runs.any.columns[0] == 0;
}

/// The board before the drop, and the drop.
template <class Row>
std::string scenario_of(const Cells<Row>& in) {
  std::string board;
  for (int row = rows<Row> - 1; row >= 0; --row) {
    for (int column = 0; column < columns; ++column) {
      const Row all = static_cast<Row>(in.mine.columns[column] | in.theirs.columns[column]);
      const bool is_new = column >= dropped && column < dropped + 3 && (all >> row) == 1;
      board += is_new ? '.' : cells_of(in.mine)(column, row) ? '1' : cells_of(in.theirs)(column, row) ? '2' : '.';
    }
    board += '\n';
  }
  return "lockstep 1 ts_tetris\nwidth " + std::to_string(columns) + "\nheight " + std::to_string(rows<Row>) +
         "\nto_move 1\nscore_1 0\nscore_2 0\nboard\n" + board + "actions\ndrop column=" + std::to_string(dropped) +
         "\n";
}

/// Dense boards of few players have runs.
template <class Row>
void draw_cells(Draws& draws, Cells<Row>& in) {
  const std::uint64_t mine = 1 + draws.below(8);
  for (int column = 0; column < columns; ++column) {
    const int height = static_cast<int>(draws.below(static_cast<std::uint64_t>(rows<Row>) + 1));
    for (int row = 0; row < height; ++row) set(draws.below(8) < mine ? in.mine : in.theirs, column, row);
  }
}

/// Cells of both players, and those that vanish.
struct Falling {
  Cells<std::uint16_t> cells;
  Plane<std::uint16_t> doomed;
};
struct Fallen {
  Cells<std::uint16_t> cells;
  Plane<std::uint16_t> vanished;       // how many of each column, and counted_before
  Plane<std::uint16_t> vanished_mine;  // how many of them were mine, and counted_before
  Plane<std::uint16_t> staying;        // the rows below the lowest cell that vanishes; all rows if none does
};
constexpr std::uint16_t counted_before = 1'000;

/// Part of a board: the window, and four columns on both sides and four rows below. Above, there is nothing.
constexpr int wide = columns + 2 * (run - 1);
constexpr int tall = 16 + run - 1;
struct Surroundings {
  std::uint32_t columns[wide];
  std::uint32_t on_ground;           // 1: row 0 of the window is the board's, below it is nothing
  std::uint16_t changed[::columns];  // inner cells of the window: each run of the board has one of them
};
struct Found {
  std::uint32_t columns[wide];
  std::uint32_t any;
};

bool is_changed(const Surroundings& in, int column, int row) {
  const int c = column - (run - 1);
  const int r = row - (run - 1);
  return c >= 0 && c < columns && r >= 0 && (in.changed[c] >> r & 1) != 0;
}

/// A word of each player, and which of their cells vanish.
struct Squeezing {
  std::uint64_t cells[2];
  std::uint64_t doomed;
};
struct Squeezed {
  std::uint64_t cells[2];
  std::uint64_t doomed;
  std::uint64_t gone;
};
constexpr int bits = 64;

/// Three columns of a board, and where a drop's cells land.
constexpr int layers = (TsTetris::side_max + bits - 1) / bits;
struct Dropping {
  std::uint64_t cells[2][layers][3];  // by player, layer and column
  std::uint32_t left[2];
  std::uint8_t heights[3];
  std::uint8_t height;  // of the board
  std::uint32_t player;
};
struct Dropped {
  std::uint64_t cells[2][layers][3];
  std::uint32_t left[2];
  std::uint8_t heights[3];
  std::uint8_t legal;
  std::uint8_t lowest, highest;  // rows in which a cell lands
  std::uint16_t astray;          // 1: something else changed
};

/// Where three cells lie in a window.
struct Landing {
  std::uint32_t rows[3];
  std::uint32_t base;  // the lowest row of the window
};

/// A column of two words, in each of which the lowest cells may vanish.
constexpr int words = 2;
struct Column {
  std::uint64_t cells[2][words];
  std::uint64_t doomed[words];
};
struct Erased {
  std::uint64_t cells[2][words];
  std::uint32_t vanished[2];
  std::uint32_t gone;
  std::uint32_t astray;  // 1: something else changed, or a cell is still doomed
};

/// The planes of a board: columns of so many words each. What a claim does not set holds `other`, which the kernel must
/// leave as it is. Above the board there is nothing.
template <int width, int height_in_words>
class Planes {
 public:
  static constexpr std::size_t stride = BitPlanesTsTetris::margin + width + BitPlanesTsTetris::margin_right;

  /// (The board is another object: one memory of addresses and numbers, with an index that the input decides, is not
  /// covered.)
  explicit Planes(BitPlanesTsTetris& board) {
    point(board.planes_[0], planes_[0]);
    point(board.planes_[1], planes_[1]);
    point(board.doomed_, doomed_);
    point(board.heights_, heights_);
    board.stride_ = stride;
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t player = 0; player < 2; ++player) planes_[player][i] = other(i, player);
      doomed_[i] = other(i, 2);
    }
    for (std::uint8_t& height : heights_) height = other_height;
  }
  std::uint64_t& word(int player, int layer, int column) { return planes_[player][at(layer, column)]; }
  std::uint64_t& doomed(int layer, int column) { return doomed_[at(layer, column)]; }
  std::uint8_t& height_of(int column) { return heights_[at(0, column)]; }
  /// Each reads a value, and puts back what was there before the claim set it.
  std::uint64_t take_word(int player, int layer, int column) {
    return std::exchange(word(player, layer, column), other(at(layer, column), static_cast<std::size_t>(player)));
  }
  std::uint64_t take_doomed(int layer, int column) {
    return std::exchange(doomed(layer, column), other(at(layer, column), 2));
  }
  std::uint8_t take_height(int column) { return std::exchange(height_of(column), other_height); }

  /// Whether all else is as it was.
  bool as_before() const {
    std::uint64_t changed = 0;
    for (std::size_t i = 0; i < size; ++i) {
      changed |= (planes_[0][i] ^ other(i, 0)) | (planes_[1][i] ^ other(i, 1)) | (doomed_[i] ^ other(i, 2));
    }
    for (const std::uint8_t height : heights_) changed |= static_cast<std::uint64_t>(height ^ other_height);
    return changed == 0;
  }

 private:
  static std::size_t at(int layer, int column) {
    return static_cast<std::size_t>(layer) * stride + BitPlanesTsTetris::margin + static_cast<std::size_t>(column);
  }
  template <class T, std::size_t size>
  static void point(std::vector<T>& to, T (&at)[size]) {
    new (&to) std::vector<T>;
    to._M_impl._M_start = at;
    to._M_impl._M_finish = to._M_impl._M_end_of_storage = at + size;
  }

  static constexpr std::size_t size = (height_in_words + 1) * stride;  // with a layer of zeros above
  static constexpr std::uint8_t other_height = 77;
  /// Of the first player, of the second, and of doomed cells.
  static constexpr std::uint64_t other(std::size_t i, std::size_t plane) {
    constexpr std::uint64_t of[] = {0x5a5a5a5a5a5a5a5a, 0xa5a5a5a5a5a5a5a5, 0xf0f0f0f0f0f0f0f0};
    return i < height_in_words * stride ? of[plane] : 0;
  }
  std::uint64_t planes_[2][size];
  std::uint64_t doomed_[size];
  std::uint8_t heights_[stride];
};

/// (A function for each player: the prover cannot load a pointer from either of two places.)
template <int mover>
[[gnu::noinline]] void drop_of(const Dropping& in, Dropped& out) {
  constexpr int first = 1;  // the drop's first column
  Unmade<BitPlanesTsTetris> unmade;
  BitPlanesTsTetris& board = unmade.it;
  Planes<first + 3, layers> planes{board};
  board.height_ = in.height;
  board.to_move_ = mover + 1;
  for (int player = 0; player < 2; ++player) {
    board.left_[static_cast<std::size_t>(player)] = static_cast<std::int32_t>(in.left[player]);
    for (int layer = 0; layer < layers; ++layer) {
      for (int column = 0; column < 3; ++column)
        planes.word(player, layer, first + column) = in.cells[player][layer][column];
    }
  }
  for (int column = 0; column < 3; ++column) planes.height_of(first + column) = in.heights[column];
  const auto landing = board.landing(first);
  out.legal = landing.highest != board.height_;
  if (out.legal != 0) board.place(landing);
  for (int player = 0; player < 2; ++player) {
    out.left[player] = static_cast<std::uint32_t>(board.left_[static_cast<std::size_t>(player)]);
    for (int layer = 0; layer < layers; ++layer) {
      for (int column = 0; column < 3; ++column)
        out.cells[player][layer][column] = planes.take_word(player, layer, first + column);
    }
  }
  for (int column = 0; column < 3; ++column) out.heights[column] = planes.take_height(first + column);
  out.lowest = static_cast<std::uint8_t>(landing.lowest);
  out.highest = static_cast<std::uint8_t>(landing.highest);
  out.astray = planes.as_before() ? 0 : 1;
}

void tell_rows(const Dropping& in, Dropped& out) {
  out.lowest = out.highest = in.heights[0];
  for (const std::uint8_t height : in.heights) {
    if (height < out.lowest) out.lowest = height;
    if (height > out.highest) out.highest = height;
  }
}

template <class Row>
void three_cells(const Landing& in, Plane<Row>& out) {
  auto cells = ~typename TsTetrisWindow<Row>::Lanes{};  // what was there goes
  std::array<int, 3> at;
  for (std::size_t i = 0; i < 3; ++i) at[i] = static_cast<int>(in.rows[i]);
  TsTetrisWindow<Row>::three_cells(cells, at, static_cast<int>(in.base));
  copy(out, cells);
}
template <class Row>
void set_three_cells(const Landing& in, Plane<Row>& out) {
  out = {};
  for (int i = 0; i < 3; ++i) {
    for (int row = 0; row < rows<Row>; ++row) {
      if (in.rows[i] - in.base == static_cast<std::uint32_t>(row)) set(out, 6 + i, row);
    }
  }
}
template <class Row>
bool is_in_window(const Landing& in) {
  bool out = in.base < TsTetris::side_max;
  for (const std::uint32_t row : in.rows) {
    out = out && row >= in.base && row < TsTetris::side_max && row - in.base < static_cast<std::uint32_t>(rows<Row>);
  }
  return out;
}
template <class Row>
void draw_landing(Draws& draws, Landing& in) {
  in.base = static_cast<std::uint32_t>(draws.below(TsTetris::side_max - rows<Row>));
  for (std::uint32_t& row : in.rows) row = in.base + static_cast<std::uint32_t>(draws.below(rows<Row>));
}

}  // namespace

extern "C" {

bool ts_tetris_any_squeezing(const Squeezing& in) { return in.doomed != 0; }

void ts_tetris_bit_planes_remove_run(const Squeezing& in, Squeezed& out) {
  std::array<std::uint64_t, 2> cells = {in.cells[0], in.cells[1]};
  std::uint64_t doomed = in.doomed;
  out.gone = static_cast<std::uint64_t>(BitPlanesTsTetris::remove_run(cells, doomed));
  out.cells[0] = cells[0];
  out.cells[1] = cells[1];
  out.doomed = doomed;
}

void ts_tetris_lowest_run_goes(const Squeezing& in, Squeezed& out) {
  out = {};
  bool begun = false;
  bool ended = false;
  bool stays[bits];  // below the run
  for (int row = 0; row < bits; ++row) {
    const bool doomed = (in.doomed >> row & 1) != 0;
    begun = begun || doomed;
    ended = ended || (begun && !doomed);
    stays[row] = !begun;
    if (begun && !ended) ++out.gone;
  }
  const auto removed = [&](std::uint64_t word) {
    std::uint64_t result = 0;
    for (int row = 0; row < bits; ++row) {
      bool cell = stays[row] && (word >> row & 1) != 0;
      for (int length = 1; row + length < bits; ++length) {
        if (!stays[row] && out.gone == static_cast<std::uint64_t>(length)) cell = (word >> (row + length) & 1) != 0;
      }
      if (cell) result |= std::uint64_t{1} << row;
    }
    return result;
  };
  out.cells[0] = removed(in.cells[0]);
  out.cells[1] = removed(in.cells[1]);
  out.doomed = removed(in.doomed);
}

bool ts_tetris_any_cells_16(const Cells<std::uint16_t>&) { return true; }
bool ts_tetris_any_cells_32(const Cells<std::uint32_t>&) { return true; }
bool ts_tetris_after_a_drop_16(const Cells<std::uint16_t>& in) { return is_after_a_drop(in); }
bool ts_tetris_after_a_drop_32(const Cells<std::uint32_t>& in) { return is_after_a_drop(in); }

void ts_tetris_window_runs_16(const Cells<std::uint16_t>& in, Runs<std::uint16_t>& out) { runs_of_window(in, out); }
void ts_tetris_window_runs_32(const Cells<std::uint32_t>& in, Runs<std::uint32_t>& out) { runs_of_window(in, out); }

void ts_tetris_runs_16(const Cells<std::uint16_t>& in, Runs<std::uint16_t>& out) {
  runs_of_both(in, out, [](auto&& cells, int column, int row) { return is_in_a_run(cells, column, row); });
}
void ts_tetris_runs_32(const Cells<std::uint32_t>& in, Runs<std::uint32_t>& out) {
  runs_of_both(in, out, [](auto&& cells, int column, int row) { return is_in_a_run(cells, column, row); });
}

bool ts_tetris_any_falling(const Falling& in) {
  bool out = true;
  for (int column = 0; column < columns; ++column) {
    out = out && (in.cells.mine.columns[column] & in.cells.theirs.columns[column]) == 0;
  }
  return out;
}

void ts_tetris_window_gravity(const Falling& in, Fallen& out) {
  using Window = TsTetrisWindow<std::uint16_t>;
  Window::Lanes mine, theirs, doomed;
  copy(mine, in.cells.mine);
  copy(theirs, in.cells.theirs);
  copy(doomed, in.doomed);
  const auto before = Window::Lanes{} + counted_before;
  Window::Vanished vanished{.of_lane = before, .mine_of_lane = before};
  auto staying = ~Window::Lanes{};  // what was there goes
  Window::close_all(mine, theirs, doomed, vanished, staying);
  copy(out.cells.mine, mine);
  copy(out.cells.theirs, theirs);
  copy(out.vanished, vanished.of_lane);
  copy(out.vanished_mine, vanished.mine_of_lane);
  copy(out.staying, staying);
}

/// The lowest cell that vanishes goes, and the cells above it move down by one; until none is left.
void ts_tetris_cells_fall(const Falling& in, Fallen& out) {
  constexpr int height = rows<std::uint16_t>;
  out = {};
  for (int column = 0; column < columns; ++column) {
    bool mine[height + 1] = {};
    bool theirs[height + 1] = {};
    bool doomed[height + 1] = {};
    for (int row = 0; row < height; ++row) {
      mine[row] = cells_of(in.cells.mine)(column, row);
      theirs[row] = cells_of(in.cells.theirs)(column, row);
      doomed[row] = cells_of(in.doomed)(column, row);
    }
    out.vanished.columns[column] = out.vanished_mine.columns[column] = counted_before;
    bool stays = true;
    for (int row = 0; row < height; ++row) {
      stays = stays && !doomed[row];
      if (stays) set(out.staying, column, row);
    }
    for (int round = 0; round < height; ++round) {
      bool gone = false;  // the lowest one is in this row or below
      for (int row = 0; row < height; ++row) {
        if (!gone && doomed[row]) {
          gone = true;
          ++out.vanished.columns[column];
          if (mine[row]) ++out.vanished_mine.columns[column];
        }
        if (!gone) continue;
        mine[row] = mine[row + 1];
        theirs[row] = theirs[row + 1];
        doomed[row] = doomed[row + 1];
      }
    }
    for (int row = 0; row < height; ++row) {
      if (mine[row]) set(out.cells.mine, column, row);
      if (theirs[row]) set(out.cells.theirs, column, row);
    }
  }
}

/// Every run of five has a changed cell; changed cells are inner ones.
bool ts_tetris_runs_are_changed(const Surroundings& in) {
  const auto cells = cells_of(in.columns, wide, tall);
  bool out = in.on_ground <= 1;
  for (int column = 0; column < wide; ++column) {
    out = out && in.columns[column] >> tall == 0;
    if (in.on_ground == 1) out = out && (in.columns[column] & ((1u << (run - 1)) - 1)) == 0;
  }
  for (int column = 0; column < columns; ++column) {
    const bool inner = column >= run - 1 && column < columns - (run - 1);
    const std::uint16_t low = in.on_ground == 1 ? 0 : (1 << (run - 1)) - 1;
    out = out && (inner ? (in.changed[column] & low) == 0 : in.changed[column] == 0);
  }
  for (int column = 0; column < wide; ++column) {
    for (int row = 0; row < tall; ++row) {
      const auto meets = [&](int right, int up) {
        bool has_one = false;
        for (int i = 0; i < run; ++i) has_one = has_one || is_changed(in, column + i * right, row + i * up);
        return has_one || !is_run(cells, column, row, right, up);
      };
      out = out && meets(0, 1) && meets(1, 0) && meets(1, 1) && meets(1, -1);
    }
  }
  return out;
}

/// What the window finds, at its place on the board.
void ts_tetris_window_locality(const Surroundings& in, Found& out) {
  using Window = TsTetrisWindow<std::uint16_t>;
  Plane<std::uint16_t> part;
  for (int column = 0; column < columns; ++column) {
    part.columns[column] = static_cast<std::uint16_t>(in.columns[column + run - 1] >> (run - 1));
  }
  Window::Lanes cells;
  copy(cells, part);
  auto found = ~Window::Lanes{};  // what was there goes, if there is a run
  out = {};
  out.any = Window::find_runs(found, cells);
  if (out.any == 0) return;
  copy(part, found);
  for (int column = 0; column < columns; ++column) {
    out.columns[column + run - 1] = std::uint32_t{part.columns[column]} << (run - 1);
  }
}

void ts_tetris_runs_of_the_board(const Surroundings& in, Found& out) {
  out = {};
  for (int column = 0; column < wide; ++column) {
    for (int row = 0; row < tall; ++row) {
      if (!is_in_a_run(cells_of(in.columns, wide, tall), column, row)) continue;
      out.columns[column] |= std::uint32_t{1} << row;
      out.any = 1;
    }
  }
}

bool ts_tetris_any_dropping(const Dropping& in) {
  bool out = in.height >= 1 && in.height <= TsTetris::side_max && in.player <= 1;
  for (const std::uint32_t left : in.left) out = out && left <= TsTetris::side_max * TsTetris::side_max;
  for (const std::uint8_t height : in.heights) out = out && height <= in.height;
  return out;
}

void ts_tetris_bit_planes_drop(const Dropping& in, Dropped& out) {
  if (in.player == 0) drop_of<0>(in, out);
  else drop_of<1>(in, out);
}

/// Each cell lands on its column, unless one of the three is full.
void ts_tetris_cells_land(const Dropping& in, Dropped& out) {
  std::memcpy(&out, &in, sizeof out);
  out.legal = 1;
  for (const std::uint8_t height : in.heights) out.legal = height == in.height ? 0 : out.legal;
  tell_rows(in, out);
  out.astray = 0;
  if (out.legal == 0) return;
  for (int column = 0; column < 3; ++column) {
    for (int row = 0; row < TsTetris::side_max; ++row) {
      if (in.heights[column] != row) continue;
      for (std::uint32_t player = 0; player < 2; ++player) {
        if (player == in.player) out.cells[player][row / bits][column] |= std::uint64_t{1} << row % bits;
      }
    }
    ++out.heights[column];
  }
  for (std::uint32_t player = 0; player < 2; ++player) out.left[player] += player == in.player ? 3 : 0;
}

bool ts_tetris_in_window_16(const Landing& in) { return is_in_window<std::uint16_t>(in); }
bool ts_tetris_in_window_32(const Landing& in) { return is_in_window<std::uint32_t>(in); }
void ts_tetris_window_three_cells_16(const Landing& in, Plane<std::uint16_t>& out) { three_cells(in, out); }
void ts_tetris_window_three_cells_32(const Landing& in, Plane<std::uint32_t>& out) { three_cells(in, out); }
void ts_tetris_three_cells_16(const Landing& in, Plane<std::uint16_t>& out) { set_three_cells(in, out); }
void ts_tetris_three_cells_32(const Landing& in, Plane<std::uint32_t>& out) { set_three_cells(in, out); }

bool ts_tetris_any_column(const Column& in) {
  bool out = true;
  for (int word = 0; word < words; ++word) {
    const std::uint64_t doomed = in.doomed[word];
    out = out && (doomed & (doomed + 1)) == 0 && (in.cells[0][word] & in.cells[1][word]) == 0 &&
          (doomed & ~(in.cells[0][word] | in.cells[1][word])) == 0;
  }
  return out;
}

void ts_tetris_bit_planes_erase_column(const Column& in, Erased& out) {
  constexpr int column = 1;
  constexpr int lowest = 1;  // layer
  Unmade<BitPlanesTsTetris> unmade;
  Planes<column + 1, lowest + words> planes{unmade.it};
  for (int word = 0; word < words; ++word) {
    for (int player = 0; player < 2; ++player) planes.word(player, lowest + word, column) = in.cells[player][word];
    planes.doomed(lowest + word, column) = in.doomed[word];
  }
  planes.doomed(0, column) = 0;
  constexpr std::array<std::int32_t, 2> before = {10'000, 20'000};
  std::array<std::int32_t, 2> vanished = before;
  out.gone = static_cast<std::uint32_t>(unmade.it.erase_column(column, lowest, lowest + words, vanished));
  for (std::size_t player = 0; player < 2; ++player) {
    for (int word = 0; word < words; ++word) {
      out.cells[player][word] = planes.take_word(static_cast<int>(player), lowest + word, column);
    }
    out.vanished[player] = static_cast<std::uint32_t>(vanished[player] - before[player]);
  }
  std::uint64_t still_doomed = 0;
  for (int layer = 0; layer < lowest + words; ++layer) still_doomed |= planes.take_doomed(layer, column);
  out.astray = still_doomed == 0 && planes.as_before() ? 0 : 1;
}

/// Word by word, the upper one first: its lowest cells vanish, and all above them fall. (The first player's are counted as
/// the others: counted by themselves, the solver does not prove two sums of the same bits equal in minutes.)
void ts_tetris_column_falls(const Column& in, Erased& out) {
  constexpr int height = words * bits;
  out = {};
  bool cells[2][height + bits] = {};
  for (int row = 0; row < height; ++row) {
    for (int player = 0; player < 2; ++player)
      cells[player][row] = (in.cells[player][row / bits] >> row % bits & 1) != 0;
  }
  for (int word = words - 1; word >= 0; --word) {
    const auto vanishes = [&](int bit) { return bit < bits && (in.doomed[word] >> bit & 1) != 0; };
    for (int row = word * bits; row < height; ++row) {
      for (auto& of : cells) {
        bool falls = of[row];
        for (int length = 1; length <= bits; ++length) {
          if (vanishes(length - 1) && !vanishes(length)) falls = of[row + length];
        }
        of[row] = falls;
      }
    }
    for (int length = 1; length <= bits; ++length) {
      if (vanishes(length - 1) && !vanishes(length)) out.gone += static_cast<std::uint32_t>(length);
    }
    out.vanished[1] += static_cast<std::uint32_t>(std::popcount(in.cells[1][word] & in.doomed[word]));
  }
  out.vanished[0] = out.gone - out.vanished[1];
  for (int row = 0; row < height; ++row) {
    for (int player = 0; player < 2; ++player) {
      if (cells[player][row]) out.cells[player][row / bits] |= std::uint64_t{1} << row % bits;
    }
  }
}

}  // extern "C"

const bool window_runs_16 =
    claim<Cells<std::uint16_t>, Runs<std::uint16_t>>({.game = "ts_tetris",
                                                      .name = "window.runs_16",
                                                      .says = "the runs in a window of 16 rows: any cells",
                                                      .kernel = LOCKSTEP_SYMBOL(ts_tetris_window_runs_16),
                                                      .specification = LOCKSTEP_SYMBOL(ts_tetris_runs_16),
                                                      .invariant = LOCKSTEP_SYMBOL(ts_tetris_any_cells_16),
                                                      .draw = draw_cells<std::uint16_t>,
                                                      .lawful = LOCKSTEP_SYMBOL(ts_tetris_after_a_drop_16),
                                                      .scenario = scenario_of<std::uint16_t>});

const bool window_runs_32 =
    claim<Cells<std::uint32_t>, Runs<std::uint32_t>>({.game = "ts_tetris",
                                                      .name = "window.runs_32",
                                                      .says = "the runs in a window of 32 rows: any cells",
                                                      .kernel = LOCKSTEP_SYMBOL(ts_tetris_window_runs_32),
                                                      .specification = LOCKSTEP_SYMBOL(ts_tetris_runs_32),
                                                      .invariant = LOCKSTEP_SYMBOL(ts_tetris_any_cells_32),
                                                      .draw = draw_cells<std::uint32_t>,
                                                      .lawful = LOCKSTEP_SYMBOL(ts_tetris_after_a_drop_32),
                                                      .scenario = scenario_of<std::uint32_t>,
                                                      .quick = false});

const bool window_gravity =
    claim<Falling, Fallen>({.game = "ts_tetris",
                            .name = "window.gravity",
                            .says = "cells vanish and are counted, those above fall: any cells in 16 rows",
                            .kernel = LOCKSTEP_SYMBOL(ts_tetris_window_gravity),
                            .specification = LOCKSTEP_SYMBOL(ts_tetris_cells_fall),
                            .invariant = LOCKSTEP_SYMBOL(ts_tetris_any_falling),
                            .draw =
                                [](Draws& draws, Falling& in) {
                                  draw_cells(draws, in.cells);
                                  for (std::uint16_t& column : in.doomed.columns)
                                    column = static_cast<std::uint16_t>(draws() & draws());
                                },
                            .rounds = rows<std::uint16_t>,
                            .quick = false});

const bool window_locality = claim<Surroundings, Found>(
    {.game = "ts_tetris",
     .name = "window.locality",
     .says = "if all runs of a board have an inner cell of the window that changed, the window finds them all",
     .kernel = LOCKSTEP_SYMBOL(ts_tetris_window_locality),
     .specification = LOCKSTEP_SYMBOL(ts_tetris_runs_of_the_board),
     .invariant = LOCKSTEP_SYMBOL(ts_tetris_runs_are_changed),
     .draw = [](Draws& draws, Surroundings& in) {
       in.on_ground = static_cast<std::uint32_t>(draws.below(2));
       const int low = in.on_ground == 1 ? run - 1 : 0;
       const std::uint64_t full = 2 + draws.below(4);
       for (int column = 0; column < wide; ++column) {
         for (int row = low; row < tall; ++row) {
           if (draws.below(16) < full) in.columns[column] |= std::uint32_t{1} << row;
         }
       }
       for (int column = run - 1; column < columns - (run - 1); ++column) {
         in.changed[column] = static_cast<std::uint16_t>(low != 0 ? 0xffff : 0xfff0);
       }
     }});

const bool bit_planes_remove_run =
    claim<Squeezing, Squeezed>({.game = "ts_tetris",
                                .name = "bit_planes.remove_run",
                                .says = "the lowest run of doomed cells goes, those above it fall: any words",
                                .kernel = LOCKSTEP_SYMBOL(ts_tetris_bit_planes_remove_run),
                                .specification = LOCKSTEP_SYMBOL(ts_tetris_lowest_run_goes),
                                .invariant = LOCKSTEP_SYMBOL(ts_tetris_any_squeezing),
                                .draw =
                                    [](Draws& draws, Squeezing& in) {
                                      for (std::uint64_t& word : in.cells) word = draws();
                                      in.doomed = draws() & draws();
                                      for (std::uint64_t longer = draws.below(8); longer > 0; --longer)
                                        in.doomed |= in.doomed << 1;
                                      in.doomed <<= draws.below(bits);
                                      if (in.doomed == 0) in.doomed = ~std::uint64_t{0};
                                    },
                                .quick = false});

const bool bit_planes_drop = claim<Dropping, Dropped>(
    {.game = "ts_tetris",
     .name = "bit_planes.drop",
     .says = "three cells land on their columns, or none if one is full: any heights up to 200",
     .kernel = LOCKSTEP_SYMBOL(ts_tetris_bit_planes_drop),
     .specification = LOCKSTEP_SYMBOL(ts_tetris_cells_land),
     .invariant = LOCKSTEP_SYMBOL(ts_tetris_any_dropping),
     .draw =
         [](Draws& draws, Dropping& in) {
           for (auto& player : in.cells) {
             for (auto& layer : player) {
               for (std::uint64_t& word : layer) word = draws();
             }
           }
           in.player = static_cast<std::uint32_t>(draws.below(2));
           in.height = static_cast<std::uint8_t>(1 + draws.below(TsTetris::side_max));
           for (std::uint8_t& height : in.heights) height = static_cast<std::uint8_t>(draws.below(in.height + 1u));
         },
     .rounds = TsTetris::side_max,
     .quick = false});

#define THREE_CELLS(ROWS)                                                                                     \
  claim<Landing, Plane<std::uint##ROWS##_t>>({.game = "ts_tetris",                                            \
                                              .name = "window.three_cells_" #ROWS,                            \
                                              .says = "a drop's cells in a window of " #ROWS " rows",         \
                                              .kernel = LOCKSTEP_SYMBOL(ts_tetris_window_three_cells_##ROWS), \
                                              .specification = LOCKSTEP_SYMBOL(ts_tetris_three_cells_##ROWS), \
                                              .invariant = LOCKSTEP_SYMBOL(ts_tetris_in_window_##ROWS),       \
                                              .draw = draw_landing<std::uint##ROWS##_t>})
const bool window_three_cells_16 = THREE_CELLS(16);
const bool window_three_cells_32 = THREE_CELLS(32);

const bool bit_planes_erase_column =
    claim<Column, Erased>({.game = "ts_tetris",
                           .name = "bit_planes.erase_column",
                           .says = "cells of a column vanish and those above fall: two words, the lowest cells of each",
                           .kernel = LOCKSTEP_SYMBOL(ts_tetris_bit_planes_erase_column),
                           .specification = LOCKSTEP_SYMBOL(ts_tetris_column_falls),
                           .invariant = LOCKSTEP_SYMBOL(ts_tetris_any_column),
                           .draw =
                               [](Draws& draws, Column& in) {
                                 for (int word = 0; word < words; ++word) {
                                   in.cells[0][word] = draws();
                                   in.cells[1][word] = ~in.cells[0][word];
                                   const std::uint64_t length = draws.below(bits + 1);
                                   in.doomed[word] =
                                       length == bits ? ~std::uint64_t{0} : (std::uint64_t{1} << length) - 1;
                                 }
                               },
                           .quick = false,
                           .covers_only = "words in which the lowest cells are doomed",
                           .dead_ways = words});  // squeezing takes one round
