// Who plays a game: every simulator enlists itself, at the end of the file that defines it,
//
//   static_assert(Simulator<BitPlanes, TsTetris>);
//   inline const auto bit_planes = enlist<BitPlanes, TsTetris>("bit_planes", Kind::optimized, "two bit-planes …");
//
// and systems/GAME.hpp includes those files, the reference first, then the optimized ones from the
// oldest to the fastest, then the canaries. That order is the order of the roster.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "harness/laps.hpp"
#include "harness/trace.hpp"

namespace lockstep {

enum class Kind {
  reference,  // the rulebook, slowly
  optimized,  // must equal the reference
  canary,     // wrong on purpose: a campaign that does not find it is broken
  plugin,     // from a shared library (plugin.hpp): judged when somebody names it
};

constexpr std::string_view to_string(Kind kind) {
  switch (kind) {
    case Kind::reference: return "reference";
    case Kind::optimized: return "optimized";
    case Kind::canary: return "canary";
    case Kind::plugin: return "plugin";
  }
  return "?";
}

/// A simulator behind one function, `trace`: of this build or of a plugin, all are the same. It is called once for
/// a whole scenario, so that what it costs to reach it is nothing beside the steps.
template <class G>
struct AnySimulator {
  std::string_view name;
  Kind kind;
  std::string_view about;  // one line: the idea, or for a canary the mistake
  std::function<void(const Scenario<G>&, Cadence, Trace<G>&)> trace;
  /// For benchmarks; null for whom no clock is to measure (see Untimed), and for plugins.
  std::unique_ptr<Laps<G>> (*laps)(std::span<const Scenario<G>>) = nullptr;
};

/// All simulators of a game, in the order in which they enlisted.
template <class G>
std::vector<AnySimulator<G>>& roster() {
  static std::vector<AnySimulator<G>> all;
  return all;
}

struct Enlisted {};

template <class S, Game G>
  requires Simulator<S, G>
Enlisted enlist(std::string_view name, Kind kind, std::string_view about) {
  roster<G>().push_back({name, kind, about, &run_trace<S, G>, &make_laps<S, G>});
  return {};
}

/// For simulators that nobody times.
struct Untimed {};
inline constexpr Untimed untimed;

template <class S, Game G>
  requires Simulator<S, G>
Enlisted enlist(std::string_view name, Kind kind, std::string_view about, Untimed) {
  roster<G>().push_back({name, kind, about, &run_trace<S, G>, nullptr});
  return {};
}

/// A simulator that is wrong on purpose. A game has many: without the second function theirs compile four times
/// as fast.
template <class S, Game G>
  requires Simulator<S, G>
Enlisted enlist_canary(std::string_view name, std::string_view about) {
  return enlist<S, G>(name, Kind::canary, about, untimed);
}

}  // namespace lockstep
