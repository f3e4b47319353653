#include "lockstep/services/guarded.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>

namespace lockstep {
namespace {

Verdict judged(const std::function<Verdict()>& judge) {
  const SharedStats stats = share_stats();
  Patience patience{Guard{std::chrono::seconds{20}}};
  return judge_in_child(*stats, judge, patience, [] {
    Divergence out;
    out.system = "garden";
    out.blamed = "honest";
    out.action = "rain";
    return out;
  });
}

TEST(Guarded, TheVerdictComesBackAndADeathIsACrash) {
  EXPECT_TRUE(judged([] { return Verdict{}; }).agreed());
  const Verdict death = judged([]() -> Verdict { std::_Exit(3); });
  ASSERT_TRUE(death.divergence);
  EXPECT_EQ(death.divergence->signature(), "garden honest crash rain exit 3");
}

TEST(Guarded, AnExceptionThatLeavesTheJudgeBlamesNoImplementation) {
  const Verdict verdict = judged([]() -> Verdict { throw std::out_of_range{"a law of the system"}; });
  EXPECT_EQ(verdict.state, Verdict::State::cannot_judge);
  EXPECT_TRUE(verdict.reason.contains("std::out_of_range: a law of the system")) << verdict.reason;
}

}  // namespace
}  // namespace lockstep
