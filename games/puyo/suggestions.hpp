// How to draw scenarios that reach deep states.
#pragma once

#include <vector>

#include "games/puyo/game.hpp"
#include "lockstep/random.hpp"

namespace lockstep {

/// Fields that wait for one puyo: long chains built backwards, random fields of few colours, fields
/// full to the brim; and play that keeps to some colours and some columns.
struct Puyo::Suggestions {
  explicit Suggestions(Random& random);
  Setup setup(Random& random);
  Action action(Random& random, const Setup& setup);

  /// A field that resolves in exactly this many chains. Up to 12 take milliseconds, beyond 16 it may search
  /// for minutes. Benchmarks draw their fields here: a change of its stream is a change of their work.
  static Setup chain_field(Random& random, int chains);

 private:
  int colour(Random& random) const;

  unsigned resolves_;            // how often an action resolves, of 32
  int palette_;                  // how many colours are in play, 1 … 5 …
  int first_colour_;             // … from this one on, going round
  int width_;                    // columns in play …
  int left_;                     // … from this one on
  std::vector<Action> opening_;  // what sets the field off, last action first
};

}  // namespace lockstep
