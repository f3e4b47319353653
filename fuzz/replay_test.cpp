// A system's fuzz target without libFuzzer: it runs the inputs given to it and reports their findings.
#include <gtest/gtest.h>

#include <algorithm>

#include "fuzz/program.hpp"
#include "lockstep/describe/codec.hpp"
#include "lockstep/draw/draw.hpp"
#include "lockstep/fuzz/fuzz_work.hpp"
#include "lockstep/judge/judge.hpp"
#include "lockstep/system/any_system.hpp"

namespace {

using namespace lockstep;

std::string target() { return beside_this_program("fuzz_" + std::string{this_system().name()}); }

void write_input(const std::string& file, const AnyScenario& scenario) {
  ASSERT_TRUE(write_file(file, as_chars(encoded(scenario))));
}

AnyScenario drawn_by(std::uint64_t seed) {
  Random random{seed};
  return drawn_scenario(this_vocabulary(), random, random.pick(styles));
}

TEST(FuzzTarget, RunsEveryInputBelowAFolderOnce) {
  const ScratchFolder folder;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    write_input(folder / ("inputs/" + std::to_string(seed % 3) + "/" + std::to_string(seed)), drawn_by(seed));
  }
  ASSERT_TRUE(write_file(folder / "inputs/empty", ""));
  const ProgramRun run = run_program({target(), "-runs=7", folder / "inputs"}, {}, folder);
  EXPECT_EQ(run.exit_code, 0) << run.output;
  EXPECT_NE(run.output.find("21 inputs, 21 executions"), std::string::npos) << run.output;
}

TEST(FuzzTarget, FindsAMistakeAndWritesItsFinding) {
  const auto& all = this_system().implementations();
  const auto canary = std::ranges::find(all, Kind::canary, &Runner::kind);
  ASSERT_NE(canary, all.end()) << "a system needs a canary";
  Judge judge{this_vocabulary(), {all.front(), *canary}};
  std::uint64_t seed = 0;
  while (judge.judge(drawn_by(seed)).agreed() && seed < 100'000) ++seed;
  const ScratchFolder folder;
  write_input(folder / "input", drawn_by(seed));
  const ProgramRun run =
      run_program({target(), folder / "input"}, {{"LOCKSTEP_WITH", std::string{canary->name}}}, folder);
  EXPECT_EQ(run.exit_code, 128 + SIGABRT) << run.output;
  const auto files = file_names(folder / "findings");
  ASSERT_EQ(files.size(), 1u) << run.output;
  const auto scenario = this_system().parse(read_file(folder / ("findings/" + files[0])).value());
  ASSERT_TRUE(scenario) << scenario.error().message(files[0]);
  EXPECT_TRUE(judge.judge(*scenario).diverged());
}

TEST(FuzzTarget, RefusesAScenarioThatWouldTakeTooLong) {
  AnyScenario scenario = this_vocabulary().scenario();
  for (const std::size_t last = actions_max(scenario); scenario.size() <= last;)
    scenario.set_action(scenario.size(), 0);
  const ScratchFolder folder;
  write_input(folder / "long", scenario);
  const ProgramRun run = run_program({target(), folder / "long"}, {}, folder);
  EXPECT_EQ(run.exit_code, 0) << run.output;
  EXPECT_NE(run.output.find("1 inputs, 1 executions, 1 refused"), std::string::npos) << run.output;
}

TEST(FuzzTarget, NamesAnInputThatCannotBeRead) {
  const ScratchFolder folder;
  const ProgramRun run = run_program({target(), folder / "nowhere"}, {}, folder);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.output.find("nowhere"), std::string::npos) << run.output;
}

}  // namespace
