// Block game: tetrominoes have fixed positions on a square board; a block is removed when two black squares dropped
// from above complete its rectangle. Defines the types only; the rules are in the simulators.
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
#include <span>
#include <string_view>
#include <variant>

#include "lockstep/describe/describe.hpp"

namespace lockstep {

struct BlockGame {
  static constexpr std::string_view name = "block_game";

  static constexpr int size_min = 2;
  static constexpr int size_max = 50;
  static constexpr int judge_size_min = 4;
  static constexpr int blocks_max = 200;  // the numbers are 1 … blocks_max
  static constexpr int shapes = 12;       // numbered 1 … shapes
  static constexpr Alphabet cells = Alphabet::numbers(blocks_max);

  /// A position; also the setup of a run.
  struct Setup {
    int size = size_min;
    Grid board{size_min, size_min};
    bool operator==(const Setup&) const = default;
  };
  using Snapshot = Setup;

  /// Places a block with the top-left corner of its rectangle at row and column, and the smallest number that is not
  /// on the board. Illegal outside the board, over a block, and as the 201st block.
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
    std::int16_t number = 0;   // placed: the number of the block
    std::int16_t removed = 0;  // cleared: the number of removed blocks
    Numbers numbers;           // cleared: the removed blocks
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
    io.flag("legal", o.says != Says::illegal);
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

  struct Laws;
  struct Features;
  struct Suggestions;
  struct ProblemFormat;
  struct Explorations;
  struct Workloads;
};
static_assert(System<BlockGame>);

}  // namespace lockstep
