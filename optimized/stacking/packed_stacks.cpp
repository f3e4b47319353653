#include "optimized/stacking/packed_stacks.hpp"

#include <tuple>
#include <utility>

namespace lockstep::optimized {
namespace {

constexpr unsigned reversed(unsigned facing) { return facing ^ 1; }  // right ↔ left, up ↔ down

}  // namespace

PackedStacks::PackedStacks(const Stacking::Setup& setup)
    : count_{static_cast<unsigned>(setup.pieces.size())}, turn_{setup.turn}, ended_{setup.ended}, board_{setup.board} {
  const unsigned size = static_cast<unsigned>(setup.size);
  // The cell one step ahead, and whether a piece may enter it.
  const auto ahead = [&](unsigned cell, unsigned facing) -> std::pair<unsigned, bool> {
    constexpr std::array<unsigned, 4> steps = {1, ~0u, ~0u * stride, stride};
    const unsigned next = (cell + steps[facing]) & 0xff;  // a step off the top or the left shows as 15
    const unsigned row = next / stride;
    const unsigned column = next % stride;
    if (row >= size || column >= size) return {cell, false};
    return {next, board_.cells[row * size + column] != Stacking::blue};
  };
  for (unsigned row = 0; row < size; ++row) {
    for (unsigned facing_and_column = 0; facing_and_column < size * 4; ++facing_and_column) {
      const unsigned cell = row * stride + facing_and_column / 4;
      unsigned facing = facing_and_column % 4;
      auto [to, enters] = ahead(cell, facing);
      if (!enters) {
        facing = reversed(facing);
        std::tie(to, enters) = ahead(cell, facing);
      }
      if (!enters) to = cell;
      const bool upside_down = enters && board_.cells[to / stride * size + to % stride] == Stacking::red;
      landings_[cell * 4 + facing_and_column % 4] =
          static_cast<Landing>(to | facing << 8 | (upside_down ? 0xf000u : 0u));
    }
  }
  for (unsigned i = 0; i < count_; ++i) {
    const Stacking::Piece& piece = setup.pieces[i];
    const unsigned cell = static_cast<unsigned>(piece.row) * stride + static_cast<unsigned>(piece.column);
    cell_[i + 1] = static_cast<std::uint8_t>(cell);
    facing_[i + 1] = static_cast<std::uint8_t>(piece.facing - Stacking::right);
    stacks_[cell] |= Stack{i + 1} << 4 * piece.level;
  }
}

Stacking::Snapshot PackedStacks::snapshot() const {
  Stacking::Snapshot out{.size = board_.rows, .turn = turn_, .ended = ended_, .board = board_, .pieces = {}};
  for (unsigned piece = 1; piece <= count_; ++piece) {
    const unsigned cell = cell_[piece];
    int level = 0;
    while ((stacks_[cell] >> 4 * level & 15) != piece) ++level;
    out.pieces.push_back(
        {static_cast<int>(cell / stride), static_cast<int>(cell % stride), facing_[piece] + Stacking::right, level});
  }
  return out;
}

/// Plays until the end or turn 1,000; the turn that ended the game, or −1.
///
/// A turn depends on the standing alone, so a standing that comes back after `period` turns comes back for ever,
/// and nothing on the way ended the game or ever will. As 1,000 − turn and its remainder by the period lead to the
/// same standing, the remainder is all that has to be played to show the state after turn 1,000.
///
/// The standing is compared with one kept standing, which is replaced after 1, 2, 4, 8, … turns (R. P. Brent, "An
/// improved Monte Carlo factorization algorithm", BIT 20, 1980): no memory of the way is needed.
int PackedStacks::play() {
  if (turn_ >= Stacking::turns_played) return -1;
  Standing kept = standing();
  int kept_turn = turn_;
  for (int patience = 1; turn_ < Stacking::turns_played;) {
    turn();
    if (ended_) return turn_;
    const int since = turn_ - kept_turn;
    if (stands_as(kept)) {
      turn_ = Stacking::turns_played - (Stacking::turns_played - turn_) % since;
      while (turn_ < Stacking::turns_played) turn();
    } else if (since == patience) {
      kept = standing();
      kept_turn = turn_;
      patience *= 2;
    }
  }
  return -1;
}

PackedStacks::Standing PackedStacks::standing() const {
  Standing now{.cell = cell_, .facing = facing_, .stack = {}};
  for (unsigned piece = 1; piece <= count_; ++piece) now.stack[piece] = stacks_[cell_[piece]];
  return now;
}

/// Piece by piece, the last one first: it has just moved, and most often it alone tells the two apart.
bool PackedStacks::stands_as(const Standing& then) const {
  for (unsigned piece = count_; piece > 0; --piece) {
    if (cell_[piece] != then.cell[piece] || facing_[piece] != then.facing[piece] ||
        stacks_[cell_[piece]] != then.stack[piece]) {
      return false;
    }
  }
  return true;
}

}  // namespace lockstep::optimized
