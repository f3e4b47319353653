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

#include "lockstep/system/registered.hpp"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

bool is_rain_of(int last_two_digits, const Garden::Action& action) {
  const auto* const rain = std::get_if<Garden::Rain>(&action);
  return rain != nullptr && rain->amount % 100 == last_two_digits;
}
bool unlucky(const Garden::Action& action) { return is_rain_of(7, action); }

/// Does something before it answers an unlucky action.
template <auto something, Slip slip = Slip::none>
struct Unlucky : Gardener<slip> {
  using Gardener<slip>::Gardener;
  Garden::Observation step(const Garden::Action& action) {
    if (unlucky(action)) something();
    return Gardener<slip>::step(action);
  }
};

/// Does something at the beginning of each run.
template <auto something, Slip slip = Slip::none>
struct AtStart : Gardener<slip> {
  explicit AtStart(const Garden::Setup& setup) : Gardener<slip>{setup} { something(); }
};

template <int status>
[[noreturn]] void exits() {
  last_crash().store(std::chrono::steady_clock::now());
  std::_Exit(status);
}
[[noreturn]] void hangs() {
  while (true) std::this_thread::sleep_for(10ms);
}
[[noreturn]] void refuses() { throw std::runtime_error{"no more rain"}; }
void throws() noexcept { refuses(); }
[[noreturn]] void dies_slowly() {
  std::this_thread::sleep_for(300ms);
  std::_Exit(7);
}
void wears_out() {
  static int runs = 0;
  if (++runs == 40) std::_Exit(6);
}
void closes_files() {
  for (int file = 0; file < 1024; ++file) close(file);
}
void hoards() {
  static std::vector<std::string> hoard;
  hoard.emplace_back(1 << 18, 'x');
  std::this_thread::sleep_for(1ms);  // so that the worker is looked at meanwhile
}
void starts_a_process() {
  static const int once = std::system(("sleep " + left_behind + " &").c_str());
  static_cast<void>(once);
}

const pid_t process_of_the_tests = getpid();

/// In a worker, a child of the tests' process. In a worker's children, which look for the cause, nothing repeats a kill.
bool in_worker() { return getppid() == process_of_the_tests; }

void is_killed_now_and_then() {
  static int runs = 0;
  if (++runs == 40 && in_worker()) std::raise(SIGKILL);
}

/// Nothing repeats the difference, but to see that takes some time.
struct WrongInWorkers : Gardener<Slip::none> {
  explicit WrongInWorkers(const Garden::Setup& setup) : Gardener{setup} {
    static bool first = true;
    if (std::exchange(first, false) && !in_worker()) std::this_thread::sleep_for(200ms);
  }
  Garden::Observation step(const Garden::Action& action) {
    auto answer = Gardener::step(action);
    if (in_worker() && std::holds_alternative<Garden::Wait>(action)) ++answer.water;
    return answer;
  }
};

bool process_is_damaged = false;

enum class Damage { shown, unseen, answers };

template <Damage damage>
struct Damages : Gardener<Slip::none> {
  explicit Damages(const Garden::Setup& setup) : Gardener{setup}, began_damaged_{process_is_damaged} {}
  Garden::Observation step(const Garden::Action& action) {
    const bool fails = began_damaged_ && is_rain_of(9, action);
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

/// Two mistakes that look alike: with each tulip, and with each flower in a column on the right.
struct CountsTooMuch : Gardener<Slip::none> {
  using Gardener::Gardener;
  Garden::Observation step(const Garden::Action& action) {
    auto answer = Gardener::step(action);
    const auto* const plant = std::get_if<Garden::Plant>(&action);
    if (plant != nullptr && answer.legal && (plant->flower == 2 || (plant->row > 0 && plant->column > 4)))
      ++answer.count[0];
    return answer;
  }
};

struct WrongAndSlow : Gardener<Slip::none> {
  using Gardener::Gardener;
  Garden::Observation step(const Garden::Action& action) {
    auto answer = Gardener::step(action);
    if (!unlucky(action) || std::exchange(was_wrong_, true)) return answer;
    last_crash().store(std::chrono::steady_clock::now());
    std::this_thread::sleep_for(500ms);
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
    return in_worker() ? WrongAndSlow::step(action) : Gardener::step(action);
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

struct Slow : Gardener<Slip::none> {
  using Gardener::Gardener;
  Garden::Observation step(const Garden::Action& action) {
    std::this_thread::sleep_for(100ms);
    return Gardener::step(action);
  }
};

template <class Impl>
auto plugin(std::string_view name, std::string_view about) {
  return register_implementation<Impl, Garden>(name, Kind::plugin, about, untimed);
}

[[maybe_unused]] const std::array registered = {
    register_implementation<Gardener<Slip::none>, Garden>("rulebook", Kind::reference, "no slips"),
    register_implementation<Gardener<Slip::none>, Garden>("honest", Kind::optimized, "no slips either"),
    register_canary<Gardener<Slip::counts_short>, Garden>("counts_short", "one rose too few from the third on"),
    plugin<Unlucky<exits<5>>>("crashes", "exits with status 5"),
    plugin<Unlucky<exits<0>>>("exits", "exits as if all were well"),
    plugin<Unlucky<hangs>>("hangs", "never answers"),
    plugin<Unlucky<[] { std::raise(SIGKILL); }>>("kills_itself", "sends itself SIGKILL"),
    plugin<AtStart<is_killed_now_and_then>>("is_killed", "is killed in a worker's 40th run"),
    plugin<AtStart<wears_out>>("wears_out", "crashes in its 40th run"),
    plugin<Damages<Damage::shown>>("damages", "its process, visibly"),
    plugin<Damages<Damage::unseen>>("damages_unseen", "its process"),
    plugin<Damages<Damage::answers>>("damages_answers", "later ones"),
    plugin<DiesOfThreeCauses>("three_causes", "in many ways"),
    plugin<CountsTooMuch>("two_mistakes", "that look alike"),
    plugin<Unlucky<throws>>("throws", "where it must not"),
    plugin<Unlucky<dies_slowly>>("dies_slowly", "as under a sanitizer"),
    plugin<Unlucky<[] { std::this_thread::sleep_for(1'500ms); }, Slip::counts_short>>("dozes", "and counts wrongly"),
    plugin<WrongAndSlow>("wrong_and_slow", "in each run"),
    plugin<WrongAndSlowOnce>("wrong_and_slow_once", "in workers"),
    plugin<Gardener<Slip::dreams>>("dreams", "every second time"),
    plugin<WrongInWorkers>("wrong_in_workers", "nowhere else"),
    plugin<WrongAtFirst>("wrong_at_first", "in two runs"),
    plugin<AtStart<closes_files, Slip::counts_short>>("closes_files", "and counts short"),
    plugin<AtStart<hoards>>("hoards", "memory"),
    plugin<AtStart<[] { static_cast<void>(fork()); }>>("forks", "and returns in both processes"),
    plugin<Slow>("slow", "answers late"),
    plugin<AtStart<starts_a_process>>("starts_processes", "leaves one behind"),
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
