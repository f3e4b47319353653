// The builder's implementations, as checks judge them.
#include "lockstep/program/builder.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "tests/campaign/checks.hpp"

namespace lockstep {
namespace {

const auto at_most = [](int most) { return [most](const Adder::Setup& setup) { return Sum{setup, most}; }; };

TEST(Builder, FactoriesMakeWhatCannotBeMovedAndKeepOptionsOfTheirOwn) {
  const auto behind_pointer = [](const Adder::Setup& setup) { return std::make_unique<Sum>(setup); };
  const auto right = system<Adder>()
                         .reference<Sum>("sum")
                         .implementation("large", at_most(100'000'000))
                         .implementation("behind_pointer", behind_pointer)
                         .check({.scenarios = 100});
  EXPECT_TRUE(right) << right.report();
  expect_failure(system<Adder>()
                     .reference<Sum>("sum")
                     .implementation("large", at_most(100'000'000))
                     .implementation("small", at_most(30))
                     .check({.scenarios = 1'000}),
                 {"small differs in the observation's sum: expected 31, got 30"});
}

TEST(Builder, AYardstickIsJudgedAndACanaryIsNot) {
  auto builder =
      system<Adder>().reference<Sum>("sum").implementation<Sum>("same").canary("small", at_most(30), "stops");
  EXPECT_TRUE(builder.check({.scenarios = 1'000}));
  expect_failure(builder.yardstick("slow", at_most(30)).check({.scenarios = 10'000}),
                 {"slow differs in the observation's sum: expected 31, got 30"});
}

TEST(Builder, RefusesWrongNamesWithWhatToDo) {
  const CheckOptions some{.scenarios = 10};
  EXPECT_EQ(system<Adder>().reference<Sum>("a").implementation<Sum>("a").check(some).report(),
            "adder: nothing was judged: two implementations of adder are called 'a': give one of them another name\n");
  EXPECT_EQ(
      system<Adder>().implementation<Sum>("a").implementation<Sum>("b").check(some).report(),
      "adder: nothing was judged: adder has no reference implementation: register the slow, obviously correct one "
      "as the reference\n");
  EXPECT_EQ(system<Adder>().reference<Sum>("a").reference<Sum>("b").check(some).report(),
            "adder: nothing was judged: adder has 2 reference implementations: keep one, and register the others as "
            "implementations\n");
  for (const char* name : {"", "a b", "a,b", "a/b", "\n"}) {
    const auto result = system<Adder>().reference<Sum>("a").implementation<Sum>(name).check(some);
    expect_failure(result, {"use letters, digits and the marks _ - . + only"});
  }
}

}  // namespace
}  // namespace lockstep
