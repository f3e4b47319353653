// How a fuzz target handles failing implementations, on a toy system with implementations that fail on purpose.
#include <gtest/gtest.h>

#include <algorithm>
#include <ranges>

#include "fuzz/program.hpp"
#include "fuzz/toy_system.hpp"
#include "lockstep/fuzz/fuzz_target.hpp"
#include "lockstep/judge/judge.hpp"
#include "lockstep/services/finding.hpp"
#include "lockstep/services/report.hpp"
#include "lockstep/services/stats.hpp"
#include "lockstep/system/typed.hpp"
#include "lockstep/text/text.hpp"

namespace {

using namespace lockstep;

const std::string nines{"\x00\x00\x00\x09\x00\x09\x00\x09\x00\x09", 10};

/// Runs the target with one wrong implementation on the one scenario of these bytes.
struct Failure {
  ScratchFolder folder;
  ProgramRun run;
  std::vector<std::string> findings;

  explicit Failure(const std::string& implementation, const std::string& bytes = nines, Environment environment = {}) {
    EXPECT_TRUE(write_file(folder / "input", bytes));
    environment.emplace_back("LOCKSTEP_WITH", implementation);
    run = run_program({LOCKSTEP_FUZZ_TARGET, folder / "input"}, environment, folder);
    findings = file_names(folder / "findings");
  }
  std::string text() const { return findings.empty() ? "" : read_file(folder / ("findings/" + findings[0])).value(); }
};

TEST(FuzzTarget, ShrinksADivergenceToItsLastStep) {
  const Failure failure{"answers_wrongly"};
  EXPECT_NE(failure.run.exit_code, 0);
  ASSERT_EQ(failure.findings.size(), 1u) << failure.run.output;
  const auto scenario = parse_scenario<Toy>(failure.text());
  ASSERT_TRUE(scenario) << scenario.error().message("finding");
  EXPECT_EQ(scenario->actions.size(), 1u);
  EXPECT_NE(failure.text().find("expected 30, got 31"), std::string::npos) << failure.text();
  EXPECT_NE(failure.run.output.find("replay it: lockstep replay findings/" + failure.findings[0]), std::string::npos);
}

TEST(FuzzTarget, ReportsANondeterministicImplementation) {
  const Failure failure{"never_repeats"};
  EXPECT_NE(failure.run.exit_code, 0);
  EXPECT_TRUE(failure.run.output.contains("never_repeats is not deterministic")) << failure.run.output;
  ASSERT_EQ(failure.findings.size(), 1u);
  EXPECT_TRUE(failure.text().contains("\n  signature: toy never_repeats nondeterministic unstable\n"))
      << failure.text();
  EXPECT_NE(failure.run.output.find("add amount=9"), std::string::npos) << failure.run.output;
}

TEST(FuzzTarget, ContinuesWhileAllAgree) {
  EXPECT_EQ(Failure{"same"}.run.exit_code, 0);
  EXPECT_EQ(Failure("answers_wrongly", "").run.exit_code, 0);
}

TEST(FuzzTarget, AProcessThatAnImplementationForksDoesNotJudge) {
  const Failure failure{"forks"};
  EXPECT_NE(failure.run.exit_code, 0);
  EXPECT_TRUE(failure.run.output.contains("forks calls fork(), and both processes return")) << failure.run.output;
  EXPECT_FALSE(failure.run.output.contains("executions")) << "the copy has gone on: " << failure.run.output;
}

TEST(FuzzTarget, ACampaignSeesThatAnImplementationExited) {
  for (const std::string implementation : {"same", "exits", "exits_later"}) {
    const ScratchFolder folder;
    const std::string lines = folder / "lines";
    const Failure failure{
        implementation, nines, {{"LOCKSTEP_STATS", folder / "stats"}, {"LOCKSTEP_FINDINGS_JSON", lines}}};
    EXPECT_EQ(failure.run.exit_code, 0);
    EXPECT_EQ(share_stats(folder / "stats")->done.load() != 0, implementation == "same");
    // Kept before the difference is confirmed, which ends the process.
    const std::string kept = read_file(lines + unshrunk_suffix).value_or("");
    EXPECT_EQ(kept.contains("add amount=9"), implementation == "exits_later") << kept;
  }
}

TEST(FuzzTarget, PassesOverAKnownMistake) {
  const ScratchFolder folder;
  ASSERT_TRUE(write_file(folder / "input", nines));
  const auto exit_code_with = [&](const std::string& ignored) {
    EXPECT_TRUE(write_file(folder / "ignored", ignored));
    return run_program({LOCKSTEP_FUZZ_TARGET, folder / "input"},
                       {{"LOCKSTEP_WITH", "answers_wrongly"}, {"LOCKSTEP_IGNORED", folder / "ignored"}}, folder)
        .exit_code;
  };
  EXPECT_EQ(exit_code_with("another signature\ntoy answers_wrongly observation add total\n"), 0);
  EXPECT_TRUE(file_names(folder / "findings").empty());
  EXPECT_NE(exit_code_with("another signature\n"), 0);
}

TEST(FuzzTarget, LeavesKindsOfActionsOut) {
  const ScratchFolder folder;
  ASSERT_TRUE(write_file(folder / "input", nines));
  for (const std::string kinds : {"", "add", "multiply,add", "multiply"}) {
    const ProgramRun run = run_program({LOCKSTEP_FUZZ_TARGET, folder / "input"},
                                       {{"LOCKSTEP_WITH", "answers_wrongly"}, {"LOCKSTEP_WITHOUT", kinds}}, folder);
    EXPECT_EQ(run.exit_code == 0, kinds.ends_with("add")) << kinds << "\n" << run.output;
  }
}

/// A yardstick is judged on one input in 64, which the input selects: among 200 inputs one finds it, and the same input
/// finds it again.
TEST(FuzzTarget, AWrongYardstickIsFoundReproducibly) {
  const ScratchFolder folder;
  std::vector<std::string> inputs;
  for (int i = 0; i < 200; ++i) {
    const std::string bytes = {static_cast<char>(i % 256), static_cast<char>(i / 256), 0, 9, 0, 9, 0, 9, 0, 9};
    inputs.push_back(folder / ("input" + std::to_string(i)));
    ASSERT_TRUE(write_file(inputs.back(), bytes));
  }
  const auto judged = [&](std::size_t first, std::size_t last) {
    std::vector<std::string> command = {LOCKSTEP_FUZZ_TARGET};
    command.insert(command.end(), inputs.begin() + static_cast<std::ptrdiff_t>(first),
                   inputs.begin() + static_cast<std::ptrdiff_t>(last) + 1);
    return run_program(std::move(command), {{"LOCKSTEP_WITH", "same,askew"}}, folder);
  };
  std::size_t failing = 0;
  for (std::size_t next = 0; next < inputs.size(); ++next) {
    const auto rest = std::views::iota(next, inputs.size());
    next = *std::ranges::partition_point(rest, [&](std::size_t i) { return judged(next, i).exit_code == 0; });
    if (next == inputs.size()) break;
    ++failing;
    const std::string said = judged(next, next).output;  // alone
    EXPECT_NE(said.find("askew"), std::string::npos) << inputs[next] << ": " << said;
  }
  EXPECT_GE(failing, 1u);
  EXPECT_LE(failing, 12u);
}

TEST(FuzzTarget, ReportsAFindingThatCannotBeWritten) {
  const ScratchFolder folder;
  ASSERT_TRUE(write_file(folder / "input", std::string{"\x00\x01\x00\x09", 4}));
  ASSERT_TRUE(write_file(folder / "occupied", ""));
  const ProgramRun run =
      run_program({LOCKSTEP_FUZZ_TARGET, folder / "input"},
                  {{"LOCKSTEP_WITH", "answers_wrongly"}, {"LOCKSTEP_FINDINGS", folder / "occupied"}}, folder);
  EXPECT_NE(run.exit_code, 0);
  EXPECT_NE(run.output.find("DIVERGENCE in toy"), std::string::npos) << run.output;
  EXPECT_NE(run.output.find("could not be kept"), std::string::npos) << run.output;
}

const std::string with_a_total{"\x00\x05\x00\x09\x00\x09\x00\x09", 8};

TEST(FuzzTarget, AnExceptionOfTheSystemsFeaturesIsAFaultAndNoFinding) {
  const Failure failure{"same", with_a_total, {{"TOY_THROWS", "features"}}};
  EXPECT_NE(failure.run.exit_code, 0);
  EXPECT_TRUE(failure.run.output.contains(
      "FAULT in toy: an exception that no implementation threw: std::runtime_error: no features today\n"))
      << failure.run.output;
  EXPECT_TRUE(failure.findings.empty());
}

TEST(FuzzTarget, AnExceptionOfTheSystemsLawsIsABrokenLaw) {
  const Failure failure{"same", with_a_total, {{"TOY_THROWS", "laws"}}};
  ASSERT_EQ(failure.findings.size(), 1u) << failure.run.output;
  EXPECT_TRUE(failure.text().contains("break a law: Laws::violation threw std::runtime_error: no laws today"))
      << failure.text();
}

TEST(FuzzTarget, AnExceptionWhileADifferenceIsShrunkDoesNotLoseIt) {
  const Failure failure{"answers_wrongly", nines, {{"TOY_THROWS", "laws"}}};
  ASSERT_EQ(failure.findings.size(), 1u) << failure.run.output;
  EXPECT_TRUE(failure.text().contains("expected 30, got 31")) << failure.text();
}

TEST(FuzzTarget, AFaultIsWrittenAsALineForACampaign) {
  const ScratchFolder folder;
  const std::string lines = folder / "lines";
  const Failure failure{"same", with_a_total, {{"TOY_THROWS", "features"}, {"LOCKSTEP_FINDINGS_JSON", lines}}};
  EXPECT_EQ(read_file(lines).value_or(""), fault_to_json("std::runtime_error: no features today") + "\n");
}

}  // namespace
