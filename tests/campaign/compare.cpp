// Comparisons of functions, as checks judge them.
#include "lockstep/program/compare.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <stdexcept>

#include "tests/campaign/checks.hpp"

namespace lockstep {
namespace {

const CheckOptions brief{.scenarios = 2'000};

int count_bits(std::uint32_t word) {
  int count = 0;
  for (; word != 0; word >>= 1) count += static_cast<int>(word & 1);
  return count;
}

static_assert(std::same_as<functions::SignatureOf<std::string_view (*)(std::string_view, std::span<const int>)>,
                           std::string(std::string, std::vector<int>)>);
static_assert(functions::reads_only<const std::string&> && functions::reads_only<std::span<const int>>);
static_assert(!functions::reads_only<std::string&> && !functions::reads_only<std::string&&> &&
              !functions::reads_only<const int*> && !functions::reads_only<std::span<int>>);

/// compare() with one tag for all tests: each system takes seconds to compile.
struct Tested {};
auto compared(std::string name, auto reference, auto fast) {
  return compare<Tested>(std::move(name), std::move(reference), std::move(fast));
}

TEST(Compare, EqualFunctionsAgree) {
  const auto result =
      compared("popcount", count_bits, [](std::uint32_t word) { return std::popcount(word); }).check(brief);
  EXPECT_TRUE(result) << result.report();
  EXPECT_EQ(result.scenarios(), 2'000u);
}

TEST(Compare, ADifferenceIsOneCallWithTheSmallestArgument) {
  const auto wrong = [](std::uint32_t word) { return word > 1'000 ? 0 : std::popcount(word); };
  expect_failure(compared("popcount", count_bits, wrong).check(brief),
                 {"at step 1 of 1 (call a=1001), fast differs in the observation's returned: expected 7, "
                  "got 0"});
}

TEST(Compare, ADescribeFunctionNamesAndNarrowsTheArguments) {
  const auto quotient = [](int n, int d) { return n / d; };
  const auto halves = [](int n, int d) { return d == 4 ? n / 2 / 2 + (n == 77 ? 1 : 0) : n / d; };
  const auto up_to = [](int most) {
    return [most](auto& io, int& n, int& d) {
      io.number("n", n, 0, most);
      io.number("d", d, 1, 10);
    };
  };
  expect_failure(compared("quotient", quotient, halves).with(up_to(100)).check({.scenarios = 20'000}),
                 {"(call n=77 d=4), fast differs in the observation's returned: expected 19, got 20"});
  expect_failure(compared("quotient", quotient, quotient).with(up_to(-1)).check(brief),
                 {"quotient: nothing was compared: in 2000 scenarios no action was possible"});
}

TEST(Compare, AnArgumentThatIsNotDescribedIsRefused) {
  const auto sum = [](int a, int b) { return a + b; };
  const auto none =
      compared("sum", sum, sum).with([](auto& io, int& a, int&) { io.number("a", a, 0, 9); }).check(brief);
  expect_failure(none, {".with does not describe argument 2, which would be the same in all calls"});
}

TEST(Compare, MoreFunctionsAreComparedToo) {
  const auto right = [](std::uint32_t word) { return std::popcount(word); };
  const auto odd = [](std::uint32_t word) { return std::popcount(word) & 15; };
  expect_failure(compared("popcount", count_bits, right).implementation("faster", odd).check(brief),
                 {"faster differs in the observation's returned: expected 16, got 0"});
}

TEST(Compare, StateBetweenCallsShows) {
  const auto plain = [](unsigned n) -> int { return static_cast<int>(n); };
  const auto remembers = [calls = 0](unsigned n) mutable -> int { return ++calls == 3 ? 0 : static_cast<int>(n); };
  expect_failure(compared("identity", plain, remembers).check(brief),
                 {"HIDDEN STATE in identity at step 3 of 3 (call a="});
}

TEST(Compare, AFunctionCanCompareTheResults) {
  const auto exact = [](unsigned n) -> int { return static_cast<int>(n); };
  const auto rounded = [](unsigned n) -> int { return static_cast<int>(n / 2 * 2); };
  EXPECT_FALSE(compared("about", exact, rounded).check(brief));
  const auto near = [](int a, int b) { return a == b || a == b + 1 || a == b - 1; };
  const auto result = compared("about", exact, rounded).equal(near).check(brief);
  EXPECT_TRUE(result) << result.report();
}

TEST(Compare, ANaNEqualsANaN) {
  const auto root = [](double x) { return std::sqrt(x); };
  const auto result = compared("root", root, root).check(brief);
  EXPECT_TRUE(result) << result.report();
  const auto rounded = [](double x) {
    return std::isinf(std::sqrt(x)) ? std::sqrt(x) : std::nextafter(std::sqrt(x), 0.0);
  };
  EXPECT_FALSE(compared("root", root, rounded).check(brief));
  const auto near = compared("root", root, rounded).equal(within_ulps(1)).check(brief);
  EXPECT_TRUE(near) << near.report();
  constexpr functions::SameResult same;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(same(std::vector{1.0, nan}, std::vector{1.0, nan}));
  EXPECT_FALSE(same(std::vector{1.0, nan}, std::vector{nan, 1.0}));
  EXPECT_FALSE(same(std::vector{nan}, std::vector{nan, nan}));
  EXPECT_TRUE(same(std::optional{std::pair{nan, 1}}, std::optional{std::pair{nan, 1}}));
  EXPECT_FALSE(same(std::optional{nan}, std::optional<double>{}));
}

TEST(Compare, AViewThatIsReturnedIsComparedByItsElements) {
  const auto all = [](std::span<const int> items) { return items; };
  const auto most = [](std::span<const int> items) { return items.first(std::min<std::size_t>(items.size(), 9)); };
  expect_failure(compared("items", all, most).check(brief),
                 {"expected [0,0,0,0,0,0,0,0,0,0], got [0,0,0,0,0,0,0,0,0]"});
}

TEST(Compare, AnExceptionIsAResultWithItsMessageIfWanted) {
  const auto throws = [](const char* message) {
    return [message](unsigned n) -> int { return n > 100 ? throw std::out_of_range{message} : static_cast<int>(n); };
  };
  const auto throws_other = [](unsigned n) -> int {
    return n > 100 ? throw std::domain_error{"no"} : static_cast<int>(n);
  };
  EXPECT_TRUE(compared("checked", throws("no"), throws("not that")).check(brief));
  const auto messages = compared("checked", throws("no"), throws("not that")).messages().check(brief);
  expect_failure(messages, {"std::out_of_range: no"});
  expect_failure(compared("checked", throws("no"), throws_other).check(brief),
                 {"(call a=101), fast differs in the observation's thrown"});
  const auto one_side =
      compared("checked", [](unsigned n) -> int { return static_cast<int>(n); }, throws("no")).check(brief);
  expect_failure(one_side, {"(call a=101)"});
}

}  // namespace
}  // namespace lockstep
