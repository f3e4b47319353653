// Stacking, lean: a stack is a linked list of pieces, and a move relinks its ends.
//
// The plain scalar simulator against which the packed one is measured: no allocation, no search for a piece in its
// stack, and a frame of blue around the board instead of edge tests. `play` plays every turn.
#pragma once

#include <array>
#include <cstdint>

#include "games/stacking/game.hpp"
#include "lockstep/system/registry.hpp"

namespace lockstep::optimized {

class LinkedStacks {
 public:
  explicit LinkedStacks(const Stacking::Setup& setup)
      : board_{setup.board}, count_{static_cast<int>(setup.pieces.size())}, turn_{setup.turn}, ended_{setup.ended} {
    colour_.fill(Stacking::blue);
    for (int row = 0; row < board_.rows; ++row) {
      for (int column = 0; column < board_.columns; ++column) colour_[cell_of(row, column)] = board_.at(row, column);
    }
    for (int level = 0; level < Stacking::pieces_max; ++level) {
      for (int i = 0; i < count_; ++i) {
        const Stacking::Piece& piece = setup.pieces[static_cast<std::size_t>(i)];
        if (piece.level == level) push(i + 1, cell_of(piece.row, piece.column));
        facing_[static_cast<std::size_t>(i + 1)] = static_cast<std::uint8_t>(piece.facing - 1);
      }
    }
  }

  Stacking::Observation step(const Stacking::Action& action) {
    if (ended_) return {.says = Stacking::Says::illegal};
    if (const auto* one = std::get_if<Stacking::Move>(&action)) {
      move(one->piece + 1);
      return {.says = Stacking::Says::moved, .ended = ended_};
    }
    if (std::holds_alternative<Stacking::Turn>(action)) {
      const int last = turn();
      return {.says = Stacking::Says::turned, .ended = ended_, .piece = static_cast<std::int8_t>(last - 1)};
    }
    while (turn_ < Stacking::turns_played) {
      turn();
      if (ended_) return {.says = Stacking::Says::played, .turn = turn_};
    }
    return {.says = Stacking::Says::played, .turn = -1};
  }

  Stacking::Snapshot snapshot() const {
    Stacking::Snapshot out{.size = board_.rows, .turn = turn_, .ended = ended_, .board = board_, .pieces = {}};
    for (std::size_t i = 1; i <= static_cast<std::size_t>(count_); ++i) {
      int level = 0;
      for (int under = below_[i]; under != no_piece; under = below_[static_cast<std::size_t>(under)]) ++level;
      out.pieces.push_back({cell_[i] / stride - 1, cell_[i] % stride - 1, facing_[i] + Stacking::right, level});
    }
    return out;
  }

 private:
  static constexpr int stride = Stacking::size_max + 2;                  // a frame of blue on every side
  static constexpr int no_piece = 0;                                     // pieces count from 1 here
  static constexpr std::array<int, 4> ahead = {1, -1, -stride, stride};  // right, left, up, down

  static constexpr std::size_t cell_of(int row, int column) {
    return static_cast<std::size_t>((row + 1) * stride + column + 1);
  }

  /// Moves the pieces in order; returns the piece that ended the game, or `no_piece`.
  int turn() {
    if (turn_ < Stacking::turn_max) ++turn_;
    for (int piece = 1; piece <= count_; ++piece) {
      move(piece);
      if (ended_) return piece;
    }
    return no_piece;
  }

  void move(int piece) {
    const std::size_t mover = static_cast<std::size_t>(piece);
    const std::size_t from = cell_[mover];
    std::size_t to = from + static_cast<std::size_t>(ahead[facing_[mover]]);
    if (colour_[to] == Stacking::blue) {
      facing_[mover] ^= 1;  // right ↔ left, up ↔ down
      to = from + static_cast<std::size_t>(ahead[facing_[mover]]);
      if (colour_[to] == Stacking::blue) return;
    }
    const int highest = top_[from];
    top_[from] = below_[mover];
    if (colour_[to] == Stacking::red) {
      // From the top down: the highest lands first.
      for (int next = highest; next != piece;) {
        const int under = below_[static_cast<std::size_t>(next)];
        push(next, to);
        next = under;
      }
      push(piece, to);
    } else {
      // The group keeps its order: only the link of its lowest piece changes.
      below_[mover] = top_[to];
      top_[to] = static_cast<std::uint8_t>(highest);
      for (int next = highest; next != below_[mover]; next = below_[static_cast<std::size_t>(next)]) {
        cell_[static_cast<std::size_t>(next)] = static_cast<std::uint8_t>(to);
      }
    }
    int height = 0;
    for (int next = top_[to]; next != no_piece; next = below_[static_cast<std::size_t>(next)]) ++height;
    ended_ = height >= Stacking::end_height;
  }

  void push(int piece, std::size_t cell) {
    below_[static_cast<std::size_t>(piece)] = top_[cell];
    top_[cell] = static_cast<std::uint8_t>(piece);
    cell_[static_cast<std::size_t>(piece)] = static_cast<std::uint8_t>(cell);
  }

  Grid board_;
  int count_;
  int turn_;
  bool ended_;
  std::array<std::uint8_t, stride * stride> colour_;
  std::array<std::uint8_t, stride * stride> top_{};             // of a cell: the highest piece, or `no_piece`
  std::array<std::uint8_t, Stacking::pieces_max + 1> below_{};  // of a piece: the piece under it, or `no_piece`
  std::array<std::uint8_t, Stacking::pieces_max + 1> cell_{};
  std::array<std::uint8_t, Stacking::pieces_max + 1> facing_{};  // 0 … 3
};
static_assert(Implementation<LinkedStacks, Stacking>);

inline const auto linked_stacks = register_implementation<LinkedStacks, Stacking>(
    "linked_stacks", Kind::yardstick, "stacks as chains of pieces, relinked at their ends");

}  // namespace lockstep::optimized
