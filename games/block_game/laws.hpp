// The laws of the block game.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "games/block_game/game.hpp"
#include "lockstep/symmetry.hpp"

namespace lockstep {

struct BlockGame::Laws {
  /// The first number, in reading order, whose cells are not one of the twelve shapes.
  static std::optional<Flaw> flaw(const Setup&);
  /// A number with two or three cells, or four in a wrong form, is what is left of a block that was
  /// cut into: it goes. A number with one cell, or more than four, starts a new block at its first
  /// cell, of shape 1 + (number − 1) mod 12, or goes when there is no room. So a cell emptied deletes
  /// its block, and random cells become random blocks.
  static void normalise(Setup&);
  static std::string violation(const Setup&, const Snapshot& before, const Action&, const Observation&,
                               const Snapshot& after);

  /// The same blocks, numbered 1, 2, … in reading order of their first cells: what a position is worth
  /// to an explorer, since numbers are only names.
  static Snapshot position(Snapshot);

  /// The mirror, and an empty row and column more.
  static std::vector<Symmetry<BlockGame>> symmetries();
};

}  // namespace lockstep
