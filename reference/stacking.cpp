#include "reference/stacking.hpp"

#include <algorithm>

namespace lockstep::reference {
namespace {

int row_before(int row, int facing) {
  if (facing == Stacking::up) return row - 1;
  if (facing == Stacking::down) return row + 1;
  return row;
}

int column_before(int column, int facing) {
  if (facing == Stacking::left) return column - 1;
  if (facing == Stacking::right) return column + 1;
  return column;
}

int turned_round(int facing) {
  switch (facing) {
    case Stacking::right: return Stacking::left;
    case Stacking::left: return Stacking::right;
    case Stacking::up: return Stacking::down;
    default: return Stacking::up;
  }
}

}  // namespace

RulebookStacking::RulebookStacking(const Stacking::Setup& setup)
    : board_{setup.board},
      stacks_(static_cast<std::size_t>(setup.size), std::vector<Stack>(static_cast<std::size_t>(setup.size))),
      turn_{setup.turn},
      ended_{setup.ended} {
  for (const Stacking::Piece& piece : setup.pieces) pieces_.push_back({piece.row, piece.column, piece.facing});
  for (int level = 0; level < Stacking::pieces_max; ++level) {
    for (std::size_t i = 0; i < setup.pieces.size(); ++i) {
      const Stacking::Piece& piece = setup.pieces[i];
      if (piece.level == level) stack_at(piece.row, piece.column).push_back(static_cast<int>(i));
    }
  }
}

Stacking::Observation RulebookStacking::step(const Stacking::Action& action) {
  if (ended_) return {.says = Stacking::Says::illegal};
  if (std::holds_alternative<Stacking::Turn>(action)) return turn();
  if (std::holds_alternative<Stacking::Play>(action)) return play();
  move(std::get<Stacking::Move>(action).piece);
  return {.says = Stacking::Says::moved, .ended = ended_};
}

Stacking::Snapshot RulebookStacking::snapshot() const {
  Stacking::Snapshot out{.size = board_.rows, .turn = turn_, .ended = ended_, .board = board_, .pieces = {}};
  out.pieces.reserve(pieces_.size());
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const Piece& piece = pieces_[i];
    const Stack& stack = stacks_[static_cast<std::size_t>(piece.row)][static_cast<std::size_t>(piece.column)];
    const auto place = std::ranges::find(stack, static_cast<int>(i));
    out.pieces.push_back({piece.row, piece.column, piece.facing, static_cast<int>(place - stack.begin())});
  }
  return out;
}

Stacking::Observation RulebookStacking::turn() {
  if (turn_ < Stacking::turn_max) ++turn_;
  for (int number = 0; number < static_cast<int>(pieces_.size()); ++number) {
    move(number);
    if (ended_) return {.says = Stacking::Says::turned, .ended = true, .piece = static_cast<std::int8_t>(number)};
  }
  return {.says = Stacking::Says::turned};
}

Stacking::Observation RulebookStacking::play() {
  while (turn_ < Stacking::turns_played) {
    turn();
    if (ended_) return {.says = Stacking::Says::played, .turn = turn_};
  }
  return {.says = Stacking::Says::played, .turn = -1};
}

void RulebookStacking::move(int number) {
  Piece& piece = pieces_[static_cast<std::size_t>(number)];
  int row = row_before(piece.row, piece.facing);
  int column = column_before(piece.column, piece.facing);
  if (!can_enter(row, column)) {
    piece.facing = turned_round(piece.facing);
    row = row_before(piece.row, piece.facing);
    column = column_before(piece.column, piece.facing);
    if (!can_enter(row, column)) return;
  }
  Stack group = lift(number);
  if (board_.at(row, column) == Stacking::red) std::ranges::reverse(group);
  land(group, row, column);
  if (stack_at(row, column).size() >= Stacking::end_height) ended_ = true;
}

/// On the board and not blue.
bool RulebookStacking::can_enter(int row, int column) const {
  return board_.contains(row, column) && board_.at(row, column) != Stacking::blue;
}

/// Removes a piece and all above it from their stack.
RulebookStacking::Stack RulebookStacking::lift(int number) {
  const Piece& piece = pieces_[static_cast<std::size_t>(number)];
  Stack& stack = stack_at(piece.row, piece.column);
  const auto place = std::ranges::find(stack, number);
  const Stack group(place, stack.end());
  stack.erase(place, stack.end());
  return group;
}

/// Puts a group on top of the stack of a cell, in the group's order.
void RulebookStacking::land(const Stack& group, int row, int column) {
  for (const int number : group) {
    stack_at(row, column).push_back(number);
    pieces_[static_cast<std::size_t>(number)].row = row;
    pieces_[static_cast<std::size_t>(number)].column = column;
  }
}

RulebookStacking::Stack& RulebookStacking::stack_at(int row, int column) {
  return stacks_[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
}

}  // namespace lockstep::reference
