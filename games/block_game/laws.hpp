// The laws of the block game.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "games/block_game/game.hpp"
#include "lockstep/describe/symmetry.hpp"

namespace lockstep {

struct BlockGame::Laws {
  /// Reports the first number, in reading order, with cells that form none of the twelve shapes.
  static std::optional<Flaw> flaw(const Setup&);
  /// Repairs a board. A number with two or three cells, or with four in a wrong form, is the rest of a damaged block
  /// and is removed. A number with one cell, or with more than four, starts a new block at its first cell, of shape 1
  /// + (number − 1) mod 12, or is removed when there is no room. So emptying a cell deletes its block, and random
  /// cells become random blocks.
  static void normalise(Setup&);
  static std::string violation(const Setup&, const Snapshot& before, const Action&, const Observation&,
                               const Snapshot& after);

  /// The same blocks, numbered 1, 2, … in reading order of their first cells. An explorer treats such positions as
  /// equal, since numbers are only names.
  static Snapshot position(Snapshot);

  /// The mirror, and one added empty row and column.
  static std::vector<Symmetry<BlockGame>> symmetries();
};

}  // namespace lockstep
