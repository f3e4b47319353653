#include "tests/campaign/fragile_system.hpp"

#include <array>
#include <cstdlib>

#include "lockstep/system/registered.hpp"
#include "tests/campaign/checks.hpp"

namespace lockstep {
namespace {

struct Fragile : Adder {
  static constexpr std::string_view name = "fragile";
};

int amount_of(const Adder::Action& action) { return std::get<Adder::Add>(action).value; }

bool sabotaged = false;

struct Brittle : Sum {
  using Sum::Sum;
  Adder::Observation step(const Adder::Action& action) {
    if (amount_of(action) == 7) std::_Exit(5);
    if (amount_of(action) == 9 && sabotaged) std::_Exit(6);
    return Sum::step(action);
  }
};

struct StopsEarly : Sum {
  explicit StopsEarly(const Adder::Setup& setup) : Sum{setup, 300} {}
};

struct Saboteur : Sum {
  using Sum::Sum;
  Adder::Observation step(const Adder::Action& action) {
    Adder::Observation out = Sum::step(action);
    if (amount_of(action) != 9) return out;
    sabotaged = true;
    ++out.sum;
    return out;
  }
};

[[maybe_unused]] const std::array registered_adders = {
    register_implementation<Brittle, Fragile>("brittle", Kind::reference, "dies of a 7"),
    register_implementation<Sum, Fragile>("steady", Kind::optimized, "adds"),
    register_canary<Sum, Fragile>("right", "no mistake"),
    register_implementation<StopsEarly, Fragile>("small", Kind::plugin, "stops at 300", untimed),
    register_implementation<Saboteur, Fragile>("saboteur", Kind::plugin, "lets another one die", untimed),
};

}  // namespace

const AnySystem& fragile() {
  static const AnySystem system{system_parts<Fragile>()};
  return system;
}

}  // namespace lockstep
