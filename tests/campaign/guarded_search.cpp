#include "campaign/guarded_search.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "lockstep/process/files.hpp"
#include "lockstep/process/scratch.hpp"
#include "lockstep/services/report.hpp"
#include "lockstep/system/typed.hpp"
#include "tests/campaign/garden_system.hpp"

namespace lockstep {
namespace {

Finding finding(const std::string& signature) {
  Finding out;
  out.signature = signature;
  return out;
}

/// Counts the calls, which happen in processes of their own.
class Calls {
 public:
  int count() const { return static_cast<int>(read_file(file()).value_or("").size()); }
  int next() const {
    if (!write_file(file(), read_file(file()).value_or("") + "x")) throw std::runtime_error{"no file"};
    return count();
  }

 private:
  std::string file() const { return folder_ / "calls"; }
  ScratchFolder folder_;
};

/// The answer of a search that runs.
GuardedSearch::Answer wait_for(GuardedSearch& guarded, bool to_stop = false) {
  std::optional<GuardedSearch::Answer> out;
  while (!out) out = guarded.poll(to_stop, std::chrono::milliseconds{10});
  EXPECT_FALSE(guarded.runs());
  return *out;
}

GuardedSearch::Answer answer_of(GuardedSearch::Search search) {
  GuardedSearch guarded;
  guarded.start(std::move(search), std::chrono::seconds{60});
  return wait_for(guarded);
}

TEST(GuardedSearch, AnswersWithTheFinding) {
  const auto answer = answer_of([] { return finding("heap wrong observation pop value"); });
  ASSERT_TRUE(answer.finding);
  EXPECT_EQ(answer.finding->signature, "heap wrong observation pop value");
  EXPECT_EQ(answer.fault, "");
}

TEST(GuardedSearch, WithoutAFindingIsNoFault) {
  const Calls calls;
  const auto answer = answer_of([&]() -> std::optional<Finding> {
    calls.next();
    return std::nullopt;
  });
  EXPECT_FALSE(answer.finding);
  EXPECT_EQ(answer.fault, "");
  EXPECT_EQ(calls.count(), 1);
}

TEST(GuardedSearch, IsRepeatedWhenItIsKilled) {
  const Calls calls;
  const auto answer = answer_of([&] {
    if (calls.next() < 3) raise(SIGKILL);
    return finding("heap wrong observation pop value");
  });
  EXPECT_TRUE(answer.finding);
  EXPECT_EQ(calls.count(), 3);
}

TEST(GuardedSearch, IsRepeatedWhenAJudgementWasKilled) {
  const Calls calls;
  const auto answer = answer_of(
      [&] { return finding(calls.next() < 2 ? "heap wrong crash pop signal 9" : "heap wrong crash pop signal 6"); });
  ASSERT_TRUE(answer.finding);
  EXPECT_EQ(answer.finding->signature, "heap wrong crash pop signal 6");
}

TEST(GuardedSearch, IsGivenUpAfterThreeKills) {
  const Calls calls;
  const auto answer = answer_of([&]() -> std::optional<Finding> {
    calls.next();
    raise(SIGKILL);
    return std::nullopt;
  });
  EXPECT_FALSE(answer.finding);
  EXPECT_NE(answer.fault.find("signal 9"), std::string::npos) << answer.fault;
  EXPECT_EQ(calls.count(), 3);
}

TEST(GuardedSearch, AnExceptionIsAFaultAndTheSearchIsNotRepeated) {
  const Calls calls;
  const auto answer = answer_of([&]() -> std::optional<Finding> {
    calls.next();
    throw std::runtime_error{"no such word"};
  });
  EXPECT_FALSE(answer.finding);
  EXPECT_TRUE(answer.fault.contains("std::runtime_error: no such word")) << answer.fault;
  EXPECT_EQ(calls.count(), 1);
}

std::optional<Finding> sleeps() {
  std::this_thread::sleep_for(std::chrono::seconds{60});
  return std::nullopt;
}

TEST(GuardedSearch, IsGivenUpSomeTimeAfterAStopAndNotBefore) {
  GuardedSearch pending;
  constexpr std::chrono::milliseconds after_stop{50};
  pending.start(sleeps, after_stop);
  EXPECT_FALSE(pending.poll(false, std::chrono::milliseconds{100}));
  const auto stop = std::chrono::steady_clock::now();
  EXPECT_FALSE(pending.poll(true));
  EXPECT_TRUE(pending.runs());
  EXPECT_EQ(wait_for(pending, true).fault, "the time was up");
  EXPECT_GE(std::chrono::steady_clock::now() - stop, after_stop);
}

TEST(GuardedSearch, AfterTheAnswerTheNextSearchMayStart) {
  GuardedSearch guarded;
  for (const std::string signature : {"first", "second"}) {
    guarded.start([&] { return std::optional{finding(signature)}; }, std::chrono::seconds{60});
    EXPECT_EQ(wait_for(guarded).finding.value_or(finding("")).signature, signature);
  }
}

const char* const rained_on = "garden kills_itself crash rain signal 6";

/// What is found when a finding with this text is judged again on the reference and the implementation.
std::optional<Finding> again(const std::string& implementation, const std::string& text) {
  Finding rain = finding(rained_on);
  rain.scenario = text;
  return confirming(garden(), {"rulebook", implementation}, Guard{std::chrono::seconds{5}}, rain)();
}
std::string rain() { return scenario_text<Garden>({.setup = {.moles = {}}, .actions = {Garden::Rain{7}}}); }

TEST(Confirming, FindsNothingIfTheImplementationsAgree) { EXPECT_FALSE(again("honest", rain())); }

TEST(Confirming, FindsTheSignatureOfItsOwnJudgementSoThatAKillIsSeen) {
  const auto found = again("kills_itself", rain());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->signature, "garden kills_itself crash rain signal 9");
  EXPECT_EQ(found->scenario, rain());
}

TEST(Confirming, KeepsAFindingThatCannotBeJudged) {
  const auto found = again("honest", "no scenario");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->signature, rained_on);
}

}  // namespace
}  // namespace lockstep
