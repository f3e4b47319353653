// Tests the basis of the systems' tests: how RapidCheck shrinks scenarios, and the trace on which all must agree.
#include "props/play.hpp"

#include <gtest/gtest.h>

#include "tests/lockstep/garden.hpp"

namespace lockstep {
namespace {

using Drawn = rc::Shrinkable<AnyScenario>;

/// The algorithm of RapidCheck: repeatedly take the first shrink that still fails.
template <class Fails>
AnyScenario shrunk(Drawn drawn, Fails&& fails) {
  auto smaller = drawn.shrinks();
  for (auto next = smaller.next(); next; next = smaller.next()) {
    if (!fails(next->value())) continue;
    drawn = *next;
    smaller = drawn.shrinks();
  }
  return drawn.value();
}

TEST(Scenarios, ShrinkUntilNoReductionFails) {
  Judge judge{vocabulary<Garden>(), {head_gardener, gardener<Slip::counts_short>("short")}};
  const auto fails = [&](const AnyScenario& scenario) { return judge.judge(scenario).diverged(); };
  rc::Random random{1};
  for (int failures = 0; failures < 20;) {
    const Drawn drawn = laws::scenarios(vocabulary<Garden>())(random.split(), 100);
    if (!fails(drawn.value())) continue;
    ++failures;
    const AnyScenario smallest = shrunk(drawn, fails);
    EXPECT_TRUE(fails(smallest));
    EXPECT_FALSE(reduction_from(smallest, 0, fails)) << scenario_text(smallest);
  }
}

TEST(Scenarios, ShrinkToSmallerLawfulOnes) {
  rc::Random random{2};
  for (int i = 0; i < 30; ++i) {
    const Drawn drawn = laws::scenarios(vocabulary<Garden>(), styles, 10)(random.split(), 100);
    EXPECT_LE(drawn.value().size(), 10u);
    auto smaller = rc::seq::take(300, drawn.shrinks());
    for (auto next = smaller.next(); next; next = smaller.next()) {
      ASSERT_EQ(laws::fault_of(next->value()), "");
      ASSERT_TRUE(lockstep::smaller(next->value(), drawn.value(), size_of(drawn.value())));
    }
  }
}

const AnyScenario one_rain = any_of<Garden>({.setup = {}, .actions = {Garden::Rain{7}}});

TEST(AgreedTrace, IsThatOfTheFirstImplementation) {
  EXPECT_EQ(laws::agreed_trace({head_gardener, gardener<Slip::none>("other")}, one_rain),
            laws::dense_trace(head_gardener, one_rain));
}

TEST(AgreedTrace, ADifferenceIsThrownWithItsStep) {
  try {
    laws::agreed_trace({head_gardener, gardener<Slip::forgets_rain>("dry")}, one_rain);
    FAIL() << "no difference";
  } catch (const std::runtime_error& difference) {
    EXPECT_NE(std::string{difference.what()}.find("at step 1 of 1 (rain"), std::string::npos) << difference.what();
  }
}

TEST(AgreedTrace, AScenarioOutsideItsBoundsIsThrown) {
  const AnyScenario outside = any_of<Garden>({.setup = {}, .actions = {Garden::Plant{0, 1, 1}}});
  EXPECT_THROW(laws::agreed_trace({head_gardener, head_gardener}, outside), std::invalid_argument);
}

TEST(GridOf, APictureWithUnevenRowsOrAnUnknownCellIsRefused) {
  EXPECT_EQ(laws::grid_of({".A", "B."}, ".AB").cells, (std::vector<std::uint8_t>{0, 1, 2, 0}));
  EXPECT_THROW(laws::grid_of({"..", "."}, "."), std::invalid_argument);
  EXPECT_THROW(laws::grid_of({"?"}, "."), std::invalid_argument);
}

}  // namespace
}  // namespace lockstep
