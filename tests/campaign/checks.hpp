// For tests of checks: what a report says, and a system without laws.
#pragma once

#include <algorithm>
#include <string_view>
#include <variant>

#include "lockstep/check.hpp"

namespace lockstep {

inline bool mentions(const CheckResult& result, std::string_view text) { return result.report().contains(text); }

/// Numbers are added.
struct Adder {
  static constexpr std::string_view name = "adder";
  struct Setup {
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
    int sum = 0;
    bool operator==(const Observation&) const = default;
  };
  static void describe(auto&, Setup&) {}
  static void describe(auto& io, const Setup&, Add& a) { io.number("amount", a.amount, 0, 9); }
  static void describe(auto& io, Observation& o) { io.value("sum", o.sum); }
};

/// Neither copyable nor movable.
struct Sum {
  explicit Sum(const Adder::Setup&, int limit = 1'000'000'000) : most{limit} {}
  Sum(const Sum&) = delete;
  Sum& operator=(const Sum&) = delete;
  Adder::Observation step(const Adder::Action& action) {
    return {sum = std::min(most, sum + std::get<Adder::Add>(action).amount)};
  }
  Adder::Snapshot snapshot() const { return {}; }
  int most;
  int sum = 0;
};

}  // namespace lockstep
