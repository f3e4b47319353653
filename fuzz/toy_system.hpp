// For tests: a system of one counter, with wrong implementations that make a fuzz target fail in every possible way. The
// part of the system that TOY_THROWS names (features, laws or suggestions) throws an exception.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "lockstep/base/limits.hpp"
#include "lockstep/base/random.hpp"
#include "lockstep/describe/describe.hpp"
#include "lockstep/system/processor.hpp"
#include "lockstep/system/registry.hpp"

namespace lockstep {

namespace toy {

inline void throw_if_told(std::string_view part) {
  const char* const named = std::getenv("TOY_THROWS");
  if (named != nullptr && part == named) throw std::runtime_error{"no " + std::string{part} + " today"};
}

}  // namespace toy

struct Toy {
  static constexpr std::string_view name = "toy";
  static constexpr int most = 1'000;

  struct Setup {
    int total = 0;
    bool operator==(const Setup&) const = default;
  };
  using Snapshot = Setup;
  struct Add {
    static constexpr std::string_view name = "add";
    int amount = 0;
    bool operator==(const Add&) const = default;
  };
  using Action = std::variant<Add>;
  struct Observation {
    int total = 0;
    bool operator==(const Observation&) const = default;
  };

  static void describe(auto& io, Setup& s) { io.number("total", s.total, 0, most); }
  static void describe(auto& io, const Setup&, Add& a) { io.number("amount", a.amount, 0, 9); }
  static void describe(auto& io, Observation& o) { io.value("total", o.total); }

  struct Features;
  struct Laws;
  struct Suggestions;
};

struct Toy::Features {
  enum : std::size_t { total };
  static constexpr std::array<Feature, 1> list = {{{total, "total"}}};

  static void observe(auto&& emit, const Action&, const Observation& o) {
    toy::throw_if_told("features");
    emit(total, o.total);
  }
};

struct Toy::Laws {
  /// Only of a setup with a total: shrinking tries one.
  static std::string violation(const Setup& setup, const Snapshot&, const Action&, const Observation&,
                               const Snapshot&) {
    if (setup.total > 0) toy::throw_if_told("laws");
    return "";
  }
};

struct Toy::Suggestions {
  explicit Suggestions(Random&) {}
  Setup setup(Random&) const {
    toy::throw_if_told("suggestions");
    return {};
  }
  Action action(Random& random, const Setup&) const { return Add{static_cast<int>(random.below(10))}; }
};

namespace toy {

enum class Mistake {
  none,
  answers_wrongly,
  reads_beyond,
  loads_beyond,
  uses_freed,
  overflows,
  never_repeats,
  exits,
  exits_later,
  forks,
};

/// Counts correctly until the total is 30 or more; then it makes its mistake.
template <Mistake mistake>
class Counter {
 public:
  explicit Counter(const Toy::Setup& setup) : total_{setup.total} {}

  Toy::Observation step(const Toy::Action& action) {
    total_ = std::min(total_ + std::get<Toy::Add>(action).amount, Toy::most);
    return {total_ >= 30 ? shown() : total_};
  }
  Toy::Snapshot snapshot() const { return {total_}; }

 private:
  int shown() const {
    switch (mistake) {
      case Mistake::none: break;
      case Mistake::answers_wrongly: return total_ + 1;
      case Mistake::reads_beyond: {
        const volatile std::size_t size = 30;  // volatile: otherwise a compiler warns of the intended overflow
        return std::unique_ptr<int[]>{new int[size]{}}[static_cast<std::size_t>(total_)];
      }
      case Mistake::loads_beyond: {
        const volatile std::size_t size = 4;
        const std::unique_ptr<int[]> totals{new int[size]{}};
        Vector<std::uint8_t, 16> loaded;
        load(loaded, totals.get() + size);
        return loaded[0];
      }
      case Mistake::uses_freed: {
        auto table = std::make_unique<int>(total_);
        const int* const volatile freed = table.get();
        table.reset();
        return *freed;
      }
      case Mistake::overflows: return std::numeric_limits<int>::max() - 29 + total_;
      case Mistake::exits: std::_Exit(0);
      case Mistake::exits_later: {
        static int calls = 0;
        if (++calls == 3) std::_Exit(0);
        return total_ + 1;
      }
      case Mistake::forks: {
        static bool forked = false;
        if (const pid_t copy = std::exchange(forked, true) ? 0 : fork(); copy > 0) waitpid(copy, nullptr, 0);
        break;
      }
      case Mistake::never_repeats: {
        static int calls = 0;
        return total_ + (++calls == 1 ? 1 : 0);
      }
    }
    return total_;
  }
  int total_;
};
static_assert(Implementation<Counter<Mistake::none>, Toy>);

inline const auto rulebook =
    register_implementation<Counter<Mistake::none>, Toy>("rulebook", Kind::reference, "counts");
inline const auto same = register_implementation<Counter<Mistake::none>, Toy>("same", Kind::optimized, "counts too");
inline const auto askew =
    register_implementation<Counter<Mistake::answers_wrongly>, Toy>("askew", Kind::yardstick, "one more from 30 on");
inline const auto wrong = register_implementation<Counter<Mistake::answers_wrongly>, Toy>(
    "answers_wrongly", Kind::canary, "one more from 30 on");
inline const auto beyond = register_implementation<Counter<Mistake::reads_beyond>, Toy>("reads_beyond", Kind::canary,
                                                                                        "a table of 30 is too short");
inline const auto beyond_inlined = register_implementation<Counter<Mistake::loads_beyond>, Toy>(
    "loads_beyond", Kind::canary, "gives a function of the library too little to load");
inline const auto freed = register_implementation<Counter<Mistake::uses_freed>, Toy>("uses_freed", Kind::canary,
                                                                                     "a table is freed too early");
inline const auto overflow =
    register_implementation<Counter<Mistake::overflows>, Toy>("overflows", Kind::canary, "a signed overflow");
inline const auto exits =
    register_implementation<Counter<Mistake::exits>, Toy>("exits", Kind::canary, "as if all were done");
inline const auto exits_later =
    register_implementation<Counter<Mistake::exits_later>, Toy>("exits_later", Kind::canary, "after two wrong answers");
inline const auto forks =
    register_implementation<Counter<Mistake::forks>, Toy>("forks", Kind::canary, "once, and returns in both processes");
inline const auto fickle = register_implementation<Counter<Mistake::never_repeats>, Toy>(
    "never_repeats", Kind::canary, "wrong at its first call only");

}  // namespace toy

using ThisSystem = Toy;

}  // namespace lockstep
