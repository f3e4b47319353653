// Block game: tetrominoes hang on a square board; a block goes when two black squares dropped from
// above complete its rectangle. This is the vocabulary only; the rules live in the simulators.
//
// Board: size × size cells, row 0 at the top, 0 empty, 1 … 200 the number of the block that covers
// the cell. Blocks do not fall. The cells of each number form exactly one of the twelve tetrominoes
// that fit a 2 × 3 or 3 × 2 rectangle, numbered as the source numbers them:
//
//      1     2     3     4     5     6     7     8     9    10    11    12
//     ###   ##    #..   .#    ###   #.    ..#   ##    .#.   #.    ###   .#
//     ..#   #.    ###   .#    #..   #.    ###   .#    ###   ##    .#.   ##
//           #.          ##          ##          .#          #.          .#
//
// Source: "블록 게임" (Kakao, Programmers); rulings in docs/rules.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lockstep/describe.hpp"
#include "lockstep/limits.hpp"
#include "lockstep/problem_format.hpp"
#include "lockstep/random.hpp"
#include "lockstep/symmetry.hpp"

namespace lockstep {

struct BlockGame {
  static constexpr std::string_view name = "block_game";

  static constexpr int size_min = 2;
  static constexpr int size_max = 50;
  static constexpr int judge_size_min = 4;
  static constexpr int blocks_max = 200;  // the numbers are 1 … blocks_max
  static constexpr int shapes = 12;       // numbered 1 … shapes
  static constexpr Alphabet cells = Alphabet::numbers(blocks_max);

  /// A position, which is also what a run starts from.
  struct Setup {
    int size = size_min;
    Grid board{size_min, size_min};
    bool operator==(const Setup&) const = default;
  };
  using Snapshot = Setup;

  /// A block appears where row and column put the top-left corner of its rectangle, with the smallest
  /// number that is not on the board. Illegal outside the board, over a block, and as the 201st.
  struct Place {
    static constexpr std::string_view name = "place";
    int shape = 1;
    int row = 0;
    int column = 0;
    bool operator==(const Place&) const = default;
  };
  /// Removable blocks are removed until none is left.
  struct Clear {
    static constexpr std::string_view name = "clear";
    bool operator==(const Clear&) const = default;
  };
  using Action = std::variant<Place, Clear>;

  enum class Says : std::uint8_t { illegal, placed, cleared };

  /// A set of block numbers: number n is bit (n − 1) mod 64 of word (n − 1) / 64.
  struct Numbers {
    std::array<std::uint64_t, 4> words{};

    constexpr bool contains(int number) const {
      const auto bit = static_cast<unsigned>(number - 1);
      return (words[bit / 64] >> (bit % 64) & 1) != 0;
    }
    bool operator==(const Numbers&) const = default;
  };

  struct Observation {
    Says says = Says::illegal;
    std::int16_t number = 0;   // placed: the block's number
    std::int16_t removed = 0;  // cleared: how many blocks
    Numbers numbers;           // cleared: and which
    bool operator==(const Observation&) const = default;
  };

  static void describe(auto& io, Setup& s) {
    io.size("size", s.size, size_min, size_max);
    io.board("board", s.board, s.size, s.size, cells);
  }
  static void describe(auto& io, const Setup& s, Place& a) {
    io.number("shape", a.shape, 1, shapes);
    io.number("row", a.row, 0, s.size - 1);
    io.number("column", a.column, 0, s.size - 1);
  }
  static void describe(auto& io, Observation& o) {
    bool legal = o.says != Says::illegal;
    io.flag("legal", legal);
    if (o.says == Says::placed) {
      io.value("number", o.number);
    } else if (o.says == Says::cleared) {
      io.value("removed", o.removed);
      std::array<std::int16_t, blocks_max> increasing{};
      std::size_t count = 0;
      for (int number = 1; number <= blocks_max; ++number) {
        if (o.numbers.contains(number)) increasing[count++] = static_cast<std::int16_t>(number);
      }
      const std::span<const std::int16_t> numbers{increasing.data(), count};
      io.values("numbers", numbers);
    }
  }

  /// The first number, in reading order, whose cells are not one of the twelve shapes.
  static std::optional<Flaw> flaw(const Setup&);
  /// A number with two or three cells, or four in a wrong form, is what is left of a block that was
  /// cut into: it goes. A number with one cell, or more than four, starts a new block at its first
  /// cell, of shape 1 + (number − 1) mod 12, or goes when there is no room. So a cell emptied deletes
  /// its block, and random cells become random blocks.
  static void normalise(Setup&);
  static std::string violation(const Setup&, const Snapshot& before, const Action&, const Observation&,
                               const Snapshot& after);

  /// The same blocks, numbered 1, 2, … in reading order of their first cells: what a position is worth
  /// to an explorer, since numbers are only names.
  static Snapshot position(Snapshot);

  static constexpr std::array<Feature, 19> features = {
      "illegal",
      "removed by a clear",
      "number placed",
      "blocks",
      "levels",
      "passes by number",
      "highest number",
      {"blocks with the one to place", blocks_max},  // 201: refused
      {"rows or columns beyond the board", 0},       // 0: the rectangle ends at the edge; 1: refused
      "cells in the way of a place",
      "size",
      {"size, up to the largest", size_max},
      {"highest number, up to the last", blocks_max},
      {"removed by a clear, up to all", blocks_max},
      {"shape placed", 8},
      {"shape removed", 8},
      "gaps closed over a block at a clear",
      "rows above what is removed",
      {"rows above what is removed, up to the most", size_max - 2}};
  static constexpr std::array<Limit, 13> limits = {{
      {"200 blocks are the most; the 201st is refused", "blocks with the one to place", blocks_max},
      {"place is illegal outside the board", "rows or columns beyond the board", 0},
      {"place is illegal over an occupied cell", "cells in the way of a place", 0, "fewer than none"},
      {"2 × 2 is the smallest board", "size", size_min, "there is no smaller board"},
      {"the judge's smallest board is 4 × 4", "size", judge_size_min},
      {"50 × 50 is the largest board", "size, up to the largest", size_max, {}, "there is no larger board"},
      {"numbers go up to 200", "highest number, up to the last", blocks_max, {}, "there is no block 201"},
      {"all 200 blocks can go at once", "removed by a clear, up to all", blocks_max, {}, "there is no block 201"},
      {"the first of twelve shapes", "shape placed", 1, "there is none before"},
      {"the last of twelve shapes", "shape placed", shapes, {}, "there is none beyond"},
      {"both gaps of a block are open", "gaps closed over a block at a clear", 0, "fewer than none"},
      {"a removed block can stand in the top row", "rows above what is removed", 0, "there is no row above"},
      {"a removed block can stand at the bottom of 50 rows",
       "rows above what is removed, up to the most",
       size_max - 2,
       {},
       "a block is two rows high at least"},
  }};
  static void observe(auto&& emit, const Action&, const Observation& o) {
    switch (o.says) {
      case Says::illegal: return emit(0, 1);
      case Says::placed: return emit(2, o.number);
      case Says::cleared: emit(1, o.removed); return emit(13, o.removed);
    }
  }
  static void survey(auto&& emit, const Snapshot& s) {
    const Depth depth = depth_of(s);
    emit(3, depth.blocks);
    emit(4, depth.levels);
    emit(5, depth.passes);
    emit(6, depth.highest);
    emit(10, s.size);
    emit(11, s.size);
    emit(12, depth.highest);
  }
  static void witness(auto&& emit, const Snapshot& before, const Action& action, const Observation& o,
                      const Snapshot&) {
    if (const auto* place = std::get_if<Place>(&action)) {
      const Placing placing = placing_of(before, *place);
      emit(8, placing.beyond);
      if (placing.beyond > 0) return;
      emit(9, placing.in_the_way);
      emit(14, place->shape);
      if (placing.in_the_way == 0) emit(7, placing.blocks);
      return;
    }
    for (const Standing& block : standing(before)) {
      emit(16, block.gaps_closed);
      if (!o.numbers.contains(block.number)) continue;
      emit(15, block.shape);
      emit(17, block.row);
      emit(18, block.row);
    }
  }

  /// How much there is to clear. A block whose gaps are open is of level 1; one that waits for blocks
  /// of level n at most is of level n + 1.
  struct Depth {
    int blocks = 0;
    int highest = 0;  // number on the board
    int levels = 0;   // of the blocks that a clear removes
    int passes = 0;   // that a clear in order of numbers makes before it finds nothing more
  };
  static Depth depth_of(const Snapshot&);
  /// What a placement meets.
  struct Placing {
    int beyond = 0;      // rows or columns of its rectangle outside the board; −n: n are left at the nearer edge
    int in_the_way = 0;  // of its four cells, those that are taken (when it is inside)
    int blocks = 0;      // on the board, with this one
  };
  static Placing placing_of(const Snapshot&, const Place&);
  /// A block on the board.
  struct Standing {
    int number, shape, row;
    int gaps_closed;  // of the rectangle's two other cells, those that are not open to the sky
  };
  static std::vector<Standing> standing(const Snapshot&);

  /// How the blocks of a drawn board are numbered.
  enum class Numbering : std::uint8_t { downward, upward, shuffled, scattered };

  /// A lawful board with `blocks` blocks, or as many of them as found room. Bit s − 1 of `shape_set`
  /// allows shape s.
  static Setup packed(Random& random, int size, int blocks, unsigned shape_set, Numbering numbering);
  static constexpr unsigned all_shapes = 0xfff;
  static constexpr unsigned open_shapes = 1u << 2 | 1u << 3 | 1u << 5 | 1u << 6 | 1u << 8;  // 3, 4, 6, 7, 9

  /// Packed boards, towers of blocks that wait for each other, boards with room for the last numbers
  /// only; a subset of the shapes, and placing in a few columns.
  class Suggestions {
   public:
    explicit Suggestions(Random& random);
    Setup setup(Random& random);
    Action action(Random& random, const Setup& setup);

   private:
    Place placement(Random& random, int size) const;
    Clear clear();

    unsigned shape_set_;
    Numbering numbering_;
    unsigned weight_place_;
    unsigned weight_clear_;
    int focus_;   // columns stay within this many of the centre; 0: anywhere
    int centre_;  // 0 … 1000, a share of the size
    /// The position that the actions drawn so far lead to, by our own rough reckoning: it keeps most
    /// placements legal. Without rows before the first action.
    Grid model_;
  };

  static std::vector<Symmetry<BlockGame>> symmetries();

  /// In: the argument of `solution(board)` as JSON, or N and then N rows. Out: how many blocks go.
  struct ProblemFormat {
    static Parsed<std::vector<ProblemCase<BlockGame>>> read(std::string_view text);
    static Parsed<std::string> print(const ProblemCase<BlockGame>&, std::span<const Observation>);
  };
};
static_assert(System<BlockGame>);

}  // namespace lockstep
