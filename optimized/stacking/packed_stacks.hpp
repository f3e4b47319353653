// Stacking, packed: a stack is one word of nibbles, a move is a handful of shifts without a branch,
// and a game that repeats itself is cut short.
//
// The word of a stack holds its pieces (numbered from 1) bottom first from the lowest nibble on, and
// in its high byte how many bits they take:
//
//        bits   56–63      8–11 4–7 0–3
//        word      12  0 …   2   7   5      piece 5 at the bottom, 7 on it, 2 on top
//
// While the game goes on no stack is higher than three, so a group is at most three pieces and the
// highest stack that can come about is 3 + 3; a setup that has ended may hold ten: forty bits. Every
// piece knows its cell and its level, so that nothing is searched for. Where it lands depends only on its
// cell and its facing, and is looked up: a move costs the same on every board.
#pragma once

#include <array>
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
      ended_ = move(static_cast<unsigned>(one->piece) + 1);
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

  /// Where a piece stands: bits 0–7 its cell, bits 8–15 the bits of its stack below it, 4 × its level.
  using Place = std::uint16_t;

  /// Where it goes: bits 0–7 the cell, bits 8–9 its facing then, bits 12–15 all ones if the group
  /// lands upside down.
  using Landing = std::uint16_t;

  static constexpr unsigned stride = 16;        // cell = row × 16 + column: a byte
  static constexpr unsigned level_1 = 4u << 8;  // of a Place
  static constexpr std::size_t cells = Stacking::size_max * stride;
  static constexpr std::size_t slots = 16;  // one per nibble; slot 0 takes the writes for nobody

  /// `bits` of pieces on top of `below` bits of others, as a summand of a stack's word.
  static constexpr Stack pile(Stack pieces, unsigned bits, unsigned below) {
    return pieces << below | Stack{bits} << 56;
  }

  void find_landings(const Grid& board);
  bool move(unsigned piece);
  int turn();
  int play();

  /// All that decides how the game goes on: places hold the cells and the order of every stack.
  struct Standing {
    std::array<Place, slots> place;
    std::array<std::uint8_t, slots> facing;
  };
  bool stands_as(const Standing& then) const;

  std::array<Place, slots> place_{};          // of a piece
  std::array<std::uint8_t, slots> facing_{};  // of a piece: 0 … 3 for right, left, up, down
  unsigned count_;
  int turn_;
  bool ended_;
  std::array<Stack, cells> stacks_{};
  std::array<std::array<Landing, cells>, 4> landings_;  // [facing][cell]; only the board's cells mean anything
  Grid board_;                                          // for the snapshot
};
static_assert(Simulator<PackedStacks, Stacking>);

/// Moves a piece of a game that goes on; whether that ended it.
///
/// Upside down. In a group of at most three, swapping the first and the last reverses it; in a group
/// of one they are the same and the swap changes nothing:
///
///        1 → 1        2 1 → 1 2        3 2 1 → 1 2 3
///
/// Adding. A group is taken away and added as one summand: its nibbles overlap nobody else's, and the
/// counts of bits add up.
///
/// Staying. A piece that is blocked both ways lands in its own cell, the right way up. The group is
/// taken away before its destination is read, so it lands exactly where it stood.
///
/// The three writes of places need no test: the nibbles above the group's top are 0, nobody's slot.
inline bool PackedStacks::move(unsigned piece) {
  const unsigned from = place_[piece] & 0xffu;
  const unsigned lift = place_[piece] >> 8;
  const unsigned landing = landings_[facing_[piece]][from];
  const unsigned to = landing & 0xffu;
  facing_[piece] = static_cast<std::uint8_t>(landing >> 8 & 3u);

  const Stack stack = stacks_[from];
  const unsigned bits = static_cast<unsigned>(stack >> 56) - lift;
  Stack group = (stack & 0xfffu) >> lift;
  stacks_[from] = stack - pile(group, bits, lift);

  const unsigned last = bits - 4;
  const Stack differs = (group ^ group >> last) & landing >> 12;
  group ^= differs ^ differs << last;

  const unsigned below = static_cast<unsigned>(stacks_[to] >> 56);
  stacks_[to] += pile(group, bits, below);
  const unsigned place = below << 8 | to;
  place_[group & 0xfu] = static_cast<Place>(place);
  place_[group >> 4 & 0xfu] = static_cast<Place>(place + level_1);
  place_[group >> 8 & 0xfu] = static_cast<Place>(place + 2 * level_1);
  return below + bits >= 4 * Stacking::end_height;
}

/// Moves the pieces in order; the piece (from 0) that ended the game, or −1.
inline int PackedStacks::turn() {
  turn_ += turn_ < Stacking::turn_max ? 1 : 0;
  const unsigned count = count_;  // out of reach of the writes of bytes
  for (unsigned piece = 1; piece <= count; ++piece) {
    if (!move(piece)) continue;
    ended_ = true;
    return static_cast<int>(piece) - 1;
  }
  return -1;
}

inline const auto packed_stacks = enlist<PackedStacks, Stacking>(
    "packed_stacks", Kind::optimized, "stacks as nibbles of a word, moves without branches, cycles cut short");

}  // namespace lockstep::optimized
