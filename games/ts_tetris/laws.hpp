// The laws of TS Tetris.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "games/ts_tetris/game.hpp"
#include "lockstep/describe/symmetry.hpp"

namespace lockstep {

struct TsTetris::Laws {
  static std::optional<Flaw> flaw(const Setup&);
  static void normalise(Setup&);
  static std::string violation(const Setup&, const Snapshot& before, const Action&, const Observation&,
                               const Snapshot& after);

  /// Equal positions play alike: scores are only ever added to, so they are counted from here.
  static Snapshot position(Snapshot s) {
    s.score_1 = 0;
    s.score_2 = 0;
    return s;
  }

  /// The mirror, and the swap of the players.
  static std::vector<Symmetry<TsTetris>> symmetries();
};

}  // namespace lockstep
