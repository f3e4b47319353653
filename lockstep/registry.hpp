// The implementations of a system. Each is registered at the end of the file that defines it:
//
//   static_assert(Implementation<BitPlanes, TsTetris>);
//   inline const auto bit_planes =
//       register_implementation<BitPlanes, TsTetris>("bit_planes", Kind::optimized, "two bit-planes …");
//
// One header per system includes those files; include order is registration order. The reference comes first, then the
// yardsticks and optimized implementations from the oldest to the fastest, the batches, and the canaries.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <source_location>
#include <span>
#include <string_view>
#include <vector>

#include "lockstep/kind.hpp"
#include "lockstep/laps.hpp"
#include "lockstep/trace.hpp"

namespace lockstep {

/// Answers the question of many positions at once (bulk.hpp). The spans have the same size.
template <class S>
using AnswerMany = void (*)(std::span<const BitsOf<S>>, std::span<AnswerOf<S>>);

/// An implementation behind one function, `trace`; built-in implementations and plugins look alike. It is called once
/// per scenario, so that the indirect call costs nothing beside the steps.
template <class S>
struct AnyImplementation {
  std::string_view name;
  Kind kind;
  std::string_view about;  // one line: the idea, or for a canary the bug
  std::function<void(const Scenario<S>&, Cadence, Trace<S>&)> trace;
  /// For benchmarks. Null: not benchmarked (see Untimed, and plugins).
  std::function<std::unique_ptr<Laps>(std::span<const Scenario<S>>)> laps = nullptr;
  /// Where it is registered: reports for a code host point there. A plugin has no such place.
  std::source_location where = {};
  /// Its static function of that name; null: it has none.
  AnswerMany<S> answer_many = nullptr;
};

/// All implementations of a system, in registration order.
template <class S>
std::vector<AnyImplementation<S>>& registry() {
  static std::vector<AnyImplementation<S>> all;
  return all;
}

struct Registration {};

template <class Impl, class S>
constexpr AnswerMany<S> answer_many_of() {
  if constexpr (requires { &Impl::answer_many; }) {
    static_assert(
        requires { static_cast<AnswerMany<S>>(&Impl::answer_many); },
        "declare static void answer_many(std::span<const S::Bits>, std::span<S::Answer>)");
    return &Impl::answer_many;
  } else {
    return nullptr;
  }
}

template <class Impl, System S>
  requires Implementation<Impl, S>
Registration register_implementation(std::string_view name, Kind kind, std::string_view about,
                                     std::source_location where = std::source_location::current()) {
  registry<S>().push_back(
      {name, kind, about, &run_trace<Impl, S>, &make_laps<Impl, S>, where, answer_many_of<Impl, S>()});
  return {};
}

/// Tag for implementations that are not benchmarked.
struct Untimed {};
inline constexpr Untimed untimed;

template <class Impl, System S>
  requires Implementation<Impl, S>
Registration register_implementation(std::string_view name, Kind kind, std::string_view about, Untimed,
                                     std::source_location where = std::source_location::current()) {
  registry<S>().push_back({name, kind, about, &run_trace<Impl, S>, nullptr, where, answer_many_of<Impl, S>()});
  return {};
}

/// Registers an implementation that is wrong on purpose. It is not benchmarked.
template <class Impl, System S>
  requires Implementation<Impl, S>
Registration register_canary(std::string_view name, std::string_view about,
                             std::source_location where = std::source_location::current()) {
  return register_implementation<Impl, S>(name, Kind::canary, about, untimed, where);
}

/// Registers one mistake of a class that is given the mistake to make: Impl(setup, mistake). The class is compiled once
/// for all its mistakes. A static answer_many is not used, because it does not know the mistake.
template <class Impl, System S, class Mistake>
  requires Steps<Impl, S> && ShowsSnapshots<Impl, S> &&
           std::constructible_from<Impl, const typename S::Setup&, const Mistake&>
Registration register_canary(std::string_view name, Mistake mistake, std::string_view about,
                             std::source_location where = std::source_location::current()) {
  const auto make = [mistake](const typename S::Setup& setup) { return Impl(setup, mistake); };
  const auto trace = [make](const Scenario<S>& scenario, Cadence cadence, Trace<S>& out) {
    run_made<S>(make, scenario, cadence, out);
  };
  registry<S>().push_back({.name = name, .kind = Kind::canary, .about = about, .trace = trace, .where = where});
  return {};
}

/// Registers a batch, as an implementation that runs one scenario. It is not benchmarked: one scenario says nothing about
/// the speed of many.
template <class Impl, System S>
  requires Implementation<Impl, S>
Registration register_batch(std::string_view name, std::string_view about,
                            std::source_location where = std::source_location::current()) {
  return register_implementation<Impl, S>(name, Kind::batch, about, untimed, where);
}

}  // namespace lockstep
