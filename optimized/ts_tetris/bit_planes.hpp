// TS Tetris on two bit-planes, one per player, in portable C++. The cost of a turn depends on the number of cells that
// change, not on the size of the board.
//
// Bits: a word holds 64 rows of one column, the lowest row in bit 0, so that falling is a shift to the right. The
// words of rows 0 … 63 form layer 0, those of rows 64 … 127 layer 1, and so on. Inside a layer the columns are
// adjacent, so that a loop over neighbouring columns reads memory in order. Row 0 is the *bottom* row here. Eight
// columns of zeros on the left of the board, fifteen on its right and one layer of zeros above it replace bounds
// checks when neighbours are read, eight or sixteen columns at a time.
//
//       layer 1   0 … 0 | . . . . . | 0 0 0 0 …
//       layer 0   0 … 0 | . . . . . | 0 0 0 0 …    plane[layer · stride + 8 + column]
//
// Where runs can appear. A position between turns holds no run. So
//   - after a drop or a change, every run is the mover's and contains a new cell;
//   - after a vanish, every run contains a cell that has just fallen: a run of cells that all stayed
//     where they were existed before, and would have vanished with the others. Both players' cells fall.
// A run of five that contains a cell of a box lies wholly inside the box grown by four on each side. Only this region
// is searched; if no cell fell, none is.
//
// The box is the three cells of a drop or the flipped region. A vanish can widen it by four columns a side, since only
// columns that hold doomed cells fall. Usually the box is small and the columns around it have similar heights, so
// that a window of sixteen columns (window.hpp) contains everything that can change: then the turn is played to its
// end in a few registers. Where it does not fit, `doom` marks runs in a third plane and `erase` processes column by
// column.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "games/ts_tetris/game.hpp"
#include "lockstep/system/registry.hpp"
#include "optimized/ts_tetris/window.hpp"

namespace lockstep::optimized {

class BitPlanesTsTetris {
 public:
  explicit BitPlanesTsTetris(const TsTetris::Setup& setup)
      : width_{setup.width},
        height_{setup.height},
        stride_{margin + index(setup.width) + margin_right},
        to_move_{setup.to_move},
        scores_{setup.score_1, setup.score_2},
        heights_(stride_) {
    const std::size_t layers = index(height_ - 1) / 64 + 2;
    for (auto* plane : {&planes_[0], &planes_[1], &doomed_, &pending_}) plane->resize(layers * stride_);
    for (int row = 0; row < height_; ++row) {
      for (int column = 0; column < width_; ++column) {
        const std::uint8_t player = setup.board.at(height_ - 1 - row, column);
        if (player != 0) place(row, column, player - 1u);
      }
    }
  }

  TsTetris::Observation step(const TsTetris::Action& action) { return play(action); }

  TsTetris::Snapshot snapshot() const {
    TsTetris::Snapshot out{width_, height_, to_move_, scores_[0], scores_[1], Grid{height_, width_}};
    for (int row = 0; row < height_; ++row) {
      for (int column = 0; column < width_; ++column) {
        const std::size_t word = at(row / 64, column);
        const std::uint64_t cell = (planes_[0][word] >> (row % 64) & 1) | (planes_[1][word] >> (row % 64) & 1) << 1;
        out.board.at(height_ - 1 - row, column) = static_cast<std::uint8_t>(cell);
      }
    }
    return out;
  }

 protected:
  /// One step, inlined with all that it needs, so that it is compiled for the registers of the caller
  /// (wide_planes.hpp).
  [[gnu::always_inline]] TsTetris::Observation play(const TsTetris::Action& action) {
    TsTetris::Observation turn{.says = TsTetris::Says::turn};
    Changed changed;
    if (const auto* asked = std::get_if<TsTetris::Drop>(&action)) {
      const Landing to = landing(asked->column);
      if (to.highest == height_) return {.says = TsTetris::Says::illegal};
      changed = drop(to, turn);
    } else if (const auto* change = std::get_if<TsTetris::Change>(&action)) {
      changed = {flip(change->column)};
    } else {
      return standing();
    }
    while (!changed.box.empty()) changed = {search(changed, turn), true};
    end(turn);
    return turn;
  }

 private:
  using Word = std::uint64_t;
  using Plane = std::vector<Word>;
  using Box = TsTetrisBox;

  static constexpr int lanes = 8;                             // columns that are searched at a time
  static constexpr int run_reach = TsTetris::run_min - 1;     // from one end of a run of five to the other
  static constexpr std::size_t margin = 2 * run_reach;        // a window may start seven columns left of the board
  static constexpr std::size_t margin_right = 2 * lanes - 1;  // a tile may start four columns right of the board
  static constexpr int layers_max = 4;

  /// A set of columns that can change while it is walked in either direction.
  class Columns {
   public:
    [[gnu::always_inline]] bool empty() const { return (words_[0] | words_[1] | words_[2] | words_[3]) == 0; }
    /// Bit i of the mask, of sixteen, adds column + i.
    [[gnu::always_inline]] void add(int column, Word mask) {
      words_[index(column / 64)] |= mask << (column % 64);
      if (column % 64 > 48) words_[index(column / 64) + 1] |= mask >> (64 - column % 64);
    }
    /// Removes all columns from left to right, and calls the function for each.
    [[gnu::always_inline]] void take_all(auto&& visit) {
      for (int word = 0; word < 4; ++word) {
        for (Word left = std::exchange(words_[index(word)], 0); left != 0; left &= left - 1) {
          visit(word * 64 + std::countr_zero(left));
        }
      }
    }
    [[gnu::always_inline]] void add(int column) { words_[index(column / 64)] |= Word{1} << (column % 64); }

    /// Removes and returns the first column at or after the given one; −1 when there is none.
    [[gnu::always_inline]] int take_from(int column) {
      Word mask = ~Word{0} << (column % 64);
      for (int word = column / 64; word < 4; ++word, mask = ~Word{0}) {
        if (const Word found = words_[index(word)] & mask; found != 0) return take(word, std::countr_zero(found));
      }
      return -1;
    }
    /// Removes and returns the last column before the given one; −1 when there is none.
    [[gnu::always_inline]] int take_before(int column) {
      Word mask = (Word{1} << (column % 64)) - 1;
      for (int word = column / 64; word >= 0; --word, mask = ~Word{0}) {
        if (const Word found = words_[index(word)] & mask; found != 0) return take(word, 63 - std::countl_zero(found));
      }
      return -1;
    }

   private:
    [[gnu::always_inline]] int take(int word, int bit) {
      words_[index(word)] &= ~(Word{1} << bit);
      return word * 64 + bit;
    }
    std::array<Word, 4> words_{};
  };

  static constexpr std::size_t index(int i) { return static_cast<std::size_t>(i); }
  std::size_t at(int layer, int column) const { return index(layer) * stride_ + margin + index(column); }
  std::size_t mover() const { return index(to_move_ - 1); }

  void place(int row, int column, std::size_t player) {
    planes_[player][at(row / 64, column)] |= Word{1} << (row % 64);
    ++heights_[margin + index(column)];
    ++left_[player];
  }

  // Turns ---------------------------------------------------------------------------------------

  /// Where runs may have appeared: the mover's among new cells, or both players' among fallen cells.
  struct Changed {
    Box box;
    bool of_both = false;
  };

  /// The landing rows of the three cells of a drop.
  struct Landing {
    int column;
    std::array<int, 3> rows;
    int lowest;
    int highest;
  };

  [[gnu::always_inline]] Landing landing(int column) const {
    const std::uint8_t* const heights = &heights_[margin + index(column)];
    const std::array<int, 3> rows = {heights[0], heights[1], heights[2]};
    return {column, rows, std::min({rows[0], rows[1], rows[2]}), std::max({rows[0], rows[1], rows[2]})};
  }

  void place(const Landing& landing) {
    for (int i = 0; i < 3; ++i) place(landing.rows[index(i)], landing.column + i, mover());
  }

  [[gnu::always_inline]] Changed drop(const Landing& landing, TsTetris::Observation& turn) {
    if (fits<std::uint16_t>(landing)) return {drop_into_window<std::uint16_t>(landing, turn), true};
    if (fits<std::uint32_t>(landing)) return {drop_into_window<std::uint32_t>(landing, turn), true};
    place(landing);
    return {{landing.column, landing.column + 2, landing.lowest, landing.highest}};
  }

  /// Removes the runs through these cells, with gravity. Returns the cells that have fallen and still have to be
  /// searched.
  [[gnu::always_inline]] Box search(const Changed& changed, TsTetris::Observation& turn) {
    if (fits<std::uint16_t>(changed.box)) return search_window<std::uint16_t>(changed, turn);
    if (fits<std::uint32_t>(changed.box)) return search_window<std::uint32_t>(changed, turn);
    return search_planes(changed, turn);
  }

  [[gnu::always_inline]] void end(TsTetris::Observation& turn) {
    for (std::size_t player = 0; player < 2; ++player) left_[player] -= turn.vanished[player];
    turn.points = turn.vanished[mover()];
    scores_[mover()] = std::min(scores_[mover()] + turn.points, TsTetris::score_max);
    to_move_ = 3 - to_move_;
  }

  TsTetris::Observation standing() const {
    TsTetris::Observation out{.says = TsTetris::Says::standing};
    out.winner = static_cast<std::int8_t>(scores_[0] > scores_[1] ? 1 : scores_[0] < scores_[1] ? 2 : 0);
    out.scores = scores_;
    out.left = left_;
    return out;
  }

  // In a window ---------------------------------------------------------------------------------

  template <class Row>
  using Window = TsTetrisWindow<Row>;

  /// The lowest row in which a run through a cell of this row can start.
  static int base_below(int row) { return std::max(row - run_reach, 0); }

  /// Whether a window round this column, with this row as its lowest, contains everything above that row in its
  /// columns.
  template <class Row>
  [[gnu::always_inline]] bool fits(int middle, int base) const {
    TsTetrisWindows::Bytes heights;
    std::memcpy(&heights, &heights_[first_of_window(middle)], sizeof heights);
    const auto too_high = heights > static_cast<std::uint8_t>(base + Window<Row>::rows);
    const auto words = std::bit_cast<std::array<Word, 2>>(too_high);
    return (words[0] | words[1]) == 0;
  }
  template <class Row>
  [[gnu::always_inline]] bool fits(const Landing& landing) const {
    const int base = base_below(landing.lowest);
    return landing.highest < base + Window<Row>::rows && fits<Row>(landing.column + 1, base);
  }
  template <class Row>
  [[gnu::always_inline]] bool fits(const Box& box) const {
    return box.right - box.left < TsTetrisWindows::inner_columns && fits<Row>(middle_of(box), base_below(box.bottom));
  }

  /// For a box as wide as the inner part of a window, this is also the middle of the window.
  static int middle_of(const Box& box) { return (box.left + box.right) / 2; }
  static std::size_t first_of_window(int middle) { return margin + index(middle) - TsTetrisWindows::middle; }
  template <class Row>
  TsTetrisWindows::Place window_at(int middle, int base) const {
    const std::size_t lower = index(base / 64) * stride_ + first_of_window(middle);
    return {lower, lower + stride_, base % 64};
  }

  template <class Row>
  [[gnu::always_inline]] Box drop_into_window(const Landing& landing, TsTetris::Observation& turn) {
    const int middle = landing.column + 1;
    const int base = base_below(landing.lowest);
    const auto at = window_at<Row>(middle, base);
    typename Window<Row>::Lanes mine, theirs, doomed, dropped;
    Window<Row>::load(mine, planes_[mover()].data(), at);
    Window<Row>::three_cells(dropped, landing.rows, base);
    mine |= dropped;
    if (!Window<Row>::find_runs(doomed, mine)) {
      place(landing);
      return {};
    }
    Window<Row>::load(theirs, planes_[1 - mover()].data(), at);
    const Box fallen = play_window<Row>(mine, theirs, doomed, middle, base, turn);
    for (std::size_t i = 0; i < 3; ++i) ++heights_[margin + index(landing.column) + i];
    left_[mover()] += 3;
    return fallen;
  }

  template <class Row>
  [[gnu::always_inline]] Box search_window(const Changed& changed, TsTetris::Observation& turn) {
    const int middle = middle_of(changed.box);
    const int base = base_below(changed.box.bottom);
    const auto at = window_at<Row>(middle, base);
    typename Window<Row>::Lanes mine, theirs, doomed;
    Window<Row>::load(mine, planes_[mover()].data(), at);
    Window<Row>::load(theirs, planes_[1 - mover()].data(), at);
    const bool runs =
        changed.of_both ? Window<Row>::find_runs(doomed, mine, theirs) : Window<Row>::find_runs(doomed, mine);
    return runs ? play_window<Row>(mine, theirs, doomed, middle, base, turn) : Box{};
  }

  template <class Row>
  [[gnu::always_inline]] Box play_window(typename Window<Row>::Lanes& mine, typename Window<Row>::Lanes& theirs,
                                         typename Window<Row>::Lanes& doomed, int middle, int base,
                                         TsTetris::Observation& turn) {
    typename Window<Row>::Vanished vanished;
    typename Window<Row>::Lanes fallen;
    Window<Row>::play_on(mine, theirs, doomed, base == 0, vanished, fallen);
    const auto at = window_at<Row>(middle, base);
    Window<Row>::store(mine, planes_[mover()].data(), at);
    Window<Row>::store(theirs, planes_[1 - mover()].data(), at);
    Window<Row>::lower(&heights_[first_of_window(middle)], vanished.of_lane);
    const int gone_of_mine = Window<Row>::sum(vanished.mine_of_lane);
    turn.vanished[mover()] += gone_of_mine;
    turn.vanished[1 - mover()] += Window<Row>::sum(vanished.of_lane) - gone_of_mine;
    return Window<Row>::box_of(fallen, middle - TsTetrisWindows::middle, base);
  }

  // Anywhere ------------------------------------------------------------------------------------

  [[gnu::always_inline]] Box search_planes(const Changed& changed, TsTetris::Observation& turn) {
    const bool of_mine = doom(mover(), changed.box);
    const bool of_theirs = changed.of_both && doom(1 - mover(), changed.box);  // both players' runs vanish together
    return of_mine || of_theirs ? erase(changed.box, turn.vanished) : Box{};
  }

  /// Marks every run of the player that contains a cell of the box; returns whether there was one.
  ///
  /// Rows are searched through windows of 64 that overlap by four, so that every run lies in one of them. Usually the
  /// box grown by four rows lies in one layer, and the window is that layer. Columns are searched eight at a time.
  [[gnu::always_inline]] bool doom(std::size_t player, const Box& box) {
    const int first = base_below(box.bottom);
    const int last = box.top + run_reach;
    bool any = false;
    const auto search = [&] [[gnu::always_inline]] (int base, auto... crossing) {
      for (int left = box.left; left <= box.right + run_reach; left += lanes) {
        any |= doom_tile(planes_[player], left, base, crossing...);
      }
    };
    if (first / 64 == last / 64) {
      search(first / 64 * 64);
    } else {
      for (int base = first; base <= box.top; base += 64 - run_reach) search(base, true);
    }
    return any;
  }

  /// Eight neighbouring columns, or information about the runs that start there: one vector register on AVX-512, two
  /// or four on others.
  using Lanes = Word __attribute__((vector_size(lanes * sizeof(Word))));

  // (By reference: how a wide vector is passed by value depends on the processor that the caller is compiled for.)
  [[gnu::always_inline]] static void load(Lanes& x, const Plane& plane, std::size_t from) {
    std::memcpy(&x, std::span{plane}.subspan(from).first<lanes>().data(), sizeof x);
  }
  [[gnu::always_inline]] static void add(Plane& plane, std::size_t from, const Lanes& x) {
    Lanes sum;
    load(sum, plane, from);
    sum |= x;
    std::memcpy(&plane[from], &sum, sizeof sum);
  }
  [[gnu::always_inline]] static Word together(const Lanes& x) {
    const auto word = std::bit_cast<std::array<Word, lanes>>(x);
    return ((word[0] | word[1]) | (word[2] | word[3])) | ((word[4] | word[5]) | (word[6] | word[7]));
  }

  /// The part of `doom` for runs with their leftmost column among the eight from `left` − 4 on, in rows base … base +
  /// 63. `crossing`: these rows span two layers.
  [[gnu::always_inline]] bool doom_tile(const Plane& plane, int left, int base, bool crossing = false) {
    const std::size_t from = at(base / 64, left - run_reach);
    const int shift = base % 64;

    // Lane i of x0 is column left − 4 + i, its bit 0 row `base`; x8 holds the next eight columns.
    Lanes x0, x8;
    load(x0, plane, from);
    load(x8, plane, from + lanes);
    if (crossing) {
      Lanes upper0, upper8;
      load(upper0, plane, from + stride_);
      load(upper8, plane, from + stride_ + lanes);
      x0 = x0 >> shift | upper0 << 1 << (63 - shift);
      x8 = x8 >> shift | upper8 << 1 << (63 - shift);
    }
    const Lanes x1 = __builtin_shufflevector(x0, x8, 1, 2, 3, 4, 5, 6, 7, 8);
    const Lanes x2 = __builtin_shufflevector(x0, x8, 2, 3, 4, 5, 6, 7, 8, 9);
    const Lanes x3 = __builtin_shufflevector(x0, x8, 3, 4, 5, 6, 7, 8, 9, 10);
    const Lanes x4 = __builtin_shufflevector(x0, x8, 4, 5, 6, 7, 8, 9, 10, 11);

    TsTetrisRuns<Word, lanes> runs;
    Lanes all;
    runs.find(x0, x1, x2, x3, x4);
    runs.together(all);
    if (together(all) == 0) return false;

    Lanes d0, d1, d2, d3, d4;
    runs.spread(d0, d1, d2, d3, d4);
    const Lanes none{};
    const Lanes here = d0 | __builtin_shufflevector(none, d1, 0, 8, 9, 10, 11, 12, 13, 14) |
                       __builtin_shufflevector(none, d2, 0, 1, 8, 9, 10, 11, 12, 13) |
                       __builtin_shufflevector(none, d3, 0, 1, 2, 8, 9, 10, 11, 12) |
                       __builtin_shufflevector(none, d4, 0, 1, 2, 3, 8, 9, 10, 11);
    const Lanes behind = __builtin_shufflevector(d1, none, 7, 8, 8, 8, 8, 8, 8, 8) |
                         __builtin_shufflevector(d2, none, 6, 7, 8, 8, 8, 8, 8, 8) |
                         __builtin_shufflevector(d3, none, 5, 6, 7, 8, 8, 8, 8, 8) |
                         __builtin_shufflevector(d4, none, 4, 5, 6, 7, 8, 8, 8, 8);
    mark(from, here << shift, behind << shift);
    if (crossing) mark(from + stride_, here >> 1 >> (63 - shift), behind >> 1 >> (63 - shift));
    return true;
  }

  /// Dooms cells in sixteen columns of a layer, starting at a word.
  [[gnu::always_inline]] void mark(std::size_t from, const Lanes& here, const Lanes& behind) {
    add(doomed_, from, here);
    add(doomed_, from + lanes, behind);
    constexpr Lanes bit = {1, 2, 4, 8, 16, 32, 64, 128};
    const Lanes columns = ((here != 0) & bit) | ((behind != 0) & (bit << lanes));
    doomed_columns_.add(static_cast<int>(from % stride_), together(columns));
  }

  // Gravity -------------------------------------------------------------------------------------

  /// Removes the doomed cells from the board; returns the cells that fell.
  [[gnu::always_inline]] Box erase(const Box& box, std::array<std::int32_t, 2>& vanished) {
    Box fallen;
    const int bottom = base_below(box.bottom) / 64;
    const std::size_t first = index(bottom) * stride_;
    doomed_columns_.take_all([&] [[gnu::always_inline]] (int shifted) {
      const int column = shifted - static_cast<int>(margin);
      std::uint8_t& height = heights_[index(shifted)];
      int layer = bottom;
      std::size_t word = first + index(shifted);
      for (; doomed_[word] == 0; word += stride_) ++layer;
      const int lowest = 64 * layer + std::countr_zero(doomed_[word]);
      if (height <= 64 * (layer + 1)) {  // most columns end in the layer in which they are searched
        height = static_cast<std::uint8_t>(height - erase_word(word, vanished));
      } else {
        height = static_cast<std::uint8_t>(height - erase_column(column, layer, (height + 63) / 64, vanished));
      }
      if (height > lowest) fallen.include(column, lowest, height - 1);
    });
    return fallen;
  }

  /// Removes the doomed cells from a word above which the column is empty. Returns how many vanished.
  [[gnu::always_inline]] int erase_word(std::size_t word, std::array<std::int32_t, 2>& vanished) {
    const Word doomed = std::exchange(doomed_[word], 0);
    std::array<Word, 2> cells = {planes_[0][word], planes_[1][word]};
    const int gone_2 = std::popcount(cells[1] & doomed);
    const int gone = squeeze(cells, doomed);
    planes_[0][word] = cells[0];
    planes_[1][word] = cells[1];
    vanished[0] += gone - gone_2;
    vanished[1] += gone_2;
    return gone;
  }

  /// Layer by layer: takes the word out, squeezes the doomed bits out of it, and puts the rest back lower by the
  /// number of cells that vanished below. Returns how many cells vanished.
  [[gnu::always_inline]] int erase_column(int column, int layer, int top, std::array<std::int32_t, 2>& vanished) {
    int gone = 0;
    int gone_2 = 0;
    for (; layer < top; ++layer) {
      const std::size_t word = at(layer, column);
      const Word doomed = std::exchange(doomed_[word], 0);
      gone_2 += std::popcount(planes_[1][word] & doomed);
      const int lands = layer * 64 - gone;  // the new row of the word's bit 0
      const std::size_t lower = at(lands / 64, column);
      const int shift = lands % 64;
      std::array<Word, 2> kept = {std::exchange(planes_[0][word], 0), std::exchange(planes_[1][word], 0)};
      gone += squeeze(kept, doomed);
      for (std::size_t player = 0; player < 2; ++player) {
        planes_[player][lower] |= kept[player] << shift;
        if (shift != 0) planes_[player][lower + stride_] = kept[player] >> (64 - shift);
      }
    }
    vanished[0] += gone - gone_2;
    vanished[1] += gone_2;
    return gone;
  }

  /// Removes the doomed bits of `cells` and moves the others together; returns how many were removed. Most words hold
  /// one run of doomed bits.
  [[gnu::always_inline]] static int squeeze(std::array<Word, 2>& cells, Word doomed) {
    int gone = 0;
    while (doomed != 0) gone += remove_run(cells, doomed);
    return gone;
  }
  /// Removes the lowest run of doomed bits, and returns its length: bits below it stay, bits above it move down by it.
  [[gnu::always_inline]] static int remove_run(std::array<Word, 2>& cells, Word& doomed) {
    const Word below = (doomed & -doomed) - 1;
    const int length = std::countr_one(doomed >> std::countr_zero(doomed));
    // Two shifts, since the run may fill the word.
    for (Word& word : cells) word = (word & below) | (word >> (length - 1) >> 1 & ~below);
    doomed = doomed >> (length - 1) >> 1 & ~below;
    return length;
  }

  // Change --------------------------------------------------------------------------------------

  /// Flips the opponent's region at the bottom of the column; returns the flipped cells.
  ///
  /// `pending_` holds the cells that the flood fill has reached but not flipped, `waiting` their columns. One visit of
  /// a column flips all vertical runs of one word that hold such a cell, and marks the neighbours that they touch as
  /// pending. The columns are visited like the floors of a building by a lift, to the right and back to the left: a
  /// region without turns takes two or three sweeps, and every further visit flips at least one more run.
  [[gnu::always_inline]] Box flip(int column) {
    Box flipped;
    std::array<Columns, layers_max> waiting;
    reach(0, column, 1, waiting[0]);
    for (int layer = 0; layer < layers_max;) {
      Columns& here = waiting[index(layer)];
      if (here.empty()) {
        ++layer;
        continue;
      }
      bool below = false;
      const auto visit = [&] [[gnu::always_inline]] (int at_column) {
        const Word run = flip_runs(layer, at_column, flipped);
        reach(layer, at_column - 1, run, here);
        reach(layer, at_column + 1, run, here);
        if (run >> 63 != 0) reach(layer + 1, at_column, 1, waiting[index(layer) + 1]);
        if ((run & 1) != 0 && layer > 0) {
          reach(layer - 1, at_column, Word{1} << 63, waiting[index(layer) - 1]);
          below = true;
        }
      };
      for (int c = here.take_from(0); c >= 0; c = here.take_from(c + 1)) visit(c);
      for (int c = here.take_before(width_); c >= 0; c = here.take_before(c)) visit(c);
      if (below) --layer;
    }
    return flipped;
  }

  /// Marks the given cells of a word as pending, those that are the opponent's.
  [[gnu::always_inline]] void reach(int layer, int column, Word cells, Columns& waiting) {
    const std::size_t word = at(layer, column);
    cells &= planes_[1 - mover()][word];
    if (cells == 0) return;
    pending_[word] |= cells;
    waiting.add(column);
  }

  /// Flips the vertical runs of a word that hold a pending cell. Three steps fill a run from any of its cells, because
  /// a run of five would have vanished.
  [[gnu::always_inline]] Word flip_runs(int layer, int column, Box& flipped) {
    const std::size_t word = at(layer, column);
    Word& mine = planes_[mover()][word];
    Word& theirs = planes_[1 - mover()][word];
    Word run = std::exchange(pending_[word], 0);
    for (int i = 0; i < 3; ++i) run |= theirs & (run << 1 | run >> 1);
    mine |= run;
    theirs &= ~run;
    const int count = std::popcount(run);
    left_[mover()] += count;
    left_[1 - mover()] -= count;
    flipped.include(column, 0, layer * 64 + 63 - std::countl_zero(run));  // the region reaches the ground
    return run;
  }

  int width_;
  int height_;
  std::size_t stride_;  // words a layer
  int to_move_;
  std::array<std::int32_t, 2> scores_;
  std::array<std::int32_t, 2> left_{};
  std::array<Plane, 2> planes_;
  Plane doomed_;                       // all 0 between turns
  Plane pending_;                      // all 0 between turns
  Columns doomed_columns_;             // shifted by the margin; empty between turns
  std::vector<std::uint8_t> heights_;  // of column c at margin + c; 0 beside the board
};

static_assert(Implementation<BitPlanesTsTetris, TsTetris>);
inline const auto ts_tetris_bit_planes = register_implementation<BitPlanesTsTetris, TsTetris>(
    "bit_planes", Kind::optimized, "two bit-planes, columns as bits; looks only where a cell changed");

}  // namespace lockstep::optimized
