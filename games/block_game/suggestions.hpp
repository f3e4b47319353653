// Generates scenarios of the block game that reach deep states.
#pragma once

#include <cstdint>

#include "games/block_game/blocks.hpp"
#include "games/block_game/game.hpp"
#include "lockstep/base/random.hpp"

namespace lockstep {

/// Packed boards, towers of blocks that wait for each other, boards with nearly all numbers in use; actions with a
/// subset of the shapes, in a few columns.
struct BlockGame::Suggestions {
  /// How the blocks of a drawn board are numbered.
  enum class Numbering : std::uint8_t { downward, upward, shuffled, scattered };

  /// A lawful board with `blocks` blocks, or as many as fit. Bit s − 1 of `shape_set` allows shape s.
  static Setup packed(Random& random, int size, int blocks, unsigned shape_set, Numbering numbering);
  static constexpr unsigned all_shapes = 0xfff;
  static constexpr unsigned open_shapes = 1u << 2 | 1u << 3 | 1u << 5 | 1u << 6 | 1u << 8;  // 3, 4, 6, 7, 9

  explicit Suggestions(Random& random);
  Setup setup(Random& random);
  Action action(Random& random, const Setup& setup);

 private:
  Place placement(Random& random, int size) const;
  Clear clear();

  unsigned shape_set_;
  Numbering numbering_;
  unsigned weight_place_;
  unsigned weight_clear_;
  int focus_;   // columns stay within this distance of the centre; 0: anywhere
  int centre_;  // 0 … 1000, a share of the size
  /// The approximate position after the actions drawn so far; it keeps most placements legal. Has no rows before the
  /// first action.
  Grid model_;
  block_game::Blocks blocks_;  // those of model_
  bool cleared_ = false;       // no block of model_ can be removed
};

}  // namespace lockstep
