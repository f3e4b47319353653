// For tests: a system of one counter, with wrong implementations that make a fuzz target fail in every possible way.
#pragma once

#include <limits>
#include <memory>

#include "lockstep/describe.hpp"
#include "lockstep/limits.hpp"
#include "lockstep/registry.hpp"

namespace lockstep {

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
};

struct Toy::Features {
  enum : std::size_t { total };
  static constexpr std::array<Feature, 1> list = {{{total, "total"}}};

  static void observe(auto&& emit, const Action&, const Observation& o) { emit(total, o.total); }
};

namespace toy {

enum class Mistake { none, answers_wrongly, reads_beyond, overflows, never_repeats };

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
      case Mistake::overflows: return std::numeric_limits<int>::max() - 29 + total_;
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
inline const auto overflow =
    register_implementation<Counter<Mistake::overflows>, Toy>("overflows", Kind::canary, "a signed overflow");
inline const auto fickle = register_implementation<Counter<Mistake::never_repeats>, Toy>(
    "never_repeats", Kind::canary, "wrong at its first call only");

}  // namespace toy

using ThisSystem = Toy;

}  // namespace lockstep
