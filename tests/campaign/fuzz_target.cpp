#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <string>
#include <thread>

#include "campaign/engine.hpp"
#include "lockstep/base/error.hpp"
#include "lockstep/process/files.hpp"
#include "lockstep/process/scratch.hpp"
#include "lockstep/services/report.hpp"
#include "lockstep/system/typed.hpp"
#include "tests/campaign/garden_system.hpp"
#include "tests/lockstep/expected.hpp"
#include "tests/programs/scripts.hpp"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

struct TargetOutcome {
  std::vector<Finding> findings;
  std::vector<std::string> faults;
  std::string note;
  bool detected = false;
};

EngineOptions options_of_tests() {
  return {.system = &garden(), .implementations = {"rulebook", "counts_short"}, .timeout = 1s};
}

/// The outcome of the engine.
TargetOutcome run(const EngineOptions& options, const TargetProcess& process, std::chrono::milliseconds stop_after,
                  std::uint64_t runs = 0) {
  const auto until = std::chrono::steady_clock::now() + stop_after;
  const auto engine = start_fuzz_target(options, process, runs, 3);
  while (engine->poll()) {
    if (std::chrono::steady_clock::now() >= until) engine->stop();
    std::this_thread::sleep_for(2ms);
  }
  return {engine->take_findings(), engine->faults(), engine->note(), engine->stats().diverged_at_ns.load() != 0};
}

/// The outcome of a campaign in which this shell script is the target.
TargetOutcome run(const std::string& script, std::chrono::milliseconds stop_after = 60s,
                  const EngineOptions& options = options_of_tests(), std::uint64_t runs = 0) {
  const ScratchFolder folder;
  write_script(folder / "target", script);
  return run(options, {.target = {"libfuzzer", folder / "target"}}, stop_after, runs);
}

Finding roses() {
  const Scenario<Garden> scenario{.setup = plot(1, 3, 3),
                                  .actions = {Garden::Plant{0, 0, 1}, Garden::Plant{0, 1, 1}, Garden::Plant{0, 2, 1}}};
  return {.signature = "garden counts_short observation plant count if flower=rose",
          .file_name = "garden-1.txt",
          .scenario = scenario_text<Garden>(scenario),
          .explanation = "at step 3",
          .minimal = true,
          .actions = 3};
}

/// On its scenario the implementation `hangs` takes a second to be judged.
Finding hang() {
  Finding out = roses();
  out.scenario = scenario_text<Garden>({.setup = {.moles = {}}, .actions = {Garden::Rain{7}}});
  return out;
}

/// As a target does: the file is there when it is complete.
std::string writes_line(const std::string& line) {
  return "cat > $LOCKSTEP_FINDINGS_JSON.new <<'END'\n" + line +
         "\nEND\nmv $LOCKSTEP_FINDINGS_JSON.new $LOCKSTEP_FINDINGS_JSON\nexit 77";
}
std::string writes(const Finding& finding) { return writes_line(to_json(finding)); }

std::string writes_unshrunk(const Finding& finding) {
  return "cat > $LOCKSTEP_FINDINGS_JSON.unshrunk <<'END'\n" + finding.scenario + "END\n";
}

TEST(FuzzTarget, AFindingIsReceivedComplete) {
  const TargetOutcome outcome = run(writes(roses()));
  const Finding finding = only(outcome.findings);
  EXPECT_EQ(finding.explanation, "at step 3");
  EXPECT_EQ(finding.scenario, roses().scenario);
  EXPECT_TRUE(finding.minimal);
  EXPECT_EQ(finding.engine, "libfuzzer");
  EXPECT_TRUE(outcome.faults.empty());
}

TEST(FuzzTarget, AFindingOnlyInTheTargetsBuildIsMarked) {
  Finding finding = roses();
  finding.scenario = scenario_text<Garden>({.setup = {.moles = {}}, .actions = {Garden::Wait{}}});
  EXPECT_TRUE(only(run(writes(finding)).findings).explanation.contains("other builds agree"));
}

TEST(FuzzTarget, ATargetWithoutAnImplementationIsSkipped) {
  const TargetOutcome outcome = run("echo \"fuzz_garden: there is no implementation 'counts_short'\" >&2; exit 2");
  EXPECT_NE(outcome.note, "");
  EXPECT_TRUE(outcome.faults.empty());
}

TEST(FuzzTarget, ATargetThatDiesWithoutAFindingIsAnInternalError) {
  const TargetOutcome outcome = run("echo some words; exit 3");
  EXPECT_TRUE(outcome.findings.empty());
  EXPECT_FALSE(outcome.detected);
  const std::string fault = only(outcome.faults);
  EXPECT_TRUE(fault.contains("exited with status 3") && fault.contains("some words")) << fault;
}

TEST(FuzzTarget, ATargetThatExitsWithStatus0WhileItJudgesIsAnInternalError) {
  for (const std::uint64_t runs : {0u, 1'000u}) {
    const std::string fault = only(run("exit 0", 60s, options_of_tests(), runs).faults);
    EXPECT_TRUE(fault.contains("exited with status 0")) << fault;
  }
}

/// The outcome of a target that leaves the scenario as an artifact, and no finding.
TargetOutcome run_with_artifact(const std::string& text, const EngineOptions& options = options_of_tests()) {
  const Bytes bytes = encoded(garden().parse(text).value());
  const ScratchFolder folder;
  const std::string file = folder / "bytes";
  EXPECT_TRUE(write_file(file, as_chars(bytes)));
  return run(
      "for word in \"$@\"; do case $word in -artifact_prefix=*) cp " + file + " ${word#*=}1;; esac; done; exit 77", 60s,
      options);
}

TEST(FuzzTarget, AnArtifactOnWhichOtherBuildsAgreeIsAFindingWithItsSignature) {
  const std::string text = scenario_text<Garden>({.setup = {.moles = {}}, .actions = {Garden::Wait{}}});
  const Finding finding = only(run_with_artifact(text).findings);
  EXPECT_EQ(finding.signature, "garden libfuzzer engine");
  EXPECT_EQ(finding.implementations, options_of_tests().implementations);
  EXPECT_EQ(finding.scenario, text);
}

TEST(FuzzTarget, AnArtifactWithoutAFindingIsJudgedAndShrunkHere) {
  const TargetOutcome outcome = run_with_artifact(roses().scenario);
  EXPECT_EQ(only(outcome.findings).signature, roses().signature);
  EXPECT_TRUE(outcome.detected);
}

TEST(FuzzTarget, KindsThatAreLeftOutAreLeftOutOfArtifacts) {
  EngineOptions options = options_of_tests();
  options.part.without = {"plant"};
  const Finding finding = only(run_with_artifact(roses().scenario, options).findings);
  EXPECT_EQ(finding.signature, "garden libfuzzer engine");  // not the failure that planting shows
  EXPECT_FALSE(finding.scenario.contains("plant ")) << finding.scenario;
}

TEST(FuzzTarget, ATargetThatIsKilledWhileItShrinksLosesNoFinding) {
  const Finding finding = only(run(writes_unshrunk(roses()) + "kill -9 $$").findings);
  EXPECT_EQ(finding.signature, roses().signature);
  EXPECT_EQ(finding.engine, "libfuzzer");
  EXPECT_TRUE(finding.minimal);
  EXPECT_EQ(run(writes_unshrunk(roses()) + writes(roses())).findings.size(), 1u) << "shrunk by the target";
}

TEST(FuzzTarget, AnExceptionOfTheSystemsOwnPartsIsAFaultAndNoFinding) {
  // Like a target, it leaves an artifact, too.
  const std::string fault = writes_line(fault_to_json("std::runtime_error: not today"));
  const TargetOutcome outcome =
      run("for word in \"$@\"; do case $word in -artifact_prefix=*) : >${word#*=}1;; esac; done\n" + fault);
  EXPECT_TRUE(outcome.findings.empty());
  EXPECT_FALSE(outcome.detected);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "an exception that no implementation threw: std::runtime_error: not today",
                      only(outcome.faults));
}

TEST(FuzzTarget, AnExceptionWhileADifferenceIsShrunkDoesNotLoseIt) {
  const TargetOutcome outcome =
      run(writes_unshrunk(roses()) + writes_line(fault_to_json("std::runtime_error: not today")));
  EXPECT_EQ(outcome.faults.size(), 1u);
  EXPECT_EQ(only(outcome.findings).signature, roses().signature);
}

/// The child processes of this one.
std::vector<pid_t> children() {
  std::vector<pid_t> out;
  std::ifstream in{"/proc/self/task/" + std::to_string(getpid()) + "/children"};
  for (pid_t child = 0; in >> child;) out.push_back(child);
  return out;
}

/// A shell script in place of a target that judges an implementation that hangs.
class HangingTarget {
 public:
  explicit HangingTarget(const std::string& script) {
    options_.implementations = {"rulebook", "hangs"};
    write_script(folder_ / "target", script);
  }
  std::unique_ptr<Engine> start() const {
    return start_fuzz_target(options_, {.target = {"libfuzzer", folder_ / "target"}}, 0, 3);
  }

 private:
  EngineOptions options_ = options_of_tests();
  ScratchFolder folder_;
};

TEST(FuzzTarget, WhileAFindingIsJudgedAgainOtherEnginesCanBePolled) {
  const HangingTarget hanging{writes(hang())};
  const auto engine = hanging.start();
  const pid_t target = children().at(0);
  int polls_after_its_end = 0;
  while (engine->poll()) {
    const auto now = children();
    if (std::ranges::find(now, target) == now.end()) ++polls_after_its_end;
    std::this_thread::sleep_for(2ms);
  }
  EXPECT_GT(polls_after_its_end, 1);  // one that blocked would do all in its last poll
  EXPECT_EQ(engine->take_findings().size(), 1u);
  EXPECT_TRUE(engine->faults().empty());
}

TEST(FuzzTarget, WhenTheProcessThatShrinksIsKilledAnotherOneDoes) {
  const HangingTarget hanging{writes_unshrunk(hang()) + "kill -9 $$"};
  for (const int kills : {2, 3}) {
    const auto engine = hanging.start();
    const pid_t target = children().at(0);
    pid_t killed = target;
    for (int left = kills; engine->poll(); std::this_thread::sleep_for(1ms)) {
      const auto now = children();
      if (left == 0 || now.empty() || now.front() == killed || now.front() == target) continue;
      killed = now.front();
      --left;
      kill(killed, SIGKILL);
    }
    const Finding finding = only(engine->take_findings());
    EXPECT_EQ(finding.signature == "garden libfuzzer engine", kills == 3) << finding.signature;
    EXPECT_TRUE(finding.scenario.contains("rain")) << finding.scenario;
    // After the third kill it is not known whether other builds fail on it.
    const auto says_so = [](std::string_view text) { return text.contains("could not be judged again"); };
    EXPECT_EQ(says_so(finding_text(finding)), kills == 3) << finding_text(finding);
    EXPECT_EQ(says_so(finding.explanation), kills == 3) << finding.explanation;
    EXPECT_FALSE(finding_text(finding).contains("only the build of libfuzzer fails")) << finding_text(finding);
    EXPECT_EQ(engine->faults().size(), kills == 3 ? 1u : 0u);
  }
}

TEST(FuzzTarget, AfterAStopAJudgementThatDoesNotEndIsGivenUpAndTheFindingIsKept) {
  const HangingTarget hanging{writes(hang())};
  const auto engine = hanging.start();
  const pid_t target = children().at(0);
  pid_t judging = 0;
  bool runs = true;
  const auto until = std::chrono::steady_clock::now() + 30s;
  while ((runs = engine->poll()) && std::chrono::steady_clock::now() < until) {
    const auto now = children();
    if (judging == 0 && !now.empty() && now.front() != target) {
      judging = now.front();
      kill(judging, SIGSTOP);
    }
    if (judging != 0) engine->stop();
    std::this_thread::sleep_for(2ms);
  }
  EXPECT_FALSE(runs);
  EXPECT_EQ(engine->take_findings().size(), 1u);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "a finding could not be judged again: the time was up",
                      only(engine->faults()));
}

TEST(FuzzTarget, ATargetThatIsKilledFromOutsideIsNoFindingAndSaysSo) {
  const TargetOutcome outcome = run("kill -9 $$");
  EXPECT_TRUE(outcome.findings.empty());
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "was killed from outside (signal 9)", only(outcome.faults));
}

TEST(FuzzTarget, StoppingKillsATargetThatIgnoresTheSignal) {
  const TargetOutcome outcome = run("trap '' TERM; while :; do sleep 0.1; done", 100ms);
  EXPECT_TRUE(outcome.findings.empty());
  EXPECT_TRUE(outcome.faults.empty());
}

}  // namespace
}  // namespace lockstep
