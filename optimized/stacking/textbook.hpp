// Stacking, the straightforward solution: a vector of pieces on every cell, split and joined, and every turn played. A
// yardstick for measurements.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "games/stacking/game.hpp"
#include "lockstep/system/registry.hpp"

namespace lockstep::optimized {

class TextbookStacking {
 public:
  explicit TextbookStacking(const Stacking::Setup& setup)
      : size_{setup.size}, turn_{setup.turn}, ended_{setup.ended}, board_{setup.board} {
    std::vector<int> order;
    for (const Stacking::Piece& piece : setup.pieces) {
      order.push_back(static_cast<int>(pieces_.size()));
      pieces_.push_back({piece.row, piece.column, piece.facing});
    }
    const auto level = [&](int piece) { return setup.pieces[static_cast<std::size_t>(piece)].level; };
    std::ranges::sort(order, {}, level);  // lower pieces are placed first
    for (const int piece : order) {
      const Piece& p = pieces_[static_cast<std::size_t>(piece)];
      stack(p.row, p.column).push_back(piece);
    }
  }

  Stacking::Observation step(const Stacking::Action& action) {
    if (ended_) return {.says = Stacking::Says::illegal};
    if (const auto* one = std::get_if<Stacking::Move>(&action)) {
      move(one->piece);
      return {.says = Stacking::Says::moved, .ended = ended_};
    }
    if (std::holds_alternative<Stacking::Turn>(action)) {
      const int last = turn();
      return {.says = Stacking::Says::turned, .ended = ended_, .piece = static_cast<std::int8_t>(last)};
    }
    while (turn_ < Stacking::turns_played) {
      turn();
      if (ended_) return {.says = Stacking::Says::played, .turn = turn_};
    }
    return {.says = Stacking::Says::played, .turn = -1};
  }

  Stacking::Snapshot snapshot() const {
    Stacking::Snapshot out{.size = size_, .turn = turn_, .ended = ended_, .board = board_, .pieces = {}};
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      const auto& here = stacks_[static_cast<std::size_t>(pieces_[i].row)][static_cast<std::size_t>(pieces_[i].column)];
      const auto level = std::ranges::find(here, static_cast<int>(i)) - here.begin();
      out.pieces.push_back({pieces_[i].row, pieces_[i].column, pieces_[i].facing, static_cast<int>(level)});
    }
    return out;
  }

 private:
  struct Piece {
    int row;
    int column;
    int facing;  // 1 … 4: right, left, up, down
  };

  std::vector<int>& stack(int row, int column) {
    return stacks_[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
  }

  bool blocked(int row, int column) const {
    return !board_.contains(row, column) || board_.at(row, column) == Stacking::blue;
  }

  /// Moves the pieces in order; returns the piece that ended the game, or −1.
  int turn() {
    if (turn_ < Stacking::turn_max) ++turn_;
    for (int piece = 0; piece < static_cast<int>(pieces_.size()); ++piece) {
      move(piece);
      if (ended_) return piece;
    }
    return -1;
  }

  void move(int number) {
    constexpr std::array<int, 5> rows = {0, 0, 0, -1, 1};
    constexpr std::array<int, 5> columns = {0, 1, -1, 0, 0};
    Piece& piece = pieces_[static_cast<std::size_t>(number)];
    const auto row_ahead = [&] { return piece.row + rows[static_cast<std::size_t>(piece.facing)]; };
    const auto column_ahead = [&] { return piece.column + columns[static_cast<std::size_t>(piece.facing)]; };
    if (blocked(row_ahead(), column_ahead())) {
      piece.facing = piece.facing % 2 == 1 ? piece.facing + 1 : piece.facing - 1;
      if (blocked(row_ahead(), column_ahead())) return;
    }
    const int row = row_ahead();
    const int column = column_ahead();
    std::vector<int>& from = stack(piece.row, piece.column);
    std::vector<int>& to = stack(row, column);
    const auto foot = std::ranges::find(from, number);
    if (board_.at(row, column) == Stacking::red) std::reverse(foot, from.end());
    for (auto carried = foot; carried != from.end(); ++carried) {
      pieces_[static_cast<std::size_t>(*carried)].row = row;
      pieces_[static_cast<std::size_t>(*carried)].column = column;
      to.push_back(*carried);
    }
    from.erase(foot, from.end());
    ended_ = to.size() >= Stacking::end_height;
  }

  int size_;
  int turn_;
  bool ended_;
  Grid board_;
  std::vector<Piece> pieces_;
  std::array<std::array<std::vector<int>, Stacking::size_max>, Stacking::size_max> stacks_;
};

static_assert(Implementation<TextbookStacking, Stacking>);
inline const auto stacking_textbook = register_implementation<TextbookStacking, Stacking>(
    "textbook", Kind::yardstick, "what one writes first: a vector of pieces on every cell");

}  // namespace lockstep::optimized
