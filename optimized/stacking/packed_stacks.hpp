// Stacking, packed: a stack is one word of nibbles, a move is shifts and masks without a branch, and
// a game that repeats itself is cut short.
//
// The word of a stack holds its pieces (numbered from 1) bottom first, the bottom in the lowest
// nibble; 0 is "nobody", so the nibbles above the top are 0:
//
//        nibble   3 2 1 0
//        word   0x0 2 7 5     piece 5 at the bottom, 7 on it, 2 on top
//
// While the game goes on no stack is higher than three, so a group is at most three pieces, and the
// highest stack that can come about is 3 + 3. A setup that has ended may hold ten: forty bits.
// Where a piece lands depends only on its cell and its facing, so that is looked up; the cost of a move is
// the same on every board.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "games/stacking.hpp"
#include "harness/roster.hpp"

namespace lockstep::optimized {

class PackedStacks {
 public:
  explicit PackedStacks(const Stacking::Setup& setup);

  Stacking::Observation step(const Stacking::Action& action) {
    if (ended_) return {.says = Stacking::Says::illegal};
    if (const auto* one = std::get_if<Stacking::Move>(&action)) {
      ended_ = ends(move(static_cast<unsigned>(one->piece) + 1));
      return {.says = Stacking::Says::moved, .ended = ended_};
    }
    if (std::holds_alternative<Stacking::Turn>(action)) {
      const int last = turn();
      return {.says = Stacking::Says::turned, .ended = ended_, .piece = static_cast<std::int8_t>(last)};
    }
    return {.says = Stacking::Says::played, .turn = play()};
  }

  Stacking::Snapshot snapshot() const;

 private:
  using Stack = std::uint64_t;

  /// Where a piece of a cell and a facing goes: bits 0–7 the cell, bits 8–9 its facing then, bits
  /// 12–15 all ones when the group lands upside down.
  using Landing = std::uint16_t;

  static constexpr unsigned stride = 16;  // cells are row × 16 + column: the fields of a byte
  static constexpr std::size_t cells = Stacking::size_max * stride;
  static constexpr std::size_t slots = 16;  // pieces 1 … 10; nobody's slot 0 takes the writes of absent carried pieces

  static constexpr bool ends(Stack stack) { return (stack >> 4 * (Stacking::end_height - 1)) != 0; }

  /// The bits up to the top of a stack: four per piece.
  static constexpr int bits_of(Stack stack) { return static_cast<int>(std::bit_width(stack) + 3) & ~3; }

  Stack move(unsigned piece);
  int turn();
  int play();

  /// All that decides how the game goes on: the cells, the facings, the order in every stack.
  struct Standing {
    std::array<std::uint8_t, slots> cell;
    std::array<std::uint8_t, slots> facing;
    std::array<Stack, slots> stack;  // the one that the piece stands in
  };
  Standing standing() const;
  bool stands_as(const Standing& then) const;

  std::array<Stack, cells> stacks_{};
  std::array<Landing, cells * 4> landings_;   // [cell × 4 + facing]; of the board's cells only
  std::array<std::uint8_t, slots> cell_{};    // of a piece
  std::array<std::uint8_t, slots> facing_{};  // of a piece: 0 … 3 for right, left, up, down
  unsigned count_;
  int turn_;
  bool ended_;
  Grid board_;  // only for the snapshot
};
static_assert(Simulator<PackedStacks, Stacking>);

/// Moves a piece of a game that goes on; answers the stack in which it then stands.
///
/// Finding the piece. In x = stack XOR 0x111 × piece the piece's nibble, and no lower one, is zero.
/// The lowest zero nibble of x is the lowest one whose high bit is set in (x − 0x111) & ~x & 0x888:
///   a nibble from 1 to 8 loses its 1 without a borrow and stays below 8, unless it was above 8 before,
///   which ~x rules out; a zero nibble borrows and ends in 15. A borrow can falsify only nibbles above it.
/// That bit is bit 3, 7 or 11; without its low two bits its number is the shift that lifts the group.
///
/// Upside down. At most three pieces: swapping the first and the last reverses them. With one piece
/// the two are the same and the swap is none.
///
///        1 → 1        2 1 → 1 2        3 2 1 → 1 2 3
///
/// Staying. A piece that is blocked both ways lands in its own cell, the right way up. It is lifted off
/// its stack before its destination is read, so it lands exactly where it stood.
inline PackedStacks::Stack PackedStacks::move(unsigned piece) {
  constexpr Stack ones = 0x111;
  const unsigned from = cell_[piece];
  const unsigned landing = landings_[from * 4 + facing_[piece]];
  const unsigned to = landing & 0xff;
  facing_[piece] = static_cast<std::uint8_t>(landing >> 8 & 3);

  const Stack stack = stacks_[from];
  const Stack differs = stack ^ ones * piece;
  const int lift = std::countr_zero((differs - ones) & ~differs & 8 * ones) & ~3;
  Stack group = stack >> lift;
  stacks_[from] = stack ^ group << lift;

  const int last = bits_of(group) - 4;
  const Stack swap = (group ^ group >> last) & landing >> 12;
  group ^= swap ^ swap << last;

  const Stack below = stacks_[to];
  const Stack landed = below | group << bits_of(below);
  stacks_[to] = landed;
  cell_[group & 15] = cell_[group >> 4 & 15] = cell_[group >> 8 & 15] = static_cast<std::uint8_t>(to);
  return landed;
}

/// Moves the pieces in order; answers the piece (from 0) that ended the game, or −1.
inline int PackedStacks::turn() {
  ++turn_;
  for (unsigned piece = 1; piece <= count_; ++piece) {
    ended_ = ends(move(piece));
    if (ended_) return static_cast<int>(piece) - 1;
  }
  return -1;
}

inline const auto packed_stacks = enlist<PackedStacks, Stacking>(
    "packed_stacks", Kind::optimized, "stacks as nibbles of a word, moves without branches, cycles cut short");

}  // namespace lockstep::optimized
