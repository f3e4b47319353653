// Stacking, packed: a stack is a word of nibbles, a move is a handful of shifts and look-ups, and `play` skips whole
// periods of a game that repeats itself.
//
// While the game is running no stack is higher than three. The word of a stack holds its pieces, numbered from 1, the
// bottom one in the lowest nibble:
//
//        bits   8–11 4–7 0–3
//        word     2   7   5      piece 5 at the bottom, 7 on it, 2 on top
//
// Cell and level of every piece are stored, so nothing is searched for. The landing of a piece depends only on its
// cell and its facing, and is looked up: a move costs the same on every board. The word of a stack of four or more is
// never read: the game has ended, and the snapshot uses the cells and levels of the pieces.
#pragma once

#include <array>
#include <cstdint>

#include "games/stacking/game.hpp"
#include "lockstep/system/registry.hpp"

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
  struct Stack {
    std::uint16_t pieces;
    std::uint16_t bits;  // occupied by the pieces
  };

  /// 0 … 3 for right, left, up, down, times `cells`: the offset of its part of the landings.
  using Facing = std::uint16_t;

  /// The landing of a piece: bits 0–7 the cell, bits 8–11 all ones if the group lands upside down, bits 16–31 the new
  /// facing.
  using Landing = std::uint32_t;

  static constexpr unsigned stride = 16;  // cell = row × 16 + column: a byte
  static constexpr std::size_t cells = Stacking::size_max * stride;
  static constexpr std::size_t slots = 16;  // one per nibble; slot 0 absorbs the writes for empty nibbles

  void find_landings(const Grid& board);
  bool move(unsigned piece);
  int turn();
  int play();

  /// All that determines the rest of the game: cells and levels give the order of every stack. Cells have their own
  /// array, so that the destination of a piece depends only on its origin, not on the stack there.
  struct Standing {
    std::array<std::uint8_t, slots> cell{};   // of a piece
    std::array<std::uint8_t, slots> below{};  // the bits below it in its stack, 4 × its level
    std::array<Facing, slots> facing{};
  };
  bool stands_as(const Standing& then) const;
  void put(unsigned piece, unsigned cell, unsigned below) {
    now_.cell[piece] = static_cast<std::uint8_t>(cell);
    now_.below[piece] = static_cast<std::uint8_t>(below);
  }

  Standing now_;
  unsigned count_;
  int turn_;
  bool ended_;
  std::array<Stack, cells> stacks_{};
  std::array<Landing, 4 * cells> landings_;  // [facing + cell]; only entries for cells of the board are valid
  Grid board_;                               // for the snapshot
};
static_assert(Implementation<PackedStacks, Stacking>);

/// Moves a piece of a running game; returns whether that ended it.
///
/// Upside down. In a group of two or three, swapping the first and the last reverses it:
///
///        2 1 → 1 2        3 2 1 → 1 2 3
///
/// Alone. Usually no piece is on top of the mover. This is a separate case not for the few shifts that it saves, but
/// because the index of the written piece is then known early: the loads of the next moves need not wait until it is
/// known whether they alias the write.
///
/// Third piece. The write for it needs no test: an empty nibble is 0, which selects the unused slot 0.
///
/// Staying. A piece that is blocked both ways lands in its own cell, the right way up. The group is removed before its
/// destination is read, so it lands exactly where it was.
inline bool PackedStacks::move(unsigned piece) {
  const unsigned from = now_.cell[piece];
  const unsigned lift = now_.below[piece];
  const Landing landing = landings_[now_.facing[piece] + from];
  const unsigned to = landing & 0xffu;
  now_.facing[piece] = static_cast<Facing>(landing >> 16);

  Stack& left = stacks_[from];
  const unsigned bits = left.bits - lift;
  unsigned group = unsigned{left.pieces} >> lift;
  left = {static_cast<std::uint16_t>(left.pieces ^ group << lift), static_cast<std::uint16_t>(lift)};

  Stack& joined = stacks_[to];
  const unsigned below = joined.bits;
  if (bits == 4) {
    put(piece, to, below);
  } else {
    const unsigned last = bits - 4;
    const unsigned differs = (group ^ group >> last) & (landing >> 8 & 0xfu);
    group ^= differs ^ differs << last;
    put(group & 0xfu, to, below);
    put(group >> 4 & 0xfu, to, below + 4);
    put(group >> 8, to, below + 8);
  }
  joined = {static_cast<std::uint16_t>(joined.pieces | group << below), static_cast<std::uint16_t>(below + bits)};
  return below + bits >= 4 * Stacking::end_height;
}

inline const auto packed_stacks = register_implementation<PackedStacks, Stacking>(
    "packed_stacks", Kind::optimized, "stacks as nibbles of a word, landings looked up, cycles cut short");

}  // namespace lockstep::optimized
