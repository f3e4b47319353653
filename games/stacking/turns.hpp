// Plays turns on a position, for generators and features. No verdict depends on it: a mistake in it costs coverage only.
// props/stacking.cpp compares it with the reference.
#pragma once

#include <vector>

#include "games/stacking/game.hpp"

namespace lockstep::stacking {

class Turns {
 public:
  /// Requires a lawful position that has not ended.
  explicit Turns(const Stacking::Setup& position);

  /// Moves every piece once, in order. True if a stack of four ended the game, at once; nothing moves then any more.
  bool play();

  /// The pieces, in their order.
  const std::vector<Stacking::Piece>& pieces() const { return pieces_; }

 private:
  bool move(Stacking::Piece& mover);
  bool closed(int row, int column) const;

  Grid board_;
  Grid heights_;  // number of pieces on each cell
  std::vector<Stacking::Piece> pieces_;
};

}  // namespace lockstep::stacking
