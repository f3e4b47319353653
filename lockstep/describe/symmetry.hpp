// Maps on scenarios that preserve answers: mirrors, rotations, renamed colours.
//
// If an implementation answers scenario s with observations o and ends in snapshot t, it must answer
// setup(s.setup), action(s.setup, each action) with observation(s.setup, each action, o) and end in
// snapshot(t). Checking that on reference and optimized alike catches what both get wrong together.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "lockstep/describe/system.hpp"

namespace lockstep {

template <class S>
struct Symmetry {
  std::string_view name;
  std::function<typename S::Setup(const typename S::Setup&)> setup;
  std::function<typename S::Action(const typename S::Setup&, const typename S::Action&)> action;
  /// The expected image of an observation; nullopt if this step's answer is not comparable. `after` is the snapshot
  /// after the step, before mapping. Null: observations are unchanged.
  std::function<std::optional<typename S::Observation>(const typename S::Setup&, const typename S::Action&,
                                                       const typename S::Observation&, const SnapshotOf<S>& after)>
      observation;
  /// Null: snapshots map as setups do.
  std::function<SnapshotOf<S>(const typename S::Setup&, const SnapshotOf<S>&)> snapshot;
};

/// The symmetries in a system's laws; empty if there are none.
template <class S>
std::vector<Symmetry<S>> symmetries() {
  if constexpr (requires { LawsOf<S>::symmetries(); }) return LawsOf<S>::symmetries();
  else return {};
}

}  // namespace lockstep
