// Block game, up to eight boards at a time: the sweep of bit_rows.hpp, with the rows of the boards in the 64-bit lanes
// of a register. All boards of a batch have one size. The boards are independent of each other, and the state that the
// sweep passes from row to row stays in registers.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "games/block_game/game.hpp"
#include "lockstep/system/processor.hpp"
#include "lockstep/system/registry.hpp"
#include "optimized/block_game/bit_rows.hpp"

namespace lockstep::optimized {

class BlockBoards {
 public:
  using Row = BitRows::Row;
  static constexpr std::size_t lanes = 8;

  BlockBoards(std::size_t count, int size)
      : rows_{static_cast<std::size_t>(size)}, stride_{(count + lanes - 1) / lanes * lanes} {
    for (auto* words : {&occupied_, &right_, &below_, &corners_}) words->resize(rows_ * stride_);
  }

  /// Loads the given board, moved down by `lower` rows.
  void set(std::size_t board, const BitRows& game, std::size_t lower = 0) {
    for (std::size_t row = 0; row < rows_; ++row) {
      const auto [occupied, right, below] = row < lower ? BitRows::Words{} : game.words(row - lower);
      occupied_[row * stride_ + board] = occupied;
      right_[row * stride_ + board] = right;
      below_[row * stride_ + board] = below;
    }
  }

  /// Counts the removable blocks of each board (the question of the original problem). The boards stay unchanged.
  void count_removable(std::span<std::uint64_t> counts) {
    at_level_in_use([&](auto level) __attribute__((always_inline)) {
      constexpr std::size_t lanes_here = level.bytes / sizeof(Row);
      for (std::size_t first = 0; first < counts.size(); first += lanes_here) {
        std::array<std::uint64_t, lanes_here> counted;
        sweep<decltype(level)>(first, counted.data());
        for (std::size_t i = 0; i < std::min(lanes_here, counts.size() - first); ++i) counts[first + i] = counted[i];
      }
    });
  }

  /// After counting: the bottom-left cells of the removed blocks.
  Row corners(std::size_t board, std::size_t row) const { return corners_[row * stride_ + board]; }

 private:
  /// What is left of the rows above the next one, and their links downward as they were.
  template <class Rows>
  struct Above {
    Rows covered{};  // columns with a cell in rows 0 … r − 3
    Rows row_1{};    // occupied cells of row r − 1
    Rows row_2{};
    Rows links_1{};  // below row r − 1
    Rows links_2{};

    /// Takes in the next row and removes the blocks that end in it; `corners` are the leftmost cells of these blocks.
    [[gnu::always_inline]] void take(const Rows& occupied, const Rows& right, const Rows& below, Rows& corners) {
      const Rows three = links_1 & links_2;
      const Rows open = ~(covered | row_2 | row_1);
      Leaving<Rows> gone;
      gone.find(right, links_1, three, open);
      covered |= row_2 & ~gone.top;
      row_2 = row_1 & ~gone.middle;
      row_1 = occupied & ~gone.bottom;
      links_2 = links_1;
      links_1 = below;
      corners = gone.all;
    }
  };

  /// Of as many boards as a register has lanes.
  template <class Compiled>
  [[gnu::always_inline]] void sweep(std::size_t first, std::uint64_t* counts) {
    using Rows = Vector<Row, Compiled::bytes>;
    Above<Rows> above;
    Rows count{};  // of each lane; below avx512vbmi, of each of its bytes
    for (std::size_t row = 0; row < rows_; ++row) {
      const std::size_t at = row * stride_ + first;
      Rows occupied, right, below, corners;
      load(occupied, &occupied_[at]);
      load(right, &right_[at]);
      load(below, &below_[at]);
      above.take(occupied, right, below, corners);
      add_bits<Compiled>(count, corners);
      store(&corners_[at], corners);
    }
    if constexpr (Compiled::level < Level::avx512vbmi) count = count * 0x0101'0101'0101'0101u >> 56;
    store(counts, count);
  }

  /// Adds the number of set bits of each byte to the byte. No two neighbouring bits are set, since a block's bottom row
  /// has two cells at least: so a row adds at most 4 to a byte, and all rows at most 200. The eight bytes of a lane
  /// together count blocks, of which a board has at most blocks_max.
  ///
  /// At the highest level an instruction counts the bits of a lane; the compiler uses it for all lanes at once.
  template <class Compiled, class Rows>
  [[gnu::always_inline]] static void add_bits(Rows& count, const Rows& bits) {
    if constexpr (Compiled::level >= Level::avx512vbmi) {
      Rows set;
      for (std::size_t i = 0; i < sizeof(Rows) / sizeof(Row); ++i) set[i] = static_cast<Row>(std::popcount(bits[i]));
      count += set;
      return;
    }
    static_assert(4 * BlockGame::size_max <= 0xff && BlockGame::blocks_max <= 0xff);
    const Rows pairs = (bits | bits >> 1) & 0x5555'5555'5555'5555u;
    const Rows fours = (pairs & 0x3333'3333'3333'3333u) + (pairs >> 2 & 0x3333'3333'3333'3333u);
    count += (fours + (fours >> 4)) & 0x0f0f'0f0f'0f0f'0f0fu;
  }

  std::size_t rows_;
  std::size_t stride_;  // boards, as many as fill registers
  std::vector<Row> occupied_, right_, below_, corners_;
};

/// Plays one game in one lane, and changes the lane at every clear. Each of the other boards is this one moved down by
/// a different number of rows.
class BatchBlockGame : public BitRows {
 public:
  explicit BatchBlockGame(const BlockGame::Setup& setup)
      : BitRows{setup}, boards_{BlockBoards::lanes + 1 + size_ % BlockBoards::lanes}, batch_{boards_, setup.size} {}

  BlockGame::Observation step(const BlockGame::Action& action) {
    if (const auto* asked = std::get_if<BlockGame::Place>(&action)) return place(*asked);
    lane_ = (lane_ + boards_ - 1) % boards_;
    for (std::size_t board = 0; board < boards_; ++board) batch_.set(board, *this, (board + boards_ - lane_) % boards_);
    std::array<std::uint64_t, 2 * BlockBoards::lanes + 1> counts;
    counts.fill(unwritten);
    batch_.count_removable(std::span{counts}.first(boards_));
    if (counts[boards_] != unwritten) return {};  // the comparison detects this
    return remove(static_cast<std::int16_t>(counts[lane_]));
  }

 private:
  /// Removes the blocks with the corners that the batch has reported.
  BlockGame::Observation remove(std::int16_t count) {
    BlockGame::Observation out;
    out.says = BlockGame::Says::cleared;
    out.removed = count;
    for (unsigned row = 0; row < size_; ++row) {
      for (Row left = batch_.corners(lane_, row); left != 0; left &= left - 1) {
        const unsigned number = numbers_[index(row, static_cast<unsigned>(std::countr_zero(left)))];
        out.numbers.words[(number - 1) / 64] |= Row{1} << ((number - 1) % 64);
      }
    }
    for (unsigned row = 0; row < size_; ++row) {
      Row gone = 0;
      for (Row left = occupied_[row + above]; left != 0; left &= left - 1) {
        if (out.numbers.contains(numbers_[index(row, static_cast<unsigned>(std::countr_zero(left)))]))
          gone |= left & -left;
      }
      occupied_[row + above] &= ~gone;
      right_[row + above] &= ~gone;
      below_[row + above] &= ~gone;
    }
    for (std::size_t word = 0; word < free_.size(); ++word) free_[word] |= out.numbers.words[word];
    return out;
  }

  static constexpr std::uint64_t unwritten = BlockGame::blocks_max + 1;

  std::size_t boards_;  // one full register and one to eight boards in a second one, depending on the size
  BlockBoards batch_;
  std::size_t lane_ = 0;  // the lane used last; the next one is the lane before it, or the last lane after the first
};

static_assert(Implementation<BatchBlockGame, BlockGame>);
inline const auto block_game_batch =
    register_batch<BatchBlockGame, BlockGame>("batch", "one of many boards in the lanes of a register");

}  // namespace lockstep::optimized
