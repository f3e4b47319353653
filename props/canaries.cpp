// Canaries are wrong on purpose: a test bench that does not find, blame and shrink them is broken.
//
// For each canary of one system, over a stream of scenarios with a fixed seed: it is found within a bounded number of
// scenarios; a judge of all simulators blames it by name; the shrunk scenario is 1-minimal, which is checked without
// the shrinker; and its text reproduces the divergence exactly.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <iostream>

#include "lockstep/base/hash.hpp"
#include "lockstep/describe/measure.hpp"
#include "lockstep/describe/reduce.hpp"
#include "lockstep/services/report.hpp"
#include "lockstep/shrink/shrink.hpp"
#include "lockstep/system/any_system.hpp"
#include "lockstep/text/text.hpp"
#include "props/generators.hpp"
#include "props/golden.hpp"
#include "props/laws.hpp"

namespace lockstep {

/// Prints the parameter in GoogleTest's messages, which look here for it.
static void PrintTo(const Runner& simulator, std::ostream* out) { *out << simulator.name; }

namespace {

constexpr std::uint64_t stream_seed = 1;
constexpr std::uint64_t scenarios_max = 30'000;
constexpr int repetitions = 100;

std::string golden_file() { return "canaries_" + std::string{this_system().name()} + ".txt"; }

/// The reference and one canary.
Judge pair_of(const Runner& canary) {
  return Judge{this_vocabulary(), {this_system().implementations().front(), canary}};
}

class Canaries : public testing::TestWithParam<Runner> {
 protected:
  struct Found {
    std::uint64_t index;
    AnyScenario scenario;
  };

  static std::optional<Found> find(const Runner& canary) {
    Judge pair = pair_of(canary);
    for (std::uint64_t index = 0; index < scenarios_max; ++index) {
      AnyScenario scenario = laws::scenario_at(this_vocabulary(), stream_seed, index);
      if (pair.judge(scenario).diverged()) return Found{index, std::move(scenario)};
    }
    return std::nullopt;
  }

  /// Reference, all optimized simulators and one canary.
  static std::vector<Runner> all_and(const Runner& canary) {
    std::vector<Runner> simulators = laws::honest(this_vocabulary());
    simulators.push_back(canary);
    return simulators;
  }

  static Shrunk shrunk(const AnyScenario& scenario, const std::vector<Runner>& simulators) {
    Judge judge{this_vocabulary(), simulators};
    // The budget counts judgements instead of time, so that every build shrinks to the same scenario.
    const ShrinkBudget budget{.time = std::chrono::hours{1}, .judgements_max = 1'000'000};
    const Shrinker shrinker{[&](const AnyScenario& s) { return judge.judge(s); }, simulators.front(), budget};
    return shrinker.shrink(scenario);
  }
};

/// The smaller scenario that still fails with this signature, as text; "" when there is none.
std::string still_fails(const AnyScenario& scenario, const std::string& signature, Judge& judge) {
  const auto fails = [&](const AnyScenario& candidate) {
    const Verdict verdict = judge.judge(candidate);
    return verdict.diverged() && verdict.divergence->signature() == signature;
  };
  std::string out;
  for (std::size_t i = 0; i < scenario.size(); ++i) {
    AnyScenario without = scenario;
    without.erase(i, 1);
    if (fails(without)) out = scenario_text(without);
  }
  reduction_from(scenario, 0, [&](const AnyScenario& candidate) {
    if (fails(candidate)) out = scenario_text(candidate);
    return !out.empty();
  });
  return out;
}

TEST_P(Canaries, IsFoundBlamedShrunkAndRepeated) {
  const Runner& canary = GetParam();
  const auto found = find(canary);
  ASSERT_TRUE(found) << canary.name << " was not found in " << scenarios_max << " scenarios";

  const auto simulators = all_and(canary);
  Judge judge{this_vocabulary(), simulators};
  const Verdict verdict = judge.judge(found->scenario);
  ASSERT_TRUE(verdict.diverged()) << verdict.reason;
  EXPECT_EQ(verdict.divergence->blamed, canary.name);

  Shrunk result = shrunk(found->scenario, simulators);
  const auto names = laws::names_of(simulators);
  const Finding finding = finding_of(result, names, found->scenario.size());
  const std::string text = finding_text(finding);
  const AnyScenario smallest = result.scenario;
  EXPECT_EQ(finding.signature, verdict.divergence->signature());
  EXPECT_TRUE(finding.minimal) << text;
  EXPECT_LE(size_of(smallest), size_of(found->scenario));
  EXPECT_EQ(laws::fault_of(smallest), "");
  EXPECT_EQ(still_fails(smallest, finding.signature, judge), "") << "is smaller than\n" << text;

  const auto parsed = parse_scenario(this_vocabulary(), text);
  ASSERT_TRUE(parsed) << parsed.error().message("finding");
  EXPECT_EQ(notes_of(text).implementations, names);
  const std::string report = report_text(finding, finding.file_name);
  for (int i = 0; i < repetitions; ++i) {
    const Verdict again = judge.judge(*parsed);
    ASSERT_TRUE(again.diverged());
    result.scenario = *parsed;
    result.divergence = *again.divergence;
    ASSERT_EQ(report_text(finding_of(result, names, 0), finding.file_name), report);
  }

  const std::string line = "found in scenario " + std::to_string(found->index + 1) + ", shrunk to " +
                           std::to_string(smallest.size()) + " actions, " + hash_text(finding.signature) + " " +
                           hash_text(scenario_text(*parsed));
  std::cout << canary.name << ": " << line << " after " << finding.judgements << " judgements\n";
  EXPECT_TRUE(matches_golden_line(golden_file(), canary.name, line));
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Canaries);  // for a game that is still being written
INSTANTIATE_TEST_SUITE_P(Each, Canaries, testing::ValuesIn(laws::canaries(this_vocabulary())),
                         [](const auto& each) { return std::string{each.param.name}; });

/// The canaries' code without the mistake; the system's own tests add it to the implementations that must agree.
RC_GTEST_PROP(CanaryCode, WithoutAMistakeEqualsTheReference, ()) {
  if (!laws::canaries(this_vocabulary()).empty()) RC_ASSERT(!laws::unregistered().empty());
  laws::played(laws::bounded(laws::any_scenario(this_vocabulary())));
}

/// The first divergences of all canaries as one hash: builds that print the same hash find the same divergences.
TEST(CanaryList, TheStreamOfSignaturesIsTheSameInEveryBuild) {
  if (laws::canaries(this_vocabulary()).empty() && !has_golden(golden_file()))
    GTEST_SKIP() << "this system has no canaries yet";
  constexpr std::uint64_t scenarios = 300;
  std::string stream;
  std::size_t divergences = 0;
  for (const auto& canary : laws::canaries(this_vocabulary())) {
    Judge pair = pair_of(canary);
    for (std::uint64_t index = 0; index < scenarios; ++index) {
      const Verdict verdict = pair.judge(laws::scenario_at(this_vocabulary(), stream_seed, index));
      ASSERT_TRUE(verdict.agreed() || verdict.diverged()) << verdict.reason;
      if (verdict.agreed()) continue;
      ++divergences;
      stream += std::to_string(index) + " " + std::to_string(verdict.divergence->step) + " " +
                verdict.divergence->signature() + "\n";
    }
  }
  const std::string hash = hash_text(stream);
  std::cout << "signature stream of " << this_system().name() << ": " << divergences << " divergences, hash " << hash
            << "\n";
  EXPECT_TRUE(matches_golden_line(golden_file(), "(signature stream)", hash));
}

}  // namespace
}  // namespace lockstep
