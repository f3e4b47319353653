// Block game, bit-parallel: a row of the board is a word, and a clear is one sweep over the rows.
//
// Bit c of a row's word is column c (the lowest bit is the left wall). Three words a row, kept up to
// date by every action:
//
//     occupied   the cell is not empty
//     right      the cell and its right neighbour are of one block
//     below      the cell and the one below it are of one block
//
// Recognising the shapes. Only five of the twelve shapes are removable: those with gaps (x) open at the top. They
// are drawn with the bottom row r and the leftmost column c, and with the links that prove each:
//
//        o x x     x x o     x o x     o x     x o         "o o" in row r at c: right[r] at c
//        o o o     o o o     o o o     o x     x o         "o o o": right[r] at c and at c + 1
//          3         7         9       o o     o o         a column of two over c: below[r−1] at c
//                                        6       4         a column of three: below[r−2] too
//
// Each of the five is proved by three links, which tie four cells together. A block has exactly four cells, so it has
// no further links, and no block matches two shapes.
//
// Gaps. Directly below the gaps of a column is the bottom row of the block itself. So these gaps are open to the sky
// exactly when the column is empty in all rows above r:
//
//     open(r) = ~(occupied[0] | … | occupied[r−1])
//
// One sweep from the top, in which row r removes the blocks with bottom row r, is exact: no fixpoint loop is
// needed. Proof. Let D have bottom row d and one of the five shapes, and let another block B cover a cell above d in a
// gap column c of D, so that B has to go before D. If B can be removed at all, it has one of the five shapes, and in
// each of its columns its cells reach without a hole down to its bottom row b. If b ≥ d held, B would own (d, c),
// since it owns a cell above it in column c; but (d, c) belongs to D. So b < d, and the sweep has removed B, if B is
// removable at all, before it reaches row d. Conversely, every block that the sweep removes is removable at that
// moment by the rule itself. Two blocks with the same bottom row never block each other, so all blocks of a row can be
// removed at once. (It also follows that every order of removal ends in the same board: b < d decides from top to
// bottom which blocks are removable, in whatever order they are removed.)
//
// Updating open(r). Removing blocks at row r changes rows r, r−1 and r−2 only. So rows 0 … r−3 are final when the
// sweep is at r; their union is kept in one word. Once it has all columns, no gap is open any more, and the sweep ends.
//
// The sweep uses the links as they were before it started. Row r uses the link below row r − 2 only together with the
// link below row r − 1 of the same column, which ends in row r. So both belong to a block that reaches row r, and no
// row above r has removed that block.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <variant>

#include "games/block_game/game.hpp"
#include "lockstep/system/processor.hpp"
#include "lockstep/system/registry.hpp"

namespace lockstep::optimized {

/// The blocks removed at one row, each at its leftmost column, and their cells in this row, in the row above and in
/// the one above that. `Word` is one row, or the rows of several boards in lanes.
template <class Word>
struct Leaving {
  Word all, wide, bottom, middle, top;

  /// Arguments: the links of the bottom row (`pair`), the columns of two and of three linked cells that end in it, and
  /// the columns open to the sky above it. Beyond the right wall `open` is set, but `pair` never is.
  [[gnu::always_inline]] void find(const Word& pair, const Word& two, const Word& three, const Word& open) {
    const Word triple = pair & pair >> 1;
    const Word shape_3 = triple & two & (open >> 1) & (open >> 2);
    const Word shape_7 = triple & (two >> 2) & open & (open >> 1);
    const Word shape_9 = triple & (two >> 1) & open & (open >> 2);
    const Word shape_6 = pair & three & (open >> 1);
    const Word shape_4 = pair & (three >> 1) & open;
    wide = shape_3 | shape_7 | shape_9;
    all = wide | shape_6 | shape_4;
    bottom = all | all << 1 | wide << 2;
    top = shape_6 | shape_4 << 1;
    middle = top | shape_3 | shape_9 << 1 | shape_7 << 2;
  }
};

class BitRows {
 public:
  using Row = std::uint64_t;
  struct Words {
    Row occupied, right, below;
  };

  explicit BitRows(const BlockGame::Setup& setup) : size_{static_cast<unsigned>(setup.size)} {
    const std::size_t cells = setup.board.cells.size();
    std::memcpy(numbers_.data(), setup.board.cells.data(), cells);
    std::memset(numbers_.data() + cells, 0, tail);
    at_level_in_use([&](auto level) __attribute__((always_inline)) { read<decltype(level)>(); });
  }

  BlockGame::Observation step(const BlockGame::Action& action) {
    if (const auto* asked = std::get_if<BlockGame::Place>(&action)) return place(*asked);
    BlockGame::Observation answer;
    at_level_in_use([&](auto) __attribute__((always_inline)) { clear(answer); });
    return answer;
  }

  /// A row's three words.
  Words words(std::size_t row) const { return {occupied_[row + above], right_[row + above], below_[row + above]}; }

  BlockGame::Snapshot snapshot() const {
    BlockGame::Snapshot out{static_cast<int>(size_), Grid{static_cast<int>(size_), static_cast<int>(size_)}};
    for (unsigned row = 0; row < size_; ++row) {
      for (Row left = occupied_[row + above]; left != 0; left &= left - 1) {
        const std::size_t cell = index(row, static_cast<unsigned>(std::countr_zero(left)));
        out.board.cells[cell] = numbers_[cell];
      }
    }
    return out;
  }

 protected:
  static_assert(BlockGame::size_max <= 64);

  /// Row r of the board is word r + above. The words before it are empty rows, so that the sweep may read three rows
  /// up from any row.
  static constexpr unsigned above = 3;
  using Rows = std::array<Row, BlockGame::size_max + above>;

  /// Cells in row-major order, `size_` to a row, as in a Grid. Cells that are not occupied hold stale numbers. The
  /// tail allows reads of whole registers, which may end that far past the last cell.
  static constexpr std::size_t cells_max = BlockGame::size_max * BlockGame::size_max;
  static constexpr std::size_t tail = 64;

  Row columns() const { return (Row{1} << size_) - 1; }
  std::size_t index(unsigned row, unsigned column) const { return row * std::size_t{size_} + column; }

  unsigned size_;
  Rows occupied_{};
  Rows right_{};
  Rows below_{};
  std::array<Row, 4> free_{};  // numbers that are not on the board, as a Numbers set; valid once computed
  bool free_known_ = false;
  std::array<std::uint8_t, cells_max + tail> numbers_;  // initialised up to the end of the board's tail

 private:
  // Reading a board ---------------------------------------------------------------------------

  /// Fills the three words of each row. A register may extend into the next rows (or the tail): the masks remove that
  /// part. The row below the last one reads as empty, because the tail is zero. Each cell of a block is linked to another
  /// one, so the links say which cells are occupied, and two comparisons do instead of three.
  template <class Compiled>
  [[gnu::always_inline]] void read() {
    using Cells = Vector<std::uint8_t, Compiled::bytes>;
    const Row board = columns();
    const std::uint8_t* at = numbers_.data();
    Row from_above = 0;
    for (unsigned row = above; row < size_ + above; ++row, at += size_) {
      Row right = 0;
      Row below = 0;
      for (unsigned column = 0; column < BlockGame::size_max && column < size_; column += sizeof(Cells)) {
        Cells cells, next, under;
        load(cells, at + column);
        load(next, at + column + 1);
        load(under, at + column + size_);
        right |= bits_of((cells == next) & (cells != 0)) << column;
        below |= bits_of((cells == under) & (cells != 0)) << column;
      }
      right &= board >> 1;
      below &= board;
      right_[row] = right;
      below_[row] = below;
      occupied_[row] = right | right << 1 | below | from_above;
      from_above = below;
    }
  }

 protected:
  // Actions -----------------------------------------------------------------------------------

  struct Shape {
    unsigned rows;
    unsigned columns;
    std::array<Row, 3> occupied;  // the rows of the rectangle, the left column in bit 0
  };
  // clang-format off
  static constexpr std::array<Shape, BlockGame::shapes> shapes = {{
      {2, 3, {0b111, 0b100}},  {3, 2, {0b11, 0b01, 0b01}},  {2, 3, {0b001, 0b111}},  {3, 2, {0b10, 0b10, 0b11}},
      {2, 3, {0b111, 0b001}},  {3, 2, {0b01, 0b01, 0b11}},  {2, 3, {0b100, 0b111}},  {3, 2, {0b11, 0b10, 0b10}},
      {2, 3, {0b010, 0b111}},  {3, 2, {0b01, 0b11, 0b01}},  {2, 3, {0b111, 0b010}},  {3, 2, {0b10, 0b11, 0b10}},
  }};
  // clang-format on

  BlockGame::Observation place(const BlockGame::Place& asked) {
    const Shape& shape = shapes[static_cast<std::size_t>(asked.shape - 1)];
    const auto row = static_cast<unsigned>(asked.row);
    const auto column = static_cast<unsigned>(asked.column);
    if (!fits(shape, row, column)) return {};
    const unsigned number = take_smallest_free();
    if (number == 0) return {};
    put(shape, row, column);
    name(shape, row, column, static_cast<std::uint8_t>(number));
    return {.says = BlockGame::Says::placed, .number = static_cast<std::int16_t>(number), .removed = 0, .numbers = {}};
  }

  /// Whether the block lies on the board, on empty cells only.
  [[gnu::always_inline]] bool fits(const Shape& shape, unsigned row, unsigned column) const {
    if (row + shape.rows > size_ || column + shape.columns > size_) return false;
    Row hit = 0;
    for (unsigned i = 0; i < shape.rows; ++i) hit |= occupied_[row + i + above] & shape.occupied[i] << column;
    return hit == 0;
  }

  /// Adds the block to the words of its rows.
  [[gnu::always_inline]] void put(const Shape& shape, unsigned row, unsigned column) {
    for (unsigned i = 0; i < shape.rows; ++i) {
      const Row cells = shape.occupied[i];
      const Row next = i + 1 < shape.rows ? shape.occupied[i + 1] : 0;
      occupied_[row + i + above] |= cells << column;
      right_[row + i + above] |= (cells & cells >> 1) << column;
      below_[row + i + above] |= (cells & next) << column;
    }
  }

  /// Writes the block's number into its cells.
  [[gnu::always_inline]] void name(const Shape& shape, unsigned row, unsigned column, std::uint8_t number) {
    for (unsigned i = 0; i < shape.rows; ++i) {
      for (Row left = shape.occupied[i]; left != 0; left &= left - 1) {
        numbers_[index(row + i, column + static_cast<unsigned>(std::countr_zero(left)))] = number;
      }
    }
  }

  /// Removes all removable blocks from a board with these columns. For every row that loses something it calls
  /// `take(row, corners)` with the bottom-left cells. Always inlined: the caller may be compiled for wider instructions.
  [[gnu::always_inline]] void sweep(Row columns, auto&& take) {
    Row covered = 0;  // columns with a cell in rows 0 … r − 3
    Row row_1 = 0;    // occupied cells of row r − 1
    Row row_2 = 0;
    Row links_1 = 0;  // below row r − 1
    Row links_2 = 0;
    for (unsigned row = 0; row < size_ && covered != columns; ++row) {
      const unsigned r = row + above;
      const Row open = ~(covered | row_2 | row_1);
      Leaving<Row> gone;
      gone.find(right_[r], links_1, links_1 & links_2, open);
      links_2 = links_1;
      links_1 = below_[r];
      Row next = occupied_[r];
      if (gone.all != 0) {
        occupied_[r] = next = next & ~gone.bottom;
        occupied_[r - 1] = row_1 = row_1 & ~gone.middle;
        occupied_[r - 2] = row_2 = row_2 & ~gone.top;
        right_[r] &= ~(gone.all | gone.wide << 1);
        below_[r - 1] &= ~gone.middle;
        below_[r - 2] &= ~gone.top;
        take(row, gone.all);
      }
      covered |= row_2;
      row_2 = row_1;
      row_1 = next;
    }
  }

  /// Removes what can be removed. Always inlined, as `sweep` is.
  [[gnu::always_inline]] void clear(BlockGame::Observation& answer) {
    answer.says = BlockGame::Says::cleared;
    sweep(columns(), [&](unsigned row, Row corners) __attribute__((always_inline)) { note(row, corners, answer); });
    for (std::size_t word = 0; word < free_.size(); ++word) free_[word] |= answer.numbers.words[word];
  }

  /// Adds the numbers of the blocks with the given bottom-left cells.
  [[gnu::always_inline]] void note(unsigned row, Row corners, BlockGame::Observation& answer) const {
    answer.removed = static_cast<std::int16_t>(answer.removed + std::popcount(corners));
    const std::uint8_t* numbers = numbers_.data() + index(row, 0);
    for (; corners != 0; corners &= corners - 1) {
      const unsigned bit = numbers[std::countr_zero(corners)] - 1u;
      answer.numbers.words[bit / 64] |= Row{1} << (bit % 64);
    }
  }

 private:
  /// Finds the free numbers. Only a placement needs them, so a run with clears only never computes them. The last cell
  /// of a block's bottom row is linked neither to the right nor downwards, so it suffices to look at such cells.
  void count_free() {
    free_ = {~Row{0}, ~Row{0}, ~Row{0}, 0xff};
    for (unsigned row = 0; row < size_; ++row) {
      Row ends = occupied_[row + above] & ~right_[row + above] & ~below_[row + above];
      for (; ends != 0; ends &= ends - 1) {
        const unsigned number = numbers_[index(row, static_cast<unsigned>(std::countr_zero(ends)))];
        free_[(number - 1) / 64] &= ~(Row{1} << ((number - 1) % 64));
      }
    }
    free_known_ = true;
  }

  /// 0 when all numbers are on the board.
  unsigned take_smallest_free() {
    if (!free_known_) count_free();
    for (unsigned word = 0; word < free_.size(); ++word) {
      if (free_[word] == 0) continue;
      const unsigned number = 64 * word + static_cast<unsigned>(std::countr_zero(free_[word])) + 1;
      free_[word] &= free_[word] - 1;
      return number;
    }
    return 0;
  }
};
static_assert(BlockGame::blocks_max == 3 * 64 + 8);

static_assert(Implementation<BitRows, BlockGame>);
inline const auto bit_rows = register_implementation<BitRows, BlockGame>(
    "bit_rows", Kind::optimized, "rows as words, one sweep, all blocks of a row at once");

}  // namespace lockstep::optimized
