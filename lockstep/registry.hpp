// Who plays a system: every implementation enlists itself, at the end of the file that defines it,
//
//   static_assert(Implementation<BitPlanes, TsTetris>);
//   inline const auto bit_planes = register_implementation<BitPlanes, TsTetris>("bit_planes", Kind::optimized, "two bit-planes …");
//
// and systems/SYSTEM.hpp includes those files, the reference first, then the optimized ones from the
// oldest to the fastest, then the canaries. That order is the order of the roster.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "lockstep/laps.hpp"
#include "lockstep/trace.hpp"

namespace lockstep {

enum class Kind {
  reference,  // the rulebook, slowly
  yardstick,  // must equal the reference; exists to be measured against, and a campaign judges it now and then only
  optimized,  // must equal the reference
  canary,     // wrong on purpose: a campaign that does not find it is broken
  plugin,     // from a shared library (plugin.hpp): judged when somebody names it
};

constexpr std::string_view to_string(Kind kind) {
  switch (kind) {
    case Kind::reference: return "reference";
    case Kind::yardstick: return "yardstick";
    case Kind::optimized: return "optimized";
    case Kind::canary: return "canary";
    case Kind::plugin: return "plugin";
  }
  return "?";
}

/// Whether implementations of this kind are judged where none are named.
constexpr bool judged_by_default(Kind kind) {
  return kind == Kind::reference || kind == Kind::yardstick || kind == Kind::optimized;
}

/// An implementation behind one function, `trace`: of this build or of a plugin, all are the same. It is called once for
/// a whole scenario, so that what it costs to reach it is nothing beside the steps.
template <class S>
struct AnyImplementation {
  std::string_view name;
  Kind kind;
  std::string_view about;  // one line: the idea, or for a canary the mistake
  std::function<void(const Scenario<S>&, Cadence, Trace<S>&)> trace;
  /// For benchmarks; null for whom no clock is to measure (see Untimed), and for plugins.
  std::unique_ptr<Laps<S>> (*laps)(std::span<const Scenario<S>>) = nullptr;
};

/// All implementations of a system, in the order in which they enlisted.
template <class S>
std::vector<AnyImplementation<S>>& registry() {
  static std::vector<AnyImplementation<S>> all;
  return all;
}

struct Registration {};

template <class Impl, System S>
  requires Implementation<Impl, S>
Registration register_implementation(std::string_view name, Kind kind, std::string_view about) {
  registry<S>().push_back({name, kind, about, &run_trace<Impl, S>, &make_laps<Impl, S>});
  return {};
}

/// For implementations that nobody times.
struct Untimed {};
inline constexpr Untimed untimed;

template <class Impl, System S>
  requires Implementation<Impl, S>
Registration register_implementation(std::string_view name, Kind kind, std::string_view about, Untimed) {
  registry<S>().push_back({name, kind, about, &run_trace<Impl, S>, nullptr});
  return {};
}

/// An implementation that is wrong on purpose. A system has many: without the second function theirs compile four times
/// as fast.
template <class Impl, System S>
  requires Implementation<Impl, S>
Registration register_canary(std::string_view name, std::string_view about) {
  return register_implementation<Impl, S>(name, Kind::canary, about, untimed);
}

}  // namespace lockstep
