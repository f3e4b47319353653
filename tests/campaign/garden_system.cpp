#include "tests/campaign/garden_system.hpp"

#include <sys/mman.h>

#include <chrono>
#include <cstdlib>
#include <new>
#include <thread>

#include "lockstep/registered.hpp"

namespace lockstep {
namespace {

bool unlucky(const Garden::Action& action) {
  const auto* const rain = std::get_if<Garden::Rain>(&action);
  return rain != nullptr && rain->amount % 100 == 7;
}

template <int status>
struct Exits : Gardener<Slip::none> {
  using Gardener::Gardener;
  Garden::Observation step(const Garden::Action& action) {
    if (unlucky(action)) {
      last_crash().store(std::chrono::steady_clock::now());
      std::_Exit(status);
    }
    return Gardener::step(action);
  }
};

struct Hangs : Gardener<Slip::none> {
  using Gardener::Gardener;
  Garden::Observation step(const Garden::Action& action) {
    while (unlucky(action)) std::this_thread::sleep_for(std::chrono::milliseconds{10});
    return Gardener::step(action);
  }
};

struct WearsOut : Gardener<Slip::none> {
  explicit WearsOut(const Garden::Setup& setup) : Gardener{setup} {
    static int runs = 0;
    if (++runs == 40) std::_Exit(6);
  }
};

struct Slow : Gardener<Slip::none> {
  using Gardener::Gardener;
  Garden::Observation step(const Garden::Action& action) {
    std::this_thread::sleep_for(std::chrono::milliseconds{100});
    return Gardener::step(action);
  }
};

struct StartsProcesses : Gardener<Slip::none> {
  explicit StartsProcesses(const Garden::Setup& setup) : Gardener{setup} {
    static const int once = std::system(("sleep " + std::string{left_behind} + " &").c_str());
    static_cast<void>(once);
  }
};

[[maybe_unused]] const std::array registered = {
    register_implementation<Gardener<Slip::none>, Garden>("rulebook", Kind::reference, "no slips"),
    register_implementation<Gardener<Slip::none>, Garden>("honest", Kind::optimized, "no slips either"),
    register_canary<Gardener<Slip::counts_short>, Garden>("counts_short", "one rose too few from the third on"),
    register_implementation<Exits<5>, Garden>("crashes", Kind::plugin, "exits with status 5", untimed),
    register_implementation<Exits<0>, Garden>("exits", Kind::plugin, "exits as if all were well", untimed),
    register_implementation<Hangs, Garden>("hangs", Kind::plugin, "never answers", untimed),
    register_implementation<WearsOut, Garden>("wears_out", Kind::plugin, "crashes in its 40th run", untimed),
    register_implementation<Slow, Garden>("slow", Kind::plugin, "answers late", untimed),
    register_implementation<StartsProcesses, Garden>("starts_processes", Kind::plugin, "leaves one behind", untimed),
};

const Registered<Garden> system_of_the_tests;

}  // namespace

std::atomic<std::chrono::steady_clock::time_point>& last_crash() {
  using Time = std::atomic<std::chrono::steady_clock::time_point>;
  static Time* const time =
      new (mmap(nullptr, sizeof(Time), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) Time{};
  return *time;
}

const AnySystem& garden() { return system_of_the_tests; }

}  // namespace lockstep
