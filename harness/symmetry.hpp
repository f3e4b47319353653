// Maps on scenarios that change no answer: mirrors, rotations, renamed colours.
//
// If a simulator answers scenario s with observations o and ends in snapshot t, it must answer
// setup(s.setup), action(s.setup, each action) with observation(s.setup, each action, o) and end in
// snapshot(t). Checking that on reference and optimized alike catches what both get wrong together.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "harness/game.hpp"

namespace lockstep {

template <class G>
struct Symmetry {
  std::string_view name;
  std::function<typename G::Setup(const typename G::Setup&)> setup;
  std::function<typename G::Action(const typename G::Setup&, const typename G::Action&)> action;
  /// The expected image of an observation; nullopt when the answer of this step is not comparable.
  /// `after` is the snapshot after the step, before mapping. Null: the observation is unchanged.
  std::function<std::optional<typename G::Observation>(const typename G::Setup&, const typename G::Action&,
                                                       const typename G::Observation&,
                                                       const typename G::Snapshot& after)>
      observation;
  /// Null: snapshots map as setups do.
  std::function<typename G::Snapshot(const typename G::Setup&, const typename G::Snapshot&)> snapshot;
};

}  // namespace lockstep
