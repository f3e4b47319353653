#include "games/stacking/suggestions.hpp"

#include <algorithm>

#include "games/stacking/laws.hpp"
#include "games/stacking/stacks.hpp"

namespace lockstep {

using namespace stacking;

Stacking::Suggestions::Suggestions(Random& random)
    : weight_move_{static_cast<unsigned>(random.below(20))},
      weight_turn_{1 + static_cast<unsigned>(random.below(8))},
      // A `play` from the start costs the reference up to 10,000 moves, so most scenarios have none.
      weight_play_{random.chance(1, 6) ? 1u : 0u},
      red_{static_cast<unsigned>(random.below(12))},
      blue_{static_cast<unsigned>(random.below(9))},
      stacked_{static_cast<unsigned>(random.below(8))},
      vertical_{static_cast<unsigned>(random.below(11))},
      favourites_{random.chance(1, 3) ? random.integer(1, 3) : 0} {}

Stacking::Setup Stacking::Suggestions::setup(Random& random) {
  Setup s;
  s.size = random.chance(1, 12) ? random.integer(1, size_max) : random.integer(2, 6);
  s.board = Grid{s.size, s.size};
  for (std::uint8_t& cell : s.board.cells) {
    const std::uint64_t draw = random.below(20);
    cell = draw < blue_ ? blue : draw < blue_ + red_ ? red : white;
  }
  if (random.chance(1, 4)) {
    // Just before, at and just beyond the last turn of `play`; sometimes any turn, or where the counter saturates.
    const int anywhere = random.chance(1, 2) ? random.integer(0, turn_max) : random.integer(turn_max - 2, turn_max);
    s.turn = random.chance(1, 10) ? anywhere : random.integer(turns_played - 12, turns_played + 2);
  }
  const bool may_have_ended = random.chance(1, 30);
  const int count = random.chance(1, 4) ? random.integer(1, pieces_max) : random.integer(1, 6);
  s.pieces.clear();
  for (int i = 0; i < count; ++i) {
    Piece p;
    const bool joins = i > 0 && random.chance(stacked_, 10);
    for (int tries = 0; tries < 8; ++tries) {
      p = joins && tries < 4 ? random.pick(s.pieces)
                             : Piece{.row = random.integer(0, s.size - 1), .column = random.integer(0, s.size - 1)};
      const bool on_blue = s.board.at(p.row, p.column) == blue && !random.chance(1, 8);
      if (!on_blue && (may_have_ended || height_at(s, p) < end_height - 1)) break;
    }
    p.facing = random.chance(vertical_, 10) ? up : right;
    p.facing += random.integer(0, 1);
    p.level = random.integer(0, pieces_max - 1);
    s.pieces.push_back(p);
  }
  Laws::normalise(s);
  return s;
}

Stacking::Action Stacking::Suggestions::action(Random& random, const Setup& s) {
  // Close to its last turn `play` is cheap, and only there does a wrong turn count show.
  const unsigned weight_play = s.turn > 0 && s.turn <= turns_played ? 1 : weight_play_;
  const std::uint64_t kind = random.below(weight_move_ + weight_turn_ + weight_play);
  if (kind < weight_play) return Play{};
  if (kind < weight_play + weight_turn_) return Turn{};
  const int last = static_cast<int>(s.pieces.size()) - 1;
  const bool favours = favourites_ > 0 && random.chance(3, 4);
  return Move{random.integer(0, favours ? std::min(last, favourites_ - 1) : last)};
}

}  // namespace lockstep
