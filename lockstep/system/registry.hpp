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
#include <memory>
#include <source_location>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "lockstep/describe/laps.hpp"
#include "lockstep/describe/scenario.hpp"
#include "lockstep/describe/trace.hpp"

namespace lockstep {

/// Answers the question of many positions at once (bulk.hpp). The spans have the same size.
template <class S>
using AnswerMany = void (*)(std::span<const BitsOf<S>>, std::span<AnswerOf<S>>);

/// All implementations of a system, in registration order.
template <class S>
std::vector<Runner>& registry() {
  static std::vector<Runner> all;
  return all;
}

/// The code of an implementation that `make(setup)` returns by value; it need not be movable.
template <System S, class Make>
class MadeCode : public Runner::Code {
 public:
  explicit MadeCode(Make make) : make_{std::move(make)} {}
  void run(const AnyScenario& scenario, Cadence cadence, AnyTrace& out) const override {
    run_made<S>(make_, typed<S>(scenario), cadence, typed<S>(out));
  }

 protected:
  Make make_;
};

/// The same, for benchmarks too.
template <System S, class Make>
class TimedCode final : public MadeCode<S, Make> {
 public:
  using MadeCode<S, Make>::MadeCode;
  bool timed() const override { return true; }
  std::unique_ptr<Laps> laps(std::span<const AnyScenario> scenarios) const override {
    return std::make_unique<LapsOf<S, Make>>(this->make_, scenarios);
  }
};

struct Registration {};

/// Impl::answer_many as Runner keeps it, without its type; null if there is none.
template <class Impl, class S>
auto untyped_answer_many() -> void (*)() {
  if constexpr (requires { &Impl::answer_many; }) {
    static_assert(
        requires { static_cast<AnswerMany<S>>(&Impl::answer_many); },
        "declare static void answer_many(std::span<const S::Bits>, std::span<S::Answer>)");
    return reinterpret_cast<void (*)()>(static_cast<AnswerMany<S>>(&Impl::answer_many));
  } else {
    return nullptr;
  }
}

/// Asks what `untyped_answer_many` gave for an implementation of S.
template <class S>
void ask_many(void (*answer_many)(), std::span<const BitsOf<S>> positions, std::span<AnswerOf<S>> answers) {
  reinterpret_cast<AnswerMany<S>>(answer_many)(positions, answers);
}

/// Makes an implementation from a setup.
template <class Impl, System S>
struct MadeFromSetup {
  Impl operator()(const typename S::Setup& setup) const { return started<Impl, S>(setup); }
};

struct Timed {};
/// Tag for implementations that are not benchmarked.
struct Untimed {};
inline constexpr Untimed untimed;

template <class Impl, System S, class Timing = Timed>
  requires Implementation<Impl, S> && (std::same_as<Timing, Timed> || std::same_as<Timing, Untimed>)
Registration register_implementation(std::string_view name, Kind kind, std::string_view about, Timing = {},
                                     std::source_location where = std::source_location::current()) {
  using Make = MadeFromSetup<Impl, S>;
  using Code = std::conditional_t<std::same_as<Timing, Timed>, TimedCode<S, Make>, MadeCode<S, Make>>;
  registry<S>().push_back({name, kind, about, std::make_shared<Code>(Make{}), where, untyped_answer_many<Impl, S>()});
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
  registry<S>().push_back({name, Kind::canary, about, std::make_shared<MadeCode<S, decltype(make)>>(make), where});
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
