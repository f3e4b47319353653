// The laws of Puyo Puyo.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "games/puyo/game.hpp"
#include "lockstep/describe/symmetry.hpp"

namespace lockstep {

struct Puyo::Laws {
  static std::optional<Flaw> flaw(const Setup&);
  static void normalise(Setup&);
  static std::string violation(const Setup&, const Snapshot& before, const Action&, const Observation&,
                               const Snapshot& after);

  /// The field in bits: the reverse of what a bulk writes.
  static Bits bits_of(const Grid& board);
  static std::optional<Bits> question(const Setup& setup, const Action& action) {
    return std::holds_alternative<Resolve>(action) ? std::optional{bits_of(setup.board)} : std::nullopt;
  }
  static Answer answer(const Observation& resolved) { return resolved.chains; }

  /// The mirror, and two renamings of colours that generate all of them.
  static std::vector<Symmetry<Puyo>> symmetries();
};

}  // namespace lockstep
