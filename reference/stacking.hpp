// Stacking, reference implementation: every cell holds its stack as a list, bottom first, and a move follows the rules
// sentence by sentence.
#pragma once

#include <vector>

#include "games/stacking/game.hpp"
#include "lockstep/system/registry.hpp"

namespace lockstep::reference {

class RulebookStacking {
 public:
  explicit RulebookStacking(const Stacking::Setup& setup);

  Stacking::Observation step(const Stacking::Action& action);
  Stacking::Snapshot snapshot() const;

 private:
  using Stack = std::vector<int>;  // numbers of pieces, bottom first

  struct Piece {
    int row;
    int column;
    int facing;
  };

  void move(int number);
  Stacking::Observation turn();
  Stacking::Observation play();

  bool can_enter(int row, int column) const;
  Stack lift(int number);
  void land(const Stack& group, int row, int column);
  Stack& stack_at(int row, int column);

  Grid board_;
  std::vector<std::vector<Stack>> stacks_;  // [row][column]
  std::vector<Piece> pieces_;
  int turn_;
  bool ended_;
};
static_assert(Implementation<RulebookStacking, Stacking>);

inline const auto rulebook_stacking = register_implementation<RulebookStacking, Stacking>(
    "rulebook", Kind::reference, "a list of pieces per cell, moved as the text says");

}  // namespace lockstep::reference
