// TS Tetris on two bit-planes, one per player, in portable C++. The cost of a turn follows the cells
// that change, not the size of the board.
//
// Bits: a word holds 64 rows of one column, the lowest row in bit 0, so that falling is a shift to
// the right. The words of rows 0 … 63 form layer 0, those of rows 64 … 127 layer 1, and so on; inside
// a layer the columns lie side by side, so that a loop over neighbouring columns reads memory in
// order. Row 0 is the *bottom* row here. Four columns of zeros stand on either side of the board and
// one layer of zeros above it: nobody who looks at a neighbour needs a test for the edge.
//
//       layer 1   0 0 0 0 | . . . . . | 0 0 0 0
//       layer 0   0 0 0 0 | . . . . . | 0 0 0 0      plane[layer · stride + 4 + column]
//
// Where runs can appear. A position between turns holds no run. So
//   - after a drop or a change, every run is the mover's and contains a new cell;
//   - after a vanish, every run contains a cell that has just fallen: a run of cells that all stayed
//     where they were existed before, and would have vanished with the others. Both players' cells fall.
// A run of five that contains a cell of a box lies wholly inside the box grown by four on each side.
// That is all that is ever searched, by `doom`, and nothing is searched when no cell has fallen.
//
// The box stays small: it starts as the three cells of a drop or as the flipped region, and a vanish
// can widen it by four columns a side, since only columns that hold doomed cells fall.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "games/ts_tetris.hpp"
#include "harness/roster.hpp"

namespace lockstep::optimized {

class BitPlanesTsTetris {
 public:
  explicit BitPlanesTsTetris(const TsTetris::Setup& setup)
      : width_{setup.width},
        height_{setup.height},
        stride_{index(setup.width) + 2 * margin},
        to_move_{setup.to_move},
        scores_{setup.score_1, setup.score_2},
        heights_(index(setup.width)) {
    const std::size_t layers = index(height_ - 1) / 64 + 2;
    for (auto* plane : {&planes_[0], &planes_[1], &doomed_, &pending_}) plane->resize(layers * stride_);
    for (int row = 0; row < height_; ++row) {
      for (int column = 0; column < width_; ++column) {
        const std::uint8_t player = setup.board.at(height_ - 1 - row, column);
        if (player != 0) place(row, column, player - 1u);
      }
    }
  }

  TsTetris::Observation step(const TsTetris::Action& action) {
    if (const auto* drop = std::get_if<TsTetris::Drop>(&action)) return play(*drop);
    if (const auto* change = std::get_if<TsTetris::Change>(&action)) return play(*change);
    return standing();
  }

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

 private:
  using Word = std::uint64_t;
  using Plane = std::vector<Word>;

  static constexpr std::size_t margin = TsTetris::run_min - 1;
  static constexpr int layers_max = 4;
  static constexpr std::size_t stride_max = TsTetris::side_max + 2 * margin;

  /// Cells from (bottom, left) to (top, right), both included; empty when left > right.
  struct Box {
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

  /// A set of columns, walked in either direction while it changes.
  class Columns {
   public:
    bool empty() const { return (words_[0] | words_[1] | words_[2] | words_[3]) == 0; }
    void add(int column) { words_[index(column / 64)] |= Word{1} << (column % 64); }

    /// Takes the first column at or after the given one out of the set; −1 when there is none.
    int take_from(int column) {
      Word mask = ~Word{0} << (column % 64);
      for (int word = column / 64; word < 4; ++word, mask = ~Word{0}) {
        if (const Word found = words_[index(word)] & mask; found != 0) return take(word, std::countr_zero(found));
      }
      return -1;
    }
    /// Takes the last column before the given one out of the set; −1 when there is none.
    int take_before(int column) {
      Word mask = (Word{1} << (column % 64)) - 1;
      for (int word = column / 64; word >= 0; --word, mask = ~Word{0}) {
        if (const Word found = words_[index(word)] & mask; found != 0) return take(word, 63 - std::countl_zero(found));
      }
      return -1;
    }

   private:
    int take(int word, int bit) {
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
    ++heights_[index(column)];
    ++left_[player];
  }

  // Turns ---------------------------------------------------------------------------------------

  TsTetris::Observation play(const TsTetris::Drop& drop) {
    const auto column = heights_.begin() + drop.column;
    const auto [lowest, highest] = std::minmax({column[0], column[1], column[2]});
    if (highest == height_) return {.says = TsTetris::Says::illegal};
    for (int i = 0; i < 3; ++i) place(column[i], drop.column + i, mover());
    return end_of_turn({drop.column, drop.column + 2, lowest, highest});
  }

  TsTetris::Observation play(const TsTetris::Change& change) { return end_of_turn(flip(change.column)); }

  /// `changed`: the mover's new cells.
  TsTetris::Observation end_of_turn(Box changed) {
    TsTetris::Observation turn{.says = TsTetris::Says::turn};
    bool runs = doom(mover(), changed);
    while (runs) {
      changed = erase(changed, turn.vanished);
      const bool first = doom(0, changed);
      const bool second = doom(1, changed);  // both, always: they vanish together
      runs = first || second;
    }
    turn.points = turn.vanished[mover()];
    scores_[mover()] = std::min(scores_[mover()] + turn.points, TsTetris::score_max);
    to_move_ = 3 - to_move_;
    return turn;
  }

  TsTetris::Observation standing() const {
    TsTetris::Observation out{.says = TsTetris::Says::standing};
    out.winner = static_cast<std::int8_t>(scores_[0] > scores_[1] ? 1 : scores_[0] < scores_[1] ? 2 : 0);
    out.scores = scores_;
    out.left = left_;
    return out;
  }

  // Runs ----------------------------------------------------------------------------------------

  /// Marks every run of the player that contains a cell of the box; true when there was one.
  /// Rows are searched through windows of 64 that overlap by four, so that every run lies in one.
  bool doom(std::size_t player, const Box& box) {
    if (box.empty()) return false;
    bool any = false;
    const int last = std::min(box.top + static_cast<int>(margin), height_ - 1);
    int base = std::max(box.bottom - static_cast<int>(margin), 0);
    do any |= doom_window(planes_[player], box, base);
    while ((base += 64 - static_cast<int>(margin)) + static_cast<int>(margin) <= last);
    return any;
  }

  /// The part of `doom` in rows base … base + 63.
  bool doom_window(const Plane& plane, const Box& box, int base) {
    const std::size_t count = index(box.right - box.left) + 1 + 2 * margin;
    const std::size_t from = index(base / 64) * stride_ + index(box.left);
    const int shift = base % 64;

    // x[i] is column box.left − 4 + i, its bit 0 row `base`.
    std::array<Word, stride_max> x;
    for (std::size_t i = 0; i < count; ++i) {
      x[i] = (plane[from + i] >> shift) | (plane[from + stride_ + i] << 1 << (63 - shift));
    }

    // A run of five is known by its lowest row and leftmost column: the AND of five columns, each
    // moved down by as many rows as the run climbs on its way there.
    //
    //     across   · · · · ·     rising           ↗     falling  ↖
    //              0 1 2 3 4              0 … 4                    0 … 4
    const std::size_t starts = count - margin;
    std::array<Word, stride_max> upright, across, rising, falling;
    Word any = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const Word two = x[i] & x[i] >> 1;
      upright[i] = two & two >> 2 & x[i] >> 4;
      any |= upright[i];
    }
    for (std::size_t i = 0; i < starts; ++i) {
      across[i] = x[i] & x[i + 1] & x[i + 2] & x[i + 3] & x[i + 4];
      rising[i] = x[i] & x[i + 1] >> 1 & x[i + 2] >> 2 & x[i + 3] >> 3 & x[i + 4] >> 4;
      falling[i] = x[i] >> 4 & x[i + 1] >> 3 & x[i + 2] >> 2 & x[i + 3] >> 1 & x[i + 4];
      any |= across[i] | rising[i] | falling[i];
    }
    if (any == 0) return false;

    // Spread back: the same moves the other way.
    std::array<Word, stride_max> doomed;
    for (std::size_t i = 0; i < count; ++i) {
      const Word two = upright[i] | upright[i] << 1;
      doomed[i] = two | two << 2 | upright[i] << 4;
    }
    for (std::size_t step = 0; step <= margin; ++step) {
      for (std::size_t i = 0; i < starts; ++i) {
        doomed[i + step] |= across[i] | rising[i] << step | falling[i] << (margin - step);
      }
    }
    for (std::size_t i = 0; i < count; ++i) {
      doomed_[from + i] |= doomed[i] << shift;
      doomed_[from + stride_ + i] |= doomed[i] >> 1 >> (63 - shift);
    }
    return true;
  }

  // Gravity -------------------------------------------------------------------------------------

  /// Takes the doomed cells of the grown box off the board; the cells that fell.
  Box erase(const Box& box, std::array<std::int32_t, 2>& vanished) {
    Box fallen;
    const int grow = static_cast<int>(margin);
    const int first = std::max(box.left - grow, 0);
    const int last = std::min(box.right + grow, width_ - 1);
    const int bottom = std::max(box.bottom - grow, 0) / 64;
    for (int column = first; column <= last; ++column) {
      const int top = (heights_[index(column)] + 63) / 64;  // one past the highest layer in use
      int layer = bottom;
      while (layer < top && doomed_[at(layer, column)] == 0) ++layer;
      if (layer == top) continue;
      const int lowest = layer * 64 + std::countr_zero(doomed_[at(layer, column)]);
      heights_[index(column)] -= erase_column(column, layer, top, vanished);
      if (heights_[index(column)] > lowest) fallen.include(column, lowest, heights_[index(column)] - 1);
    }
    return fallen;
  }

  /// Layer by layer: lift the word out, squeeze the doomed bits from it, put the rest back as many
  /// rows lower as have vanished below. Answers how many cells vanished.
  int erase_column(int column, int layer, int top, std::array<std::int32_t, 2>& vanished) {
    int gone = 0;
    for (; layer < top; ++layer) {
      const std::size_t word = at(layer, column);
      const Word doomed = std::exchange(doomed_[word], 0);
      const int lands = layer * 64 - gone;  // the row of the word's bit 0
      const std::size_t lower = at(lands / 64, column);
      const int shift = lands % 64;
      for (std::size_t player = 0; player < 2; ++player) {
        Plane& plane = planes_[player];
        const Word lifted = std::exchange(plane[word], 0);
        const int lost = std::popcount(lifted & doomed);
        vanished[player] += lost;
        left_[player] -= lost;
        const Word kept = squeeze(lifted, doomed);
        plane[lower] |= kept << shift;
        if (shift != 0) plane[lower + stride_] |= kept >> (64 - shift);
      }
      gone += std::popcount(doomed);
    }
    return gone;
  }

  /// The bits of `cells` without those in `doomed`, moved together. Each round takes one run of
  /// doomed bits out: bits below it stay, bits above it move down by its length. Most words hold one run.
  static Word squeeze(Word cells, Word doomed) {
    while (doomed != 0) {
      const Word below = (doomed & -doomed) - 1;
      const int length = std::countr_one(doomed >> std::countr_zero(doomed));
      // Two shifts, since the run may fill the word.
      cells = (cells & below) | (cells >> (length - 1) >> 1 & ~below);
      doomed = doomed >> (length - 1) >> 1 & ~below;
    }
    return cells;
  }

  // Change --------------------------------------------------------------------------------------

  /// The opponent's region at the bottom of the column becomes the mover's; the flipped cells.
  ///
  /// `pending_` holds cells that the region has reached and that wait to be flipped, `waiting` their
  /// columns. One visit flips all vertical runs of one word that hold such a cell, and passes on to
  /// the neighbours what it touches there. The columns are visited like floors by a lift, to the right
  /// and back to the left: a region without turns is done in two or three sweeps, and every further visit
  /// flips at least one run more.
  Box flip(int column) {
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
      const auto visit = [&](int at_column) {
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

  /// The given cells of a word, as far as they are the opponent's, wait to be flipped.
  void reach(int layer, int column, Word cells, Columns& waiting) {
    const std::size_t word = at(layer, column);
    cells &= planes_[1 - mover()][word];
    if (cells == 0) return;
    pending_[word] |= cells;
    waiting.add(column);
  }

  /// Flips the vertical runs of a word that hold a waiting cell. Three steps fill a run from any of
  /// its cells, because a run of five would have vanished.
  Word flip_runs(int layer, int column, Box& flipped) {
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
    flipped.include(column, layer * 64 + std::countr_zero(run), layer * 64 + 63 - std::countl_zero(run));
    return run;
  }

  int width_;
  int height_;
  std::size_t stride_;  // words a layer
  int to_move_;
  std::array<std::int32_t, 2> scores_;
  std::array<std::int32_t, 2> left_{};
  std::array<Plane, 2> planes_;
  Plane doomed_;   // all 0 between turns
  Plane pending_;  // all 0 between turns
  std::vector<int> heights_;
};

static_assert(Simulator<BitPlanesTsTetris, TsTetris>);
inline const auto ts_tetris_bit_planes = enlist<BitPlanesTsTetris, TsTetris>(
    "bit_planes", Kind::optimized, "two bit-planes, columns as bits; looks only where a cell changed");

}  // namespace lockstep::optimized
