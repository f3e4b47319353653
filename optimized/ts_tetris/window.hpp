// A window on a TS Tetris board: sixteen columns, and as many rows as `Row` has bits, held in the lanes of a vector
// for each player. Precondition: no cell of the sixteen columns lies above the window. Then gravity is a shift inside
// the window.
//
//       lanes    0 1 2 3 | 4 5 6 7 8 9 10 11 | 12 13 14 15        the column at which it is opened: lane 7
//       row 15   . . . . | . . . . . . .  .  | .  .  .  .         one bit of each lane is a row,
//         ⋮                                                       the lowest row in bit 0
//       row 4    . . . . |         inner     | .  .  .  .
//       rows 0–3 . . . . | . . . . . . .  .  | .  .  .  .         (inner as well when row 0 is the ground)
//
// A run of five that contains a cell of the *inner* part lies wholly inside the window: it extends at most four
// columns further and four rows further down, and above the window there are no cells.
//
// Everything is inlined into its caller, so that the same source serves simulators for several register widths.
// Vectors are passed by reference, because passing by value depends on that width.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

#include "games/ts_tetris/game.hpp"

namespace lockstep::optimized {

/// Cells from (bottom, left) to (top, right), both included; empty when left > right. Row 0 is the bottom row.
struct TsTetrisBox {
  int left = TsTetris::side_max;
  int right = -1;
  int bottom = TsTetris::side_max;
  int top = -1;

  bool empty() const { return left > right; }
  void include(int column, int lowest, int highest) {
    left = std::min(left, column);
    right = std::max(right, column);
    bottom = std::min(bottom, lowest);
    top = std::max(top, highest);
  }
};

/// Runs of exactly five, each identified by its lowest row and leftmost column: the AND of five columns, each moved
/// down by the number of rows that the run climbs on its way there. A longer run appears as several of them.
///
///     across   · · · · ·     rising           ↗     falling  ↖
///              0 1 2 3 4              0 … 4                    0 … 4
///
/// The lanes of a vector are neighbouring columns, the bits of a lane are rows. Windows and planes both find runs
/// here; they differ in how they read the columns to the right of their lanes, and in where they store the cells found
/// there.
template <class Row, std::size_t columns>
struct TsTetrisRuns {
  typedef Row Lanes __attribute__((vector_size(columns * sizeof(Row))));  // (g++ rejects `using` here, in a template)

  Lanes upright, across, rising, falling;

  /// x1 … x4 are the columns one to four to the right of x0.
  [[gnu::always_inline]] void find(const Lanes& x0, const Lanes& x1, const Lanes& x2, const Lanes& x3,
                                   const Lanes& x4) {
    const Lanes two = x0 & x0 >> 1;
    upright = two & two >> 2 & x0 >> 4;
    across = x0 & x1 & x2 & x3 & x4;
    rising = x0 & x1 >> 1 & x2 >> 2 & x3 >> 3 & x4 >> 4;
    falling = x0 >> 4 & x1 >> 3 & x2 >> 2 & x3 >> 1 & x4;
  }

  [[gnu::always_inline]] void together(Lanes& out) const { out = upright | across | rising | falling; }

  /// Expands runs to all their cells, with the inverse moves: d0 … d4 are the cells in the columns of x0 … x4.
  [[gnu::always_inline]] void spread(Lanes& d0, Lanes& d1, Lanes& d2, Lanes& d3, Lanes& d4) const {
    const Lanes pair = upright | upright << 1;
    d0 = pair | pair << 2 | upright << 4 | across | rising | falling << 4;
    d1 = across | rising << 1 | falling << 3;
    d2 = across | rising << 2 | falling << 2;
    d3 = across | rising << 3 | falling << 1;
    d4 = across | rising << 4 | falling;
  }
};

/// Common to windows of any number of rows.
struct TsTetrisWindows {
  static constexpr int columns = 16;
  static constexpr int middle = 7;  // the lane of the column at which a window is opened
  static constexpr int inner_columns = columns - 2 * (TsTetris::run_min - 1);

  using Word = std::uint64_t;
  using Bytes = std::uint8_t __attribute__((vector_size(columns)));

  /// The position of a window in a plane of words of 64 rows: its leftmost column is in the word at `lower`, its row 0
  /// in bit `shift` of that word, and the 64 rows above are in `upper`.
  struct Place {
    std::size_t lower;
    std::size_t upper;
    int shift;
  };
};

template <class Row>
class TsTetrisWindow : public TsTetrisWindows {
 public:
  static constexpr int rows = std::numeric_limits<Row>::digits;
  typedef Row Lanes __attribute__((vector_size(columns * sizeof(Row))));  // (g++ rejects `using` here, in a template)

  [[gnu::always_inline]] static void load(Lanes& out, const Word* plane, const Place& at) {
    Words left, right;
    std::memcpy(&left, plane + at.lower, sizeof left);
    std::memcpy(&right, plane + at.lower + half, sizeof right);
    left >>= at.shift;
    right >>= at.shift;
    if (at.shift > word_rows - rows) {
      Words above;
      std::memcpy(&above, plane + at.upper, sizeof above);
      left |= above << (word_rows - at.shift);
      std::memcpy(&above, plane + at.upper + half, sizeof above);
      right |= above << (word_rows - at.shift);
    }
    out = __builtin_shufflevector(__builtin_convertvector(left, Half), __builtin_convertvector(right, Half), 0, 1, 2, 3,
                                  4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  }

  /// Three cells, one in the middle lane and one in each neighbouring lane, at these rows of the board; its row `base`
  /// is the lowest row of the window.
  [[gnu::always_inline]] static void three_cells(Lanes& out, const std::array<int, 3>& board_rows, int base) {
    out = Lanes{};
    for (std::size_t i = 0; i < 3; ++i) out[middle - 1 + i] = static_cast<Row>(Row{1} << (board_rows[i] - base));
  }

  /// Cells in rows below the window stay; above it there are none.
  [[gnu::always_inline]] static void store(const Lanes& cells, Word* plane, const Place& at) {
    store_half(__builtin_shufflevector(cells, cells, 0, 1, 2, 3, 4, 5, 6, 7), plane, at, 0);
    store_half(__builtin_shufflevector(cells, cells, 8, 9, 10, 11, 12, 13, 14, 15), plane, at, half);
  }

  /// The cells of all runs of five or more among `cells`; returns false when there are none.
  [[gnu::always_inline]] static bool find_runs(Lanes& out, const Lanes& cells) {
    Runs runs;
    Lanes all;
    find(runs, cells);
    runs.together(all);
    if (!any(all)) return false;
    spread(out, runs);
    return true;
  }
  /// The same for either of two players.
  [[gnu::always_inline]] static bool find_runs(Lanes& out, const Lanes& one, const Lanes& other) {
    Runs first, second;
    Lanes of_first, of_second;
    find(first, one);
    find(second, other);
    first.together(of_first);
    second.together(of_second);
    if (!any(of_first | of_second)) return false;
    spread(of_first, first);
    spread(of_second, second);
    out = of_first | of_second;
    return true;
  }

  /// The number of cells that have vanished from each lane: of both players, and of `mine` alone.
  struct Vanished {
    Lanes of_lane{};
    Lanes mine_of_lane{};
  };

  /// Removes the doomed cells, lets the others fall, and repeats this as long as new runs appear and the window
  /// contains all of them. `doomed` are all cells of all runs on the board. Returns the cells that fell last, when the
  /// search for the runs that they make has to continue outside the window; none when no run is left on the board.
  /// `on_ground`: row 0 of the window is row 0 of the board.
  ///
  /// Why the early exit is correct. After each round the window equals its part of the board: all doomed cells lie in
  /// it, and so do the cells that fall on them, since its columns end in it. Each run that the board now has contains
  /// a cell that fell in this round: a run of cells that stayed existed before the round, and would have been doomed.
  ///   - All fallen cells are inner ones: a run through one of them extends at most four columns to either side, from
  ///     lanes 4 … 11 to lanes 0 … 15; at most four rows down, from row 4 to row 0, or it ends on the ground; and upwards
  ///     the columns end in the window. So the whole run lies in the window, and find_runs finds it: when that finds none,
  ///     there is none on the board.
  ///   - One of them is an outer one: a run through it may end outside, so the window cannot decide. The fallen cells are
  ///     returned instead, and the caller searches round their box, which all runs intersect.
  ///
  ///       lane     0 1 2 3 | 4 5 6 7 8 9 10 11 | 12 13 14 15
  ///       inner    ● ● ● ●   ○                                 the leftmost run through a cell ○ of lane 4: all inside
  ///       outer  ● ● ● ○ ●                                     through one of lane 2: may begin outside
  [[gnu::always_inline]] static void play_on(Lanes& mine, Lanes& theirs, Lanes& doomed, bool on_ground,
                                             Vanished& vanished, Lanes& fallen) {
    constexpr Row all = std::numeric_limits<Row>::max();
    constexpr Lanes sides = {all, all, all, all, 0, 0, 0, 0, 0, 0, 0, 0, all, all, all, all};
    const Row low = on_ground ? 0 : (1 << (TsTetris::run_min - 1)) - 1;
    const Lanes outer = sides | low;
    do {
      Lanes staying{};
      close_all(mine, theirs, doomed, vanished, staying);
      fallen = (mine | theirs) & ~staying;
      if (any(fallen & outer)) return;
    } while (find_runs(doomed, mine, theirs));
    fallen = Lanes{};
  }

  /// The box round some cells; `column` and `row` are those of bit 0 of lane 0.
  [[gnu::always_inline]] static TsTetrisBox box_of(const Lanes& cells, int column, int row) {
    TsTetrisBox box;
    for (const Row lane : std::bit_cast<std::array<Row, columns>>(cells)) {
      if (lane != 0) box.include(column, row + std::countr_zero(lane), row + rows - 1 - std::countl_zero(lane));
      ++column;
    }
    return box;
  }

  [[gnu::always_inline]] static bool any(const Lanes& x) {
    const Half halves = __builtin_shufflevector(x, x, 0, 1, 2, 3, 4, 5, 6, 7) |
                        __builtin_shufflevector(x, x, 8, 9, 10, 11, 12, 13, 14, 15);
    Word all = 0;
    for (const Word word : std::bit_cast<std::array<Word, half_words>>(halves)) all |= word;
    return all != 0;
  }

  /// Reads the count of each lane from sixteen bytes.
  [[gnu::always_inline]] static void lower(std::uint8_t* heights, const Lanes& counts) {
    Bytes bytes;
    std::memcpy(&bytes, heights, sizeof bytes);
    bytes -= __builtin_convertvector(counts, Bytes);
    std::memcpy(heights, &bytes, sizeof bytes);
  }

  /// The sum of all lanes, which is below 2^16.
  [[gnu::always_inline]] static int sum(const Lanes& x) {
    const Half halves = __builtin_shufflevector(x, x, 0, 1, 2, 3, 4, 5, 6, 7) +
                        __builtin_shufflevector(x, x, 8, 9, 10, 11, 12, 13, 14, 15);
    Word all = 0;
    for (const Word word : std::bit_cast<std::array<Word, half_words>>(halves)) all += word;
    for (int width = word_rows / 2; width >= rows; width /= 2) all += all >> width;
    return static_cast<std::uint16_t>(all);
  }

 private:
  static constexpr int word_rows = std::numeric_limits<Word>::digits;
  static constexpr std::size_t half = columns / 2;
  static constexpr std::size_t half_words = half * sizeof(Row) / sizeof(Word);
  typedef Row Half __attribute__((vector_size(half * sizeof(Row))));
  using Words = Word __attribute__((vector_size(half * sizeof(Word))));

  [[gnu::always_inline]] static void store_half(const Half& cells, Word* plane, const Place& at, std::size_t lane) {
    const Words wide = __builtin_convertvector(cells, Words);
    Words word;
    std::memcpy(&word, plane + at.lower + lane, sizeof word);
    word = (word & ((Word{1} << at.shift) - 1)) | wide << at.shift;
    std::memcpy(plane + at.lower + lane, &word, sizeof word);
    if (at.shift > word_rows - rows) {
      word = wide >> (word_rows - at.shift);
      std::memcpy(plane + at.upper + lane, &word, sizeof word);
    }
  }

  using Runs = TsTetrisRuns<Row, columns>;

  /// The columns to the right of the window are shifted in as zeros.
  [[gnu::always_inline]] static void find(Runs& runs, const Lanes& x0) {
    constexpr Lanes none{};
    runs.find(x0, __builtin_shufflevector(x0, none, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16),
              __builtin_shufflevector(x0, none, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 16),
              __builtin_shufflevector(x0, none, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 16, 16),
              __builtin_shufflevector(x0, none, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 16, 16, 16));
  }

  [[gnu::always_inline]] static void spread(Lanes& out, const Runs& runs) {
    constexpr Lanes none{};
    Lanes d0, d1, d2, d3, d4;
    runs.spread(d0, d1, d2, d3, d4);
    out = d0 | __builtin_shufflevector(d1, none, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14) |
          __builtin_shufflevector(d2, none, 16, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13) |
          __builtin_shufflevector(d3, none, 16, 16, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12) |
          __builtin_shufflevector(d4, none, 16, 16, 16, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
  }

  /// Gravity: removes all doomed cells. `staying` are the cells below the lowest of each lane.
  [[gnu::always_inline]] static void close_all(Lanes& mine, Lanes& theirs, Lanes& doomed, Vanished& vanished,
                                               Lanes& staying) {
    close_lowest(mine, theirs, doomed, vanished, staying);
    Lanes below{};
    while (any(doomed)) close_lowest(mine, theirs, doomed, vanished, below);
  }

  /// Removes the lowest doomed cell of every lane. The cells below it stay, the cells above it move down by
  /// one. In a lane without doomed cells every cell counts as below, since 0 − 1 is all ones.
  ///
  /// Planes use another algorithm (`squeeze` in bit_planes.hpp), which removes a whole stack of doomed cells at a
  /// time: it processes one column, and may branch on the number of stacks. Here sixteen columns are processed in
  /// parallel without a branch.
  [[gnu::always_inline]] static void close_lowest(Lanes& mine, Lanes& theirs, Lanes& doomed, Vanished& vanished,
                                                  Lanes& below) {
    const Lanes lowest = doomed & -doomed;
    below = lowest - 1;
    vanished.of_lane -= (Lanes)(lowest != 0);  // true is −1
    vanished.mine_of_lane -= (Lanes)((mine & lowest) != 0);
    mine = (mine & below) | (mine >> 1 & ~below);
    theirs = (theirs & below) | (theirs >> 1 & ~below);
    doomed = doomed >> 1 & ~below;
  }
};

}  // namespace lockstep::optimized
