// Generates scenarios of Puyo Puyo that reach deep states.
#pragma once

#include <vector>

#include "games/puyo/game.hpp"
#include "lockstep/base/random.hpp"

namespace lockstep {

/// Fields that one puyo sets off: long chains built backwards, random fields of few colours, full fields; actions
/// restricted to some colours and some columns.
struct Puyo::Suggestions {
  explicit Suggestions(Random& random);
  Setup setup(Random& random);
  Action action(Random& random, const Setup& setup);

  /// A field of the first `palette` colours that resolves in exactly this many chains. Up to 12 take milliseconds,
  /// beyond 16 the search may take minutes. Benchmarks draw their fields here: a change of its random stream changes
  /// their workload.
  static Setup chain_field(Random& random, int chains, int palette = colours);

 private:
  int colour(Random& random) const;

  unsigned resolves_;            // how often an action resolves, of 32
  int palette_;                  // number of colours used, 1 … 5 …
  int first_colour_;             // … from this one on, cyclically
  int width_;                    // number of columns used …
  int left_;                     // … from this one on
  std::vector<Action> opening_;  // the actions that set the field off, last action first
};

}  // namespace lockstep
