// For tests: a counter and its reference implementation.
#pragma once

#include "lockstep/base/limits.hpp"
#include "lockstep/describe/describe.hpp"
#include "lockstep/system/registry.hpp"

namespace lockstep {

struct Toy {
  static constexpr std::string_view name = "toy";
  static constexpr int most = 60;

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
  /// The total after an action. even: bits 0, 1, 2 tell whether the total is divisible by 2, 4, 8.
  struct Observation {
    int total = 0;
    unsigned even = 0;
    bool operator==(const Observation&) const = default;
  };

  static void describe(auto& io, Setup& s) { io.number("total", s.total, 0, most); }
  static void describe(auto& io, const Setup&, Add& a) { io.number("amount", a.amount, 0, 9); }
  static void describe(auto& io, Observation& o) {
    io.value("total", o.total);
    io.value("even", o.even);
  }

  struct Features;
};

struct Toy::Features {
  enum : std::size_t { total };
  static constexpr std::array<Feature, 1> list = {{{total, "total"}}};

  static void observe(auto&& emit, const Action&, const Observation& o) { emit(total, o.total); }
};

namespace reference {

class Counter {
 public:
  explicit Counter(const Toy::Setup& setup) : total_{setup.total} {}
  Toy::Observation step(const Toy::Action& action) {
    total_ = std::min(total_ + std::get<Toy::Add>(action).amount, Toy::most);
    return {total_, (total_ % 2 == 0 ? 1u : 0u) + (total_ % 4 == 0 ? 2u : 0u) + (total_ % 8 == 0 ? 4u : 0u)};
  }
  Toy::Snapshot snapshot() const { return {total_}; }

 private:
  int total_;
};
inline const auto counter = register_implementation<Counter, Toy>("rulebook", Kind::reference, "counts");

}  // namespace reference

using ThisSystem = Toy;

}  // namespace lockstep
