// The builder's implementations, as checks judge them.
#include "lockstep/builder.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "tests/campaign/checks.hpp"

namespace lockstep {
namespace {

TEST(Builder, FactoriesMakeWhatCannotBeMovedAndKeepOptionsOfTheirOwn) {
  const auto at_most = [](int most) { return [most](const Adder::Setup& setup) { return Sum{setup, most}; }; };
  const auto behind_pointer = [](const Adder::Setup& setup) { return std::make_unique<Sum>(setup); };
  const auto right = system<Adder>()
                         .reference<Sum>("sum")
                         .implementation("large", at_most(100'000'000))
                         .implementation("behind_pointer", behind_pointer)
                         .check({.scenarios = 100});
  EXPECT_TRUE(right) << right.report();
  const auto wrong = system<Adder>()
                         .reference<Sum>("sum")
                         .implementation("large", at_most(100'000'000))
                         .implementation("small", at_most(30))
                         .check({.scenarios = 1'000});
  EXPECT_FALSE(wrong);
  EXPECT_TRUE(mentions(wrong, "small differs in the observation's sum: expected 31, got 30")) << wrong.report();
}

TEST(Builder, AYardstickIsJudgedAndACanaryIsNot) {
  const auto at_most = [](int most) { return [most](const Adder::Setup& setup) { return Sum{setup, most}; }; };
  auto builder =
      system<Adder>().reference<Sum>("sum").implementation<Sum>("same").canary("small", at_most(30), "stops");
  EXPECT_TRUE(builder.check({.scenarios = 1'000}));
  const auto wrong = builder.yardstick("slow", at_most(30)).check({.scenarios = 10'000});
  EXPECT_TRUE(mentions(wrong, "slow differs in the observation's sum: expected 31, got 30")) << wrong.report();
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
    EXPECT_TRUE(mentions(result, "use letters, digits and the marks _ - . + only")) << result.report();
  }
}

}  // namespace
}  // namespace lockstep
