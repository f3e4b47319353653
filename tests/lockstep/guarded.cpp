#include "lockstep/services/guarded.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <vector>

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

TEST(Guarded, PatienceFollowsTheSlowestJudgementThatEnded) {
  using namespace std::chrono_literals;
  const auto after = [](const std::vector<std::chrono::nanoseconds>& judgements,
                        std::chrono::nanoseconds failure = {}) {
    Patience patience = Patience::learning(Guard{5s});
    if (failure.count() > 0) patience.note_judgement(failure, true);
    for (const auto time : judgements) patience.note_judgement(time, false);
    return patience.timeout();
  };
  EXPECT_EQ(after({}), 500ms);
  EXPECT_EQ(after({1ms}), 50ms);
  EXPECT_EQ(after({12ms, 1ms}), 105ms);
  std::vector<std::chrono::nanoseconds> one_pause(20, 1ms);
  one_pause.front() = 60ms;
  EXPECT_EQ(after(one_pause), 50ms);
  EXPECT_EQ(after(one_pause, 60ms), 600ms);
  EXPECT_EQ(after({2s}), 5s);
}

TEST(Guarded, OnlyAJudgementThatEndedCounts) {
  using namespace std::chrono_literals;
  const SharedStats stats = share_stats();
  Patience patience = Patience::learning(Guard{300ms});
  const auto hang = []() -> Verdict {
    while (true) std::this_thread::sleep_for(1s);
  };
  const Verdict verdict = judge_in_child(*stats, hang, patience, [] { return Divergence{}; });
  ASSERT_TRUE(verdict.divergence);
  EXPECT_EQ(verdict.divergence->kind, DivergenceKind::hang);
  EXPECT_EQ(verdict.divergence->actual, "did not answer within 300 ms");
  EXPECT_EQ(patience.timeout(), 30ms) << "the hang itself was taken for a slow judgement";
}

}  // namespace
}  // namespace lockstep
