#include "optimized/stacking/packed_stacks.hpp"

#include <algorithm>

namespace lockstep::optimized {

PackedStacks::PackedStacks(const Stacking::Setup& setup)
    : count_{static_cast<unsigned>(setup.pieces.size())}, turn_{setup.turn}, ended_{setup.ended}, board_{setup.board} {
  find_landings(setup.board);
  for (unsigned i = 0; i < count_; ++i) {
    const Stacking::Piece& piece = setup.pieces[i];
    const unsigned cell = static_cast<unsigned>(piece.row) * stride + static_cast<unsigned>(piece.column);
    const unsigned below = 4 * static_cast<unsigned>(piece.level);
    put(i + 1, cell, below);
    now_.facing[i + 1] = static_cast<Facing>(static_cast<unsigned>(piece.facing - Stacking::right) * cells);
    if (ended_) continue;
    // Pieces come in any order, so each is put where its level says, and adds its own four bits to the count.
    Stack& stack = stacks_[cell];
    stack = {static_cast<std::uint16_t>(stack.pieces | (i + 1) << below), static_cast<std::uint16_t>(stack.bits + 4)};
  }
}

/// The board is framed in blue, so that its edge needs no test. A row has sixteen cells and at most twelve columns, so
/// the frame on the right of one row is also the frame on the left of the next:
///
///        B B B B B …
///        . R . . B …      a 4 × 4 board
///        . B R . B …
///        . . . . B …
///        R . . . B …
///        B B B B B …
///
/// The inner loop runs over the cells of the frame too (their results are never used) and has no branch, so that
/// compilers vectorise it.
void PackedStacks::find_landings(const Grid& board) {
  std::array<std::uint8_t, cells + 2 * stride> framed;
  framed.fill(Stacking::blue);
  for (int row = 0; row < board.rows; ++row) {
    const auto begin = board.cells.begin() + row * board.columns;
    std::copy(begin, begin + board.columns, framed.begin() + (row + 1) * static_cast<int>(stride));
  }
  constexpr std::array<int, 4> steps = {1, -1, -static_cast<int>(stride), static_cast<int>(stride)};
  const int count = board.rows * static_cast<int>(stride);
  for (int facing = 0; facing < 4; ++facing) {
    const int step = steps[static_cast<std::size_t>(facing)];
    const std::uint8_t* const ahead = framed.data() + stride + step;
    const std::uint8_t* const behind = framed.data() + stride - step;
    Landing* const landing = landings_.data() + static_cast<std::size_t>(facing) * cells;
    for (int cell = 0; cell < count; ++cell) {
      const int stops = ahead[cell] == Stacking::blue ? 1 : 0;  // and turns round
      const int stays = behind[cell] == Stacking::blue ? stops : 0;
      const int colour = stops ? behind[cell] : ahead[cell];
      const int to = cell + step * (1 - 2 * stops + stays);
      const int upside_down = colour == Stacking::red ? 0xf00 : 0;
      landing[cell] =
          static_cast<Landing>((to & 0xff) | upside_down | (facing ^ stops) * static_cast<int>(cells) << 16);
    }
  }
}

Stacking::Snapshot PackedStacks::snapshot() const {
  Stacking::Snapshot out{.size = board_.rows, .turn = turn_, .ended = ended_, .board = board_, .pieces = {}};
  for (unsigned piece = 1; piece <= count_; ++piece) {
    const int cell = now_.cell[piece];
    const int row = cell / static_cast<int>(stride);
    const int column = cell % static_cast<int>(stride);
    const int facing = static_cast<int>(now_.facing[piece] / cells);
    out.pieces.push_back({row, column, facing + Stacking::right, now_.below[piece] / 4});
  }
  return out;
}

/// Moves the pieces in order; returns the piece (from 0) that ended the game, or −1.
int PackedStacks::turn() {
  turn_ += turn_ < Stacking::turn_max ? 1 : 0;
  const unsigned count = count_;  // a local copy: byte stores cannot alias it
  for (unsigned piece = 1; piece <= count; ++piece) {
    if (!move(piece)) continue;
    ended_ = true;
    return static_cast<int>(piece) - 1;
  }
  return -1;
}

/// Plays until the end or turn 1,000; returns the turn that ended the game, or −1.
///
/// A turn depends on the standing alone. So a standing that recurs after `period` turns recurs for ever; nothing in
/// the period has ended the game, so nothing ever will. Whole periods lead back to the same standing: only (1,000 −
/// turn) mod period turns must be played to reach the state after turn 1,000.
///
/// Each standing is compared with one kept standing, which is replaced after 1, 2, 4, 8, … turns: eventually the kept
/// standing lies on the cycle and is kept for longer than a period (R. P. Brent, "An improved Monte Carlo
/// factorization algorithm", BIT 20, 1980).
int PackedStacks::play() {
  Standing kept = now_;
  int since = 0;  // turns since the kept standing
  int wait = 1;
  while (turn_ < Stacking::turns_played) {
    turn();
    if (ended_) return turn_;
    ++since;
    if (stands_as(kept)) {
      turn_ = Stacking::turns_played - (Stacking::turns_played - turn_) % since;
      while (turn_ < Stacking::turns_played) turn();
    } else if (since == wait) {
      kept = now_;
      since = 0;
      wait *= 2;
    }
  }
  return -1;
}

/// Compares one piece at a time: usually the first one differs, and a wide load would wait for the narrow stores of
/// the last moves. Slot 0 is ignored.
bool PackedStacks::stands_as(const Standing& then) const {
  for (unsigned piece = 1; piece <= count_; ++piece) {
    if (now_.cell[piece] != then.cell[piece] || now_.below[piece] != then.below[piece] ||
        now_.facing[piece] != then.facing[piece]) {
      return false;
    }
  }
  return true;
}

}  // namespace lockstep::optimized
