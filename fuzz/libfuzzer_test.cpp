// A system's fuzz target under libFuzzer, run as users run it: from an empty corpus, with -runs and a fixed seed.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "fuzz/program.hpp"
#include "lockstep/base/hash.hpp"
#include "lockstep/judge/judge.hpp"
#include "lockstep/services/report.hpp"
#include "lockstep/services/stats.hpp"
#include "lockstep/system/any_system.hpp"
#include "lockstep/system/implementations.hpp"
#include "lockstep/system/processor.hpp"

namespace {

using namespace lockstep;

std::string target() { return beside_this_program("fuzz_" + std::string{this_system().name()}); }

/// One campaign in its own folder.
struct Campaign {
  Addresses addresses = Addresses::random;
  ScratchFolder folder = {};
  Environment environment = {{"LOCKSTEP_WITH", ""}, {"LOCKSTEP_STATS", folder / "stats"}};

  ProgramRun run(const std::vector<std::string>& flags) const {
    std::filesystem::create_directory(folder / "corpus");
    std::vector<std::string> arguments = {target(), "-seed=1"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    arguments.push_back(folder / "corpus");
    return run_program(std::move(arguments), environment, folder, addresses);
  }
};

/// The flags in the target's .options file.
std::vector<std::string> options() {
  std::istringstream lines{read_file(target() + ".options").value_or("")};
  std::vector<std::string> flags;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t equals = line.find(" = ");
    if (equals != std::string::npos) flags.push_back("-" + line.substr(0, equals) + "=" + line.substr(equals + 3));
  }
  return flags;
}

/// The level decides which implementations are compared and how they are compiled. At the processor's own, the other tests
/// run.
TEST(FuzzTarget, ARunAtEachLowerLevelEndsWithoutFindings) {
  for (const std::string_view level : level_names) {
    if (level == to_string(level_of_processor())) break;
    Campaign campaign;
    campaign.environment.emplace_back("LOCKSTEP_LEVEL", level);
    const ProgramRun run = campaign.run({"-runs=1000"});
    ASSERT_EQ(run.exit_code, 0) << level << "\n" << run.output;
    EXPECT_FALSE(std::filesystem::exists(campaign.folder / "findings")) << level;
  }
}

TEST(FuzzTarget, ARunWithoutSeedsEndsWithoutFindingsAndGrowsTheSameCorpusAgain) {
  // Two things are not decided by the seed: the engine rereads its corpus once a second; and it mutates towards numbers
  // that were compared, among them heap addresses, which depend on when its threads allocate.
  const std::vector<std::string> flags = {"-runs=1000", "-reload=0", "-use_cmp=0"};
  const bool repeats = addresses_can_be_fixed();
  const Campaign one{.addresses = repeats ? Addresses::fixed : Addresses::random};
  const ProgramRun run = one.run(flags);
  ASSERT_EQ(run.exit_code, 0) << run.output;
  EXPECT_FALSE(std::filesystem::exists(one.folder / "findings"));
  EXPECT_TRUE(run.output.contains("Extra Counters")) << "features do not guide the engine: " << run.output;
  const auto corpus = file_names(one.folder / "corpus");
  EXPECT_GT(corpus.size(), 10u);
  // Another process can read its counts.
  const SharedStats stats = share_stats(one.folder / "stats");
  EXPECT_GE(stats->scenarios, 800u);
  EXPECT_GT(stats->steps, stats->scenarios);
  EXPECT_GT(stats->reached().count(), 5u);

  if (!repeats) return;  // the engine's choices depend on addresses, which are random here
  const Campaign other{.addresses = Addresses::fixed};
  ASSERT_EQ(other.run(flags).exit_code, 0);
  EXPECT_EQ(file_names(other.folder / "corpus"), corpus);
}

TEST(FuzzTarget, FindsAMistakeAndItsFindingDivergesAgain) {
  const auto& all = this_system().implementations();
  const std::string name{this_system().name()};
  const auto canary = std::ranges::find(all, Kind::canary, &Runner::kind);
  ASSERT_NE(canary, all.end()) << "a system needs a canary";
  Campaign campaign;
  campaign.environment[0].second = std::string{all.front().name} + "," + std::string{canary->name};
  const ProgramRun run = campaign.run({"-runs=50000"});
  ASSERT_NE(run.exit_code, 0) << "no mistake was found";
  EXPECT_NE(run.output.find("DIVERGENCE in " + name), std::string::npos) << run.output;
  EXPECT_NE(run.output.find("replay it: lockstep replay findings/"), std::string::npos) << run.output;

  const auto files = file_names(campaign.folder / "findings");
  ASSERT_EQ(files.size(), 1u) << run.output;
  const std::string text = read_file(campaign.folder / ("findings/" + files[0])).value();
  const auto scenario = this_system().parse(text);
  ASSERT_TRUE(scenario) << scenario.error().message(files[0]) << "\n" << text;
  Judge judge{this_vocabulary(), implementations_named(this_vocabulary(), notes_of(text).implementations)};
  const Verdict verdict = judge.judge(*scenario);
  ASSERT_TRUE(verdict.diverged()) << text;
  EXPECT_EQ(verdict.divergence->blamed, canary->name);
  EXPECT_EQ(name + "-" + hash_text(verdict.divergence->signature()) + ".txt", files[0]);
}

TEST(FuzzTarget, SurvivesInputsOfAnySize) {
  const Campaign campaign;
  const ProgramRun run = campaign.run({"-runs=300", "-mutate_depth=5", "-max_len=40"});
  EXPECT_EQ(run.exit_code, 0) << run.output;
}

TEST(FuzzTarget, RefusesAnUnknownImplementationAndListsTheKnownOnesButCanaries) {
  Campaign campaign;
  campaign.environment[0].second = "missing";
  const ProgramRun run = campaign.run({"-runs=1"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.output.find("'missing'"), std::string::npos) << run.output;
  for (const auto& implementation : this_system().implementations()) {
    const bool listed = run.output.find(implementation.name) != std::string::npos;
    EXPECT_TRUE(listed || implementation.kind == Kind::canary) << implementation.name << "\n" << run.output;
  }
}

TEST(FuzzTarget, ItsOptionsAreFlagsOfTheEngine) {
  if (!std::filesystem::exists(target() + ".options")) GTEST_SKIP() << "a system without options";
  const auto flags = options();
  ASSERT_FALSE(flags.empty());
  const Campaign campaign;
  auto with_runs = flags;
  with_runs.push_back("-runs=10");
  const ProgramRun run = campaign.run(with_runs);
  EXPECT_EQ(run.exit_code, 0) << run.output;
  EXPECT_EQ(run.output.find("WARNING: unrecognized flag"), std::string::npos) << run.output;
}

}  // namespace
