#include "tests/campaign/garden_system.hpp"

#include <sys/mman.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

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

struct KillsItself : Gardener<Slip::none> {
  using Gardener::Gardener;
  Garden::Observation step(const Garden::Action& action) {
    if (unlucky(action)) std::raise(SIGKILL);
    return Gardener::step(action);
  }
};

const pid_t process_of_the_tests = getpid();

/// Only in a worker, a child of the tests' process. In its children, which look for the cause, nothing repeats the kill.
struct IsKilledNowAndThen : Gardener<Slip::none> {
  explicit IsKilledNowAndThen(const Garden::Setup& setup) : Gardener{setup} {
    static int runs = 0;
    if (++runs == 40 && getppid() == process_of_the_tests) std::raise(SIGKILL);
  }
};

/// Nothing repeats the difference, but to see that takes some time.
struct WrongInWorkers : Gardener<Slip::none> {
  explicit WrongInWorkers(const Garden::Setup& setup) : Gardener{setup} {
    static bool first = true;
    if (std::exchange(first, false) && !in_worker()) std::this_thread::sleep_for(std::chrono::milliseconds{200});
  }
  Garden::Observation step(const Garden::Action& action) {
    auto answer = Gardener::step(action);
    if (in_worker() && std::holds_alternative<Garden::Wait>(action)) ++answer.water;
    return answer;
  }

 private:
  static bool in_worker() { return getppid() == process_of_the_tests; }
};

bool kills(const Garden::Action& action) {
  const auto* const rain = std::get_if<Garden::Rain>(&action);
  return rain != nullptr && rain->amount % 100 == 9;
}

bool process_is_damaged = false;

enum class Damage { shown, unseen, answers };

template <Damage damage>
struct Damages : Gardener<Slip::none> {
  explicit Damages(const Garden::Setup& setup) : Gardener{setup}, began_damaged_{process_is_damaged} {}
  Garden::Observation step(const Garden::Action& action) {
    const bool fails = began_damaged_ && kills(action);
    if (fails && damage != Damage::answers) std::abort();
    damages_ = ++steps_ == 13 && unlucky(action);
    process_is_damaged |= damages_;
    auto answer = Gardener::step(action);
    if (fails) ++answer.water;
    return answer;
  }
  Garden::Snapshot snapshot() const {
    Garden::Snapshot out = Gardener::snapshot();
    if (damage == Damage::shown && damages_) out.fence = !out.fence;
    return out;
  }

 private:
  int steps_ = 0;
  bool damages_ = false;
  bool began_damaged_;
};

struct DiesOfThreeCauses : Gardener<Slip::none> {
  using Gardener::Gardener;
  Garden::Observation step(const Garden::Action& action) {
    const bool dies = left_ == 1;
    left_ = std::max(left_ - 1, 0);
    if (dies) die_of(action);
    if (left_ == 0 && unlucky(action)) left_ = 3;
    const auto* const plant = std::get_if<Garden::Plant>(&action);
    if (plant != nullptr && plant->column == 2 && plant->flower == 2) std::abort();
    waits_ = std::holds_alternative<Garden::Wait>(action) ? waits_ + 1 : 0;
    if (waits_ == 3) std::_Exit(4);
    return Gardener::step(action);
  }
  Garden::Snapshot snapshot() const {
    Garden::Snapshot out = Gardener::snapshot();
    if (left_ > 0) out.fence = !out.fence;
    return out;
  }

 private:
  [[noreturn]] static void die_of(const Garden::Action& action) {
    if (std::holds_alternative<Garden::Plant>(action)) std::abort();
    if (std::holds_alternative<Garden::Rain>(action)) std::raise(SIGSEGV);
    std::_Exit(3);
  }

  int left_ = 0;  // actions until it dies
  int waits_ = 0;
};

struct CountsTooMuch : Gardener<Slip::none> {
  using Gardener::Gardener;
  Garden::Observation step(const Garden::Action& action) {
    auto answer = Gardener::step(action);
    const auto* const rain = std::get_if<Garden::Rain>(&action);
    odd_ |= std::holds_alternative<Garden::Plant>(action) || (rain != nullptr && rain->amount > 100);
    if (odd_ && std::holds_alternative<Garden::Wait>(action)) ++answer.count[0];
    return answer;
  }

 private:
  bool odd_ = false;
};

struct Throws : Gardener<Slip::none> {
  using Gardener::Gardener;
  Garden::Observation step(const Garden::Action& action) noexcept {
    if (unlucky(action)) refuse();
    return Gardener::step(action);
  }

 private:
  [[noreturn]] static void refuse() { throw std::runtime_error{"no more rain"}; }
};

struct DiesSlowly : Gardener<Slip::none> {
  using Gardener::Gardener;
  Garden::Observation step(const Garden::Action& action) {
    if (!unlucky(action)) return Gardener::step(action);
    std::this_thread::sleep_for(std::chrono::milliseconds{300});
    std::_Exit(7);
  }
};

struct WrongAndSlow : Gardener<Slip::none> {
  using Gardener::Gardener;
  Garden::Observation step(const Garden::Action& action) {
    auto answer = Gardener::step(action);
    if (!unlucky(action) || std::exchange(was_wrong_, true)) return answer;
    last_crash().store(std::chrono::steady_clock::now());
    std::this_thread::sleep_for(std::chrono::milliseconds{500});
    ++answer.water;
    return answer;
  }

 private:
  bool was_wrong_ = false;
};

/// Only in a worker, as WrongInWorkers.
struct WrongAndSlowOnce : WrongAndSlow {
  using WrongAndSlow::WrongAndSlow;
  Garden::Observation step(const Garden::Action& action) {
    return getppid() == process_of_the_tests ? WrongAndSlow::step(action) : Gardener::step(action);
  }
};

struct Dozes : Gardener<Slip::counts_short> {
  using Gardener::Gardener;
  Garden::Observation step(const Garden::Action& action) {
    if (unlucky(action)) std::this_thread::sleep_for(std::chrono::milliseconds{1'500});
    return Gardener::step(action);
  }
};

struct WrongAtFirst : Gardener<Slip::none> {
  explicit WrongAtFirst(const Garden::Setup& setup) : Gardener{setup}, wrong_{runs++ < 2} {}
  Garden::Observation step(const Garden::Action& action) {
    auto answer = Gardener::step(action);
    if (wrong_) ++answer.water;
    return answer;
  }

 private:
  static inline int runs = 0;
  bool wrong_;
};

struct ClosesFiles : Gardener<Slip::counts_short> {
  explicit ClosesFiles(const Garden::Setup& setup) : Gardener{setup} {
    for (int file = 0; file < 1024; ++file) close(file);
  }
};

struct Hoards : Gardener<Slip::none> {
  explicit Hoards(const Garden::Setup& setup) : Gardener{setup} {
    hoard.emplace_back(1 << 18, 'x');
    std::this_thread::sleep_for(std::chrono::milliseconds{1});  // so that the worker is looked at meanwhile
  }

 private:
  static inline std::vector<std::string> hoard;
};

struct Forks : Gardener<Slip::none> {
  explicit Forks(const Garden::Setup& setup) : Gardener{setup} { static_cast<void>(fork()); }
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
    static const int once = std::system(("sleep " + left_behind + " &").c_str());
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
    register_implementation<KillsItself, Garden>("kills_itself", Kind::plugin, "sends itself SIGKILL", untimed),
    register_implementation<IsKilledNowAndThen, Garden>("is_killed", Kind::plugin, "is killed in a worker's 40th run",
                                                        untimed),
    register_implementation<WearsOut, Garden>("wears_out", Kind::plugin, "crashes in its 40th run", untimed),
    register_implementation<Damages<Damage::shown>, Garden>("damages", Kind::plugin, "its process, visibly", untimed),
    register_implementation<Damages<Damage::unseen>, Garden>("damages_unseen", Kind::plugin, "its process", untimed),
    register_implementation<Damages<Damage::answers>, Garden>("damages_answers", Kind::plugin, "later ones", untimed),
    register_implementation<DiesOfThreeCauses, Garden>("three_causes", Kind::plugin, "in many ways", untimed),
    register_implementation<CountsTooMuch, Garden>("two_causes", Kind::plugin, "of one difference", untimed),
    register_implementation<Throws, Garden>("throws", Kind::plugin, "where it must not", untimed),
    register_implementation<DiesSlowly, Garden>("dies_slowly", Kind::plugin, "as under a sanitizer", untimed),
    register_implementation<Dozes, Garden>("dozes", Kind::plugin, "long, and counts wrongly", untimed),
    register_implementation<WrongAndSlow, Garden>("wrong_and_slow", Kind::plugin, "in each run", untimed),
    register_implementation<WrongAndSlowOnce, Garden>("wrong_and_slow_once", Kind::plugin, "in workers", untimed),
    register_implementation<Gardener<Slip::dreams>, Garden>("dreams", Kind::plugin, "every second time", untimed),
    register_implementation<WrongInWorkers, Garden>("wrong_in_workers", Kind::plugin, "nowhere else", untimed),
    register_implementation<WrongAtFirst, Garden>("wrong_at_first", Kind::plugin, "in two runs", untimed),
    register_implementation<ClosesFiles, Garden>("closes_files", Kind::plugin, "and counts short", untimed),
    register_implementation<Hoards, Garden>("hoards", Kind::plugin, "memory", untimed),
    register_implementation<Forks, Garden>("forks", Kind::plugin, "and returns in both processes", untimed),
    register_implementation<Slow, Garden>("slow", Kind::plugin, "answers late", untimed),
    register_implementation<StartsProcesses, Garden>("starts_processes", Kind::plugin, "leaves one behind", untimed),
};

const Registered<Garden> registered_garden;

}  // namespace

std::atomic<std::chrono::steady_clock::time_point>& last_crash() {
  using Time = std::atomic<std::chrono::steady_clock::time_point>;
  static Time* const time =
      new (mmap(nullptr, sizeof(Time), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) Time{};
  return *time;
}

// An object of its own, because variables of other sources are initialized with its address.
const AnySystem& garden() {
  static const AnySystem system{system_parts<Garden>()};
  return system;
}

}  // namespace lockstep
