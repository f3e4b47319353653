// For tests of checks: what a report says, and a system without laws.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <variant>

#include "lockstep/program/check.hpp"
#include "tests/lockstep/toy.hpp"

namespace lockstep {

/// The check failed, and its report has all these parts.
inline void expect_failure(const CheckResult& result, std::initializer_list<std::string_view> parts) {
  EXPECT_FALSE(result);
  for (const std::string_view part : parts)
    EXPECT_TRUE(result.report().contains(part)) << part << "\n" << result.report();
}

/// Numbers are added.
struct Adder {
  static constexpr std::string_view name = "adder";
  using Setup = Nothing;
  using Snapshot = Nothing;
  using Add = ActionOf<"add", int>;
  using Action = std::variant<Add>;
  struct Observation {
    int sum = 0;
    bool operator==(const Observation&) const = default;
  };
  static void describe(auto&, Setup&) {}
  static void describe(auto& io, const Setup&, Add& a) { io.number("amount", a.value, 0, 9); }
  static void describe(auto& io, Observation& o) { io.value("sum", o.sum); }
};

/// Neither copyable nor movable.
struct Sum {
  explicit Sum(const Adder::Setup&, int limit = 1'000'000'000) : most{limit} {}
  Sum(const Sum&) = delete;
  Sum& operator=(const Sum&) = delete;
  Adder::Observation step(const Adder::Action& action) {
    return {sum = std::min(most, sum + std::get<Adder::Add>(action).value)};
  }
  Adder::Snapshot snapshot() const { return {}; }
  int most;
  int sum = 0;
};

}  // namespace lockstep
