// One implementation's run of one scenario: the judge's only access to an implementation.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/describe/system.hpp"

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

/// How many snapshots a trace has of positions before `end`.
constexpr std::size_t snapshots_before(std::size_t end, Cadence cadence, std::size_t total) {
  std::size_t taken = 0;
  for (std::size_t done = 0; done < end; ++done) taken += takes_snapshot(cadence, done, total) ? 1 : 0;
  return taken;
}

/// Why a trace ends before its scenario: the implementation threw an exception, or, if it answers in text (plugin.hpp),
/// its text is not that of the reference's answer. In both cases there is no answer of the system's types to record;
/// after the deviation the rest of the trace is meaningless.
struct Deviation {
  std::size_t step = 0;      // actions done
  bool in_snapshot = false;  // false: in the answer to the last of them
  std::string field;
  std::string expected;
  std::string actual;
  bool answered = true;  // false: a refusal, an end or a text that was not asked for came instead of an answer

  bool operator==(const Deviation&) const = default;
};

/// The field of a deviation that is an exception.
inline constexpr std::string_view exception_field = "exception";

/// A small number that an implementation reports about its inside: how many nodes, which representation.
struct OwnFeature {
  std::size_t number = 0;
  std::int64_t value = 0;
};

/// What the result of a run has in every system. Defined in scenario.cpp, because modules of a page have no trace.cpp.
struct TraceHead {
  TraceHead();
  TraceHead(const TraceHead& other);
  TraceHead(TraceHead&& other) noexcept;
  TraceHead& operator=(const TraceHead& other);
  TraceHead& operator=(TraceHead&& other) noexcept;
  ~TraceHead();

  /// Forgets the last run.
  void clear();

  std::optional<Deviation> deviation = {};
  /// What the implementation said of itself on the cadence: its own features (features.hpp).
  std::vector<OwnFeature> own_features = {};
  /// If set, the number of the in-flight action is written here, so that a crash can be attributed.
  volatile std::uint32_t* progress = nullptr;
};

/// The result of a run. Memory is reused from run to run.
template <class S>
struct Trace : TraceHead {
  std::vector<typename S::Observation> observations;  // one per action
  std::vector<SnapshotOf<S>> snapshots;               // in the order of takes_snapshot

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
  std::vector<SnapshotOf<S>> spare_;
};

/// "std::out_of_range: vector::at"
std::string exception_text(const Thrown& thrown);

/// The exception that is being handled.
Thrown current_exception_thrown();

/// What a law answers; a law that throws an exception is broken. What the exception says is no part of the signature, and
/// stands behind the first line.
std::string broken_law(auto&& violation) {
#ifdef __cpp_exceptions
  try {
    return violation();
  } catch (...) {
    const Thrown thrown = current_exception_thrown();
    return "Laws::violation threw " + thrown.type + "\n" + thrown.what;
  }
#else
  return violation();
#endif
}

/// Records that exception as the end of a run.
void note_exception(std::size_t step, bool in_snapshot, TraceHead& out);

/// The answer to one action; an exception, too, if it is an answer.
template <System S>
typename S::Observation answer_to(auto& implementation, const typename S::Action& action) {
#ifdef __cpp_exceptions
  if constexpr (answers_exceptions<S>) {
    try {
      return implementation.step(action);
    } catch (...) {
      return typename S::Observation(current_exception_thrown());
    }
  }
#endif
  return implementation.step(action);
}

/// Runs the implementation that `make(setup)` returns by value; it need not be movable.
template <System S, class Make>
void run_made(const Make& make, const Scenario<S>& scenario, Cadence cadence, Trace<S>& out) {
  const std::size_t total = scenario.actions.size();
  out.observations.resize(total);
  out.clear();
  const auto emit = [&out](std::size_t number, std::int64_t value) { out.own_features.push_back({number, value}); };
  std::size_t taken = 0;
  volatile std::uint32_t unwatched = 0;
  volatile std::uint32_t& progress = out.progress != nullptr ? *out.progress : unwatched;
  progress = 0;
  std::size_t done = 0;
  bool answered = true;  // the exception, if any, comes from a snapshot
  const auto run = [&] {
    auto implementation = make(scenario.setup);
    const auto take = [&] {
      if (!takes_snapshot(cadence, done, total)) return;
      if (taken == out.snapshots.size()) out.resize_snapshots(taken + 1);
      if constexpr (has_snapshot<S>) out.snapshots[taken] = std::as_const(implementation).snapshot();
      ++taken;
      if constexpr (requires { std::as_const(implementation).features(emit); }) {
        std::as_const(implementation).features(emit);
      }
    };
    take();
    while (done < total) {
      progress = static_cast<std::uint32_t>(done);
      answered = false;
      out.observations[done] = answer_to<S>(implementation, scenario.actions[done]);
      answered = true;
      ++done;
      take();
    }
  };
#ifdef __cpp_exceptions
  try {
    run();
  } catch (...) {
    for (std::size_t i = done; i < total; ++i) out.observations[i] = {};  // not those of an earlier run
    note_exception(answered ? done : done + 1, answered && done > 0, out);
  }
#else
  run();
#endif
  out.resize_snapshots(taken);
}

}  // namespace lockstep
