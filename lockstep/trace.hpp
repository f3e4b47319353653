// One implementation's run of one scenario: the judge's only access to an implementation.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/system.hpp"

namespace lockstep {

/// Where snapshots are taken; a snapshot costs far more than a step. Always: at the start, after each of the first ten
/// actions, at powers of two and after the last action, each with the position just before it (invariants compare the
/// two). Also at every position from `dense_from` to `dense_to`.
struct Cadence {
  std::size_t dense_from = 1;
  std::size_t dense_to = 0;

  static constexpr Cadence every() { return {0, std::numeric_limits<std::size_t>::max()}; }
};

/// Whether the trace includes the position after `done` of `total` actions.
constexpr bool takes_snapshot(Cadence cadence, std::size_t done, std::size_t total) {
  return done <= 10 || done + 1 >= total || std::has_single_bit(done) || std::has_single_bit(done + 1) ||
         (cadence.dense_from <= done && done <= cadence.dense_to);
}

/// The first difference between an implementation that answers in text (plugin.hpp) and the system's reference. Such an
/// implementation has no answer of the system's types to record; after the deviation the rest of its trace is
/// meaningless.
struct Deviation {
  std::size_t step = 0;      // actions done
  bool in_snapshot = false;  // false: in the answer to the last of them
  std::string field;
  std::string expected;
  std::string actual;

  bool operator==(const Deviation&) const = default;
};

/// The result of a run. Memory is reused from run to run.
template <class S>
struct Trace {
  std::vector<typename S::Observation> observations;  // one per action
  std::vector<typename S::Snapshot> snapshots;        // in the order of takes_snapshot
  std::optional<Deviation> deviation = {};
  /// If set, the number of the in-flight action is written here, so that a crash can be attributed.
  volatile std::uint32_t* progress = nullptr;

  /// Sets the number of snapshots. Surplus snapshots are kept with the memory that they own for later runs, at most as
  /// many as a run on the default cadence takes.
  void resize_snapshots(std::size_t size) {
    for (; snapshots.size() > size && spare_.size() < spare_max; snapshots.pop_back()) {
      spare_.push_back(std::move(snapshots.back()));
    }
    for (; snapshots.size() < size && !spare_.empty(); spare_.pop_back()) snapshots.push_back(std::move(spare_.back()));
    snapshots.resize(size);
  }

 private:
  static constexpr std::size_t spare_max = 64;
  std::vector<typename S::Snapshot> spare_;
};

template <class Impl, System S>
  requires Implementation<Impl, S>
void run_trace(const Scenario<S>& scenario, Cadence cadence, Trace<S>& out) {
  const std::size_t total = scenario.actions.size();
  out.observations.resize(total);
  out.deviation.reset();
  std::size_t taken = 0;
  const auto take = [&](std::size_t done, const Impl& implementation) {
    if (!takes_snapshot(cadence, done, total)) return;
    if (taken == out.snapshots.size()) out.resize_snapshots(taken + 1);
    out.snapshots[taken++] = implementation.snapshot();
  };
  volatile std::uint32_t unwatched = 0;
  volatile std::uint32_t& progress = out.progress != nullptr ? *out.progress : unwatched;
  progress = 0;
  Impl implementation{scenario.setup};
  take(0, implementation);
  for (std::size_t i = 0; i < total; ++i) {
    progress = static_cast<std::uint32_t>(i);
    out.observations[i] = implementation.step(scenario.actions[i]);
    take(i + 1, implementation);
  }
  out.resize_snapshots(taken);
}

}  // namespace lockstep
