// Canaries are wrong on purpose: a test bench that does not find, blame and shrink them is broken.
//
// For each canary of one game, over a stream of scenarios with a fixed seed: it is found within a bounded number of
// scenarios; a judge of all simulators blames it by name; the shrunk scenario is 1-minimal, which is checked without
// the shrinker; and its text reproduces the divergence exactly.
#include LOCKSTEP_SYSTEM

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <iostream>

#include "lockstep/base/hash.hpp"
#include "lockstep/system/registry.hpp"
#include "lockstep/system/typed.hpp"
#include "props/golden.hpp"
#include "props/play.hpp"

namespace lockstep {

/// Prints the parameter in GoogleTest's messages, which look here for it.
static void PrintTo(const Runner& simulator, std::ostream* out) { *out << simulator.name; }

namespace {

using G = ThisSystem;

constexpr std::uint64_t stream_seed = 1;
constexpr std::uint64_t scenarios_max = 30'000;
constexpr int repetitions = 100;
constexpr std::string_view golden_file = "canaries_" LOCKSTEP_GAME_NAME ".txt";

class Canaries : public testing::TestWithParam<Runner> {
 protected:
  struct Found {
    std::uint64_t index;
    Scenario<G> scenario;
  };

  static std::optional<Found> find(const Runner& canary) {
    JudgeOf<G> pair{{registry<G>().front(), canary}};
    for (std::uint64_t index = 0; index < scenarios_max; ++index) {
      Scenario<G> scenario = laws::scenario_at<G>(stream_seed, index);
      if (pair.judge(scenario).diverged()) return Found{index, std::move(scenario)};
    }
    return std::nullopt;
  }

  /// Reference, all optimized simulators and one canary.
  static std::vector<Runner> all_and(const Runner& canary) {
    std::vector<Runner> simulators = laws::honest<G>();
    simulators.push_back(canary);
    return simulators;
  }

  static Shrunk shrunk(const Scenario<G>& scenario, const std::vector<Runner>& simulators) {
    JudgeOf<G> judge{simulators};
    // The budget counts judgements instead of time, so that every build shrinks to the same scenario.
    const ShrinkBudget budget{.time = std::chrono::hours{1}, .judgements_max = 1'000'000};
    const Shrinker shrinker{[&](const AnyScenario& s) { return judge.any().judge(s); }, simulators.front(), budget};
    return shrinker.shrink(any_of<G>(scenario));
  }
};

/// The smaller scenario that still fails with this signature, as text; "" when there is none.
std::string still_fails(const Scenario<G>& scenario, const std::string& signature, JudgeOf<G>& judge) {
  const auto fails = [&](const Scenario<G>& candidate) {
    const Verdict verdict = judge.judge(candidate);
    return verdict.diverged() && verdict.divergence->signature() == signature;
  };
  std::string out;
  for (std::size_t i = 0; i < scenario.actions.size(); ++i) {
    Scenario<G> without = scenario;
    without.actions.erase(without.actions.begin() + static_cast<std::ptrdiff_t>(i));
    if (fails(without)) out = scenario_text<G>(without);
  }
  any_reduction<G>(scenario, [&](const Scenario<G>& candidate) {
    if (fails(candidate)) out = scenario_text<G>(candidate);
    return !out.empty();
  });
  return out;
}

TEST_P(Canaries, IsFoundBlamedShrunkAndRepeated) {
  const Runner& canary = GetParam();
  const auto found = find(canary);
  ASSERT_TRUE(found) << canary.name << " was not found in " << scenarios_max << " scenarios";

  const auto simulators = all_and(canary);
  JudgeOf<G> judge{simulators};
  const Verdict verdict = judge.judge(found->scenario);
  ASSERT_TRUE(verdict.diverged()) << verdict.reason;
  EXPECT_EQ(verdict.divergence->blamed, canary.name);

  Shrunk result = shrunk(found->scenario, simulators);
  const auto names = laws::names_of(simulators);
  const Finding finding = finding_of(result, names, found->scenario.actions.size());
  const std::string text = finding_text(finding);
  const Scenario<G> smallest = typed<G>(result.scenario);
  EXPECT_EQ(finding.signature, verdict.divergence->signature());
  EXPECT_TRUE(finding.minimal) << text;
  EXPECT_LE(size_of<G>(smallest), size_of<G>(found->scenario));
  EXPECT_EQ(laws::fault_of<G>(smallest), "");
  EXPECT_EQ(still_fails(smallest, finding.signature, judge), "") << "is smaller than\n" << text;

  const auto parsed = parse_scenario<G>(text);
  ASSERT_TRUE(parsed) << parsed.error().message("finding");
  EXPECT_EQ(notes_of(text).implementations, names);
  const std::string report = report_text(finding, finding.file_name);
  for (int i = 0; i < repetitions; ++i) {
    const Verdict again = judge.judge(*parsed);
    ASSERT_TRUE(again.diverged());
    result.scenario = any_of<G>(*parsed);
    result.divergence = *again.divergence;
    ASSERT_EQ(report_text(finding_of(result, names, 0), finding.file_name), report);
  }

  const std::string line = "found in scenario " + std::to_string(found->index + 1) + ", shrunk to " +
                           std::to_string(smallest.actions.size()) + " actions, " + hash_text(finding.signature) + " " +
                           hash_text(scenario_text<G>(*parsed));
  std::cout << canary.name << ": " << line << " after " << finding.judgements << " judgements\n";
  EXPECT_TRUE(matches_golden_line(golden_file, canary.name, line));
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Canaries);  // for a game that is still being written
INSTANTIATE_TEST_SUITE_P(Each, Canaries, testing::ValuesIn(laws::canaries<G>()),
                         [](const auto& each) { return std::string{each.param.name}; });

/// The canaries' code without the mistake; the system's own tests add it to the implementations that must agree.
RC_GTEST_PROP(CanaryCode, WithoutAMistakeEqualsTheReference, ()) {
  if (!laws::canaries<G>().empty()) RC_ASSERT(!laws::unregistered<G>().empty());
  laws::played<G>(laws::bounded<G>(laws::any_scenario<G>()));
}

/// The first divergences of all canaries as one hash: builds that print the same hash find the same divergences.
TEST(CanaryList, TheStreamOfSignaturesIsTheSameInEveryBuild) {
  if (laws::canaries<G>().empty() && !has_golden(golden_file)) GTEST_SKIP() << "this system has no canaries yet";
  constexpr std::uint64_t scenarios = 300;
  std::string stream;
  std::size_t divergences = 0;
  for (const auto& canary : laws::canaries<G>()) {
    JudgeOf<G> pair{{registry<G>().front(), canary}};
    for (std::uint64_t index = 0; index < scenarios; ++index) {
      const Verdict verdict = pair.judge(laws::scenario_at<G>(stream_seed, index));
      ASSERT_TRUE(verdict.agreed() || verdict.diverged()) << verdict.reason;
      if (verdict.agreed()) continue;
      ++divergences;
      stream += std::to_string(index) + " " + std::to_string(verdict.divergence->step) + " " +
                verdict.divergence->signature() + "\n";
    }
  }
  const std::string hash = hash_text(stream);
  std::cout << "signature stream of " << G::name << ": " << divergences << " divergences, hash " << hash << "\n";
  EXPECT_TRUE(matches_golden_line(golden_file, "(signature stream)", hash));
}

}  // namespace
}  // namespace lockstep
