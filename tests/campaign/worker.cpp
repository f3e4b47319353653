#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <stdexcept>
#include <thread>

#include "campaign/engine.hpp"
#include "lockstep/base/error.hpp"
#include "lockstep/process/files.hpp"
#include "lockstep/process/scratch.hpp"
#include "lockstep/services/report.hpp"
#include "lockstep/system/registered.hpp"
#include "lockstep/system/typed.hpp"
#include "tests/campaign/garden_system.hpp"
#include "tests/lockstep/expected.hpp"
#include "tests/lockstep/toy.hpp"

namespace lockstep {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

struct WorkerOutcome {
  std::vector<Finding> findings;
  std::vector<std::string> faults;
  std::uint64_t scenarios = 0;
  Clock::time_point diverged_at;
};

/// Polls the worker until it has ended, and asks it to end while `stops()`.
WorkerOutcome outcome_of(Engine& worker, const std::function<bool()>& stops = [] { return false; }) {
  while (worker.poll()) {
    if (stops()) worker.stop();
    std::this_thread::sleep_for(2ms);
  }
  return {worker.take_findings(), worker.faults(), worker.stats().scenarios.load(),
          Clock::time_point{std::chrono::nanoseconds{worker.stats().diverged_at_ns.load()}}};
}

const std::vector<Generator> all_generators{generators.begin(), generators.end()};

/// The limits of a worker; it is asked to end after `patience`.
struct Limits {
  std::chrono::milliseconds patience = 60s;
  std::chrono::milliseconds timeout = 20s;
  std::uint64_t scenarios = UINT64_MAX;
  bool keep_going = false;
};

/// Runs one worker for this implementation.
WorkerOutcome work(const std::string& implementation, const Limits& limits = {}) {
  const auto until = Clock::now() + limits.patience;
  const auto worker = start_worker({.system = &garden(),
                                    .implementations = {"rulebook", implementation},
                                    .part = {.end = limits.scenarios,
                                             .generators = all_generators,
                                             .deadline = until,
                                             .shrink_time = 20s,
                                             .keep_going = limits.keep_going},
                                    .timeout = limits.timeout});
  return outcome_of(*worker, [&] { return Clock::now() >= until; });
}
Finding found_of(const std::string& implementation, const Limits& limits = {}) {
  return only(work(implementation, limits).findings);
}

/// The finding of two implementations on this scenario, shrunk without a worker.
Finding shrunk(const std::string& implementation, const Scenario<Garden>& scenario,
               std::chrono::milliseconds time = 20s, const Signatures& known = {},
               const std::function<bool()>& stopped = {}) {
  const auto finding =
      shrunk_finding(untyped<Garden>(scenario), {"rulebook", implementation}, Guard{20s}, time, known, stopped);
  EXPECT_TRUE(finding) << implementation;
  return finding.value_or(Finding{});
}

/// The processes that run `sleep ARGUMENT`.
int sleepers(std::string_view argument) {
  int count = 0;
  for (const auto& process : std::filesystem::directory_iterator{"/proc"}) {
    const auto line = read_file(process.path() / "cmdline");
    if (line && *line == std::string{"sleep"} + '\0' + std::string{argument} + '\0') ++count;
  }
  return count;
}

TEST(Worker, JudgesItsPartOfTheStream) {
  const WorkerOutcome outcome = work("honest", {.scenarios = 200});
  EXPECT_EQ(outcome.scenarios, 200u);
  EXPECT_TRUE(outcome.findings.empty());
  EXPECT_TRUE(outcome.faults.empty());
}

TEST(Worker, ADifferenceIsAFindingOfItsGenerator) {
  const Finding finding = found_of("counts_short");
  EXPECT_TRUE(finding.signature.starts_with("garden counts_short observation ")) << finding.signature;
  EXPECT_NE(finding.engine, "");
}

TEST(Worker, AnImplementationThatClosesAllDescriptorsIsJudgedAsAnyOther) {
  const WorkerOutcome outcome = work("closes_files");
  const Finding finding = only(outcome.findings);
  EXPECT_TRUE(finding.signature.starts_with("garden closes_files observation ")) << finding_text(finding);
  EXPECT_TRUE(finding.minimal);
  EXPECT_TRUE(outcome.faults.empty());
}

TEST(Worker, AChanceThatAChanceConfirmsIsNoOrdinaryFindingAndTheSearchGoesOn) {
  const WorkerOutcome outcome = work("wrong_at_first", {.scenarios = 100});
  const Finding finding = only(outcome.findings);
  EXPECT_EQ(finding.signature, "garden wrong_at_first nondeterministic unstable");
  EXPECT_TRUE(finding.unstable);
  EXPECT_TRUE(finding.explanation.contains("wrong_at_first is not deterministic")) << finding.explanation;
  EXPECT_EQ(outcome.scenarios, 100u);
}

TEST(Worker, AProcessThatAnImplementationForksDoesNotJudge) {
  const WorkerOutcome outcome = work("forks");
  EXPECT_TRUE(outcome.findings.empty());
  const std::string fault = only(outcome.faults);
  EXPECT_TRUE(fault.starts_with("forks calls fork(), and both processes return")) << fault;
  const Scenario<Garden> scenario{.setup = {.moles = {}}, .actions = {}};
  const Replay replay = replay_of(untyped<Garden>(scenario), {"rulebook", "forks"}, {});
  EXPECT_EQ(replay.verdict.state, Verdict::State::cannot_judge) << replay.explanation;
}

TEST(Worker, WhatCannotBeJudgedIsNoFinding) {
  const Scenario<Garden> scenario{.setup = {.moles = {}}, .actions = {}};
  const std::string fault = message_of<InternalError>(
      [&] { static_cast<void>(shrunk_finding(untyped<Garden>(scenario), {"rulebook", "forks"}, Guard{20s}, 5s)); });
  EXPECT_TRUE(fault.starts_with("forks calls fork()")) << fault;
}

TEST(Worker, AWorkerWhoseMemoryGrowsIsBegunAnew) {
  const StreamPart part{.end = 500, .generators = all_generators, .deadline = Clock::now() + 60s};
  const auto worker = start_worker(
      {.system = &garden(), .implementations = {"rulebook", "hoards"}, .part = part, .growth_max = 32 << 20});
  const WorkerOutcome outcome = outcome_of(*worker);
  EXPECT_TRUE(outcome.findings.empty());
  EXPECT_TRUE(outcome.faults.empty());
  EXPECT_EQ(outcome.scenarios, 500u);  // 128 MiB in all
  EXPECT_TRUE(worker->note().starts_with("worker grew by 32 MiB of memory, about ")) << worker->note();
}

TEST(Worker, AWorkerThatIsBegunAnewGoesOnWithTheCorpus) {
  const ScratchFolder corpus;
  constexpr std::size_t count = 200;
  for (std::size_t i = 0; i < count; ++i) {
    const Scenario<Garden> waits{.setup = {.moles = {}}, .actions = std::vector<Garden::Action>(i, Garden::Wait{})};
    ASSERT_TRUE(write_file(corpus / ("garden/" + std::to_string(i) + ".txt"), scenario_text<Garden>(waits)));
  }
  const StreamPart part{
      .end = count, .generators = {Generator::mutated}, .corpus = corpus.path(), .deadline = Clock::now() + 60s};
  const auto worker = start_worker(
      {.system = &garden(), .implementations = {"rulebook", "hoards"}, .part = part, .growth_max = 16 << 20});
  EXPECT_EQ(outcome_of(*worker).scenarios, count);
  EXPECT_EQ(worker->stats().steps.load(), count * (count - 1) / 2) << "not each of the corpus, once";
}

TEST(Worker, ADeathIsAFindingThatNamesTheImplementation) {
  for (const auto& [implementation, death] :
       {std::pair{"crashes", "exit 5"}, {"exits", "exit 0"}, {"kills_itself", "signal 9"}}) {
    const WorkerOutcome outcome = work(implementation);
    EXPECT_EQ(only(outcome.findings).signature, std::string{"garden "} + implementation + " crash rain " + death);
    EXPECT_TRUE(outcome.faults.empty());
  }
}

TEST(Worker, TheTimeOfACrashIsBeforeItsShrinking) {
  static_cast<void>(last_crash());  // maps the shared memory before the worker is started
  const WorkerOutcome outcome = work("crashes");
  EXPECT_EQ(outcome.findings.size(), 1u);
  EXPECT_LT(outcome.diverged_at, last_crash().load());
}

TEST(Worker, AFailureThatNeedsEarlierScenariosIsAnUnstableFindingAndTheSearchGoesOn) {
  const WorkerOutcome outcome = work("wears_out", {.scenarios = 100});
  EXPECT_EQ(outcome.scenarios, 98u);  // without the two that crashed
  EXPECT_TRUE(outcome.faults.empty());
  ASSERT_FALSE(outcome.findings.empty());
  const Finding& finding = outcome.findings[0];
  EXPECT_TRUE(finding.unstable);
  EXPECT_FALSE(finding.minimal);
  EXPECT_TRUE(finding.signature.ends_with(" exit 6 unstable")) << finding.signature;
  EXPECT_TRUE(finding_text(finding).contains("wears_out exited with status 6")) << finding_text(finding);
  EXPECT_TRUE(finding_text(finding).contains(
      "\n  unstable: alone the scenario does not fail, but in a process that has judged the "
      "39 before it\n"))
      << finding_text(finding);
}

TEST(Worker, AnUnstableFindingNamesTheScenarioThatDamagesTheProcess) {
  const WorkerOutcome outcome = work("damages_unseen", {.scenarios = 3'000});
  ASSERT_FALSE(outcome.findings.empty());
  const Finding& finding = outcome.findings[0];
  EXPECT_EQ(finding.signature, "garden damages_unseen crash rain signal 6 unstable");
  const std::size_t cause =
      finding_text(finding).find("in a process that has judged this one before:\n    lockstep 1 garden\n");
  ASSERT_NE(cause, std::string::npos) << finding_text(finding);
  EXPECT_NE(finding_text(finding).find("rain amount=7\n", cause), std::string::npos) << finding_text(finding);
}

TEST(Worker, ADifferenceThatNeedsEarlierScenariosIsUnstableToo) {
  const WorkerOutcome outcome = work("damages_answers", {.scenarios = 3'000});
  const Finding finding = only(outcome.findings);
  EXPECT_EQ(finding.signature, "garden damages_answers observation rain water unstable");
  EXPECT_TRUE(finding_text(finding).contains("\n  unstable: "));
  EXPECT_GT(outcome.scenarios, 2'900u);
}

TEST(Worker, WhileADifferenceIsJudgedAgainOtherEnginesCanBePolled) {
  const auto worker = start_worker({.system = &garden(),
                                    .implementations = {"rulebook", "wrong_in_workers"},
                                    .part = {.generators = all_generators, .deadline = Clock::now() + 60s}});
  std::vector<Finding> findings;
  int polls_after_its_end = 0;
  while (worker->poll()) {
    if (worker->stats().done.load() != 0) ++polls_after_its_end;
    for (auto& finding : worker->take_findings()) findings.push_back(std::move(finding));
    if (!findings.empty()) worker->stop();
    std::this_thread::sleep_for(2ms);
  }
  EXPECT_GT(polls_after_its_end, 1);  // one that blocked would do all in its last poll
  const Finding finding = only(findings);
  EXPECT_EQ(finding.signature, "garden wrong_in_workers observation wait water unstable");
  EXPECT_TRUE(finding_text(finding).contains("\n  unstable: " + std::string{not_again} + "\n"))
      << finding_text(finding);
  EXPECT_NE(finding.engine, "");
  EXPECT_TRUE(worker->faults().empty());
}

TEST(Worker, AFailureThatIsKnownIsNotShrunk) {
  const Finding finding = shrunk("crashes", {.setup = {.moles = {}}, .actions = {Garden::Wait{}, Garden::Rain{7}}}, 5s,
                                 {"garden crashes crash rain exit 5"});
  EXPECT_EQ(finding.actions, 2u);
  EXPECT_EQ(finding.judgements, 0u);
}

TEST(Worker, ShrinkingThatIsStoppedKeepsWhatItHasReached) {
  Scenario<Garden> scenario{.setup = plot(1, 3, 3), .actions = {}};
  scenario.actions.assign(30, Garden::Wait{});
  for (int column = 0; column < 3; ++column) scenario.actions.push_back(Garden::Plant{0, column, 1});
  scenario.actions.push_back(Garden::Rain{7});
  const auto start = Clock::now();
  for (const char* failing : {"dozes", "crashes"}) {  // one child judges all, and each has a child of its own
    int asked = 0;
    const Finding finding = shrunk(failing, scenario, 10min, {}, [&] { return ++asked > 4; });
    EXPECT_FALSE(finding.minimal) << failing;
    EXPECT_LT(finding.actions, finding.actions_before) << failing;
  }
  EXPECT_LT(Clock::now() - start, 5min);
}

TEST(Worker, AFailureIsKeptAsItIsWhereNoneIsToBeShrunk) {
  for (const bool shrinks : {true, false}) {
    const auto worker = start_worker({.system = &garden(),
                                      .implementations = {"rulebook", "counts_short"},
                                      .part = {.generators = all_generators, .deadline = Clock::now() + 60s}});
    if (!shrinks) worker->stop_shrinking();
    EXPECT_EQ(only(outcome_of(*worker).findings).minimal, shrinks);
  }
}

TEST(Worker, AnEarlierScenarioThatFailsWithSnapshotsAtEveryStepIsTheFinding) {
  const WorkerOutcome outcome = work("damages", {.scenarios = 20'000});
  ASSERT_FALSE(outcome.findings.empty());
  const Finding& finding = outcome.findings.back();  // one whose cause is too long ago to be known is unstable
  EXPECT_EQ(finding.signature, "garden damages snapshot rain fence");
  EXPECT_FALSE(finding.unstable);
  EXPECT_TRUE(finding.minimal);
  EXPECT_EQ(finding.actions, 13u) << finding_text(finding);
}

TEST(Worker, TheErrorOutputOfACrashIsPartOfTheFinding) {
  const Finding finding = found_of("throws");
  EXPECT_EQ(finding.signature, "garden throws crash rain signal 6");
  EXPECT_TRUE(
      finding_text(finding).contains("    terminate called after throwing an instance of 'std::runtime_error'\n"
                                     "      what():  no more rain\n"))
      << finding_text(finding);
}

TEST(Worker, AHangNamesTheImplementationAndIsShrunkInItsTime) {
  const auto start = Clock::now();
  const Finding finding = found_of("hangs", {.timeout = 3s});  // on a busy machine, any action may take 0.3 s
  EXPECT_EQ(finding.signature, "garden hangs hang rain timeout");
  EXPECT_EQ(finding.actions, 1u);
  EXPECT_GT(finding.judgements, 0u);
  EXPECT_TRUE(finding_text(finding).contains("hangs did not answer within 3 s")) << finding_text(finding);
  // Until it is seen, shrunk and confirmed, 5 s on a free machine. If each of a hundred candidates took the timeout, the time
  // for shrinking would end first, with more actions.
  EXPECT_LT(Clock::now() - start, 60s);
}

TEST(Worker, ACrashThatTakesLongIsReportedAsACrash) {
  const Finding finding =
      shrunk("dies_slowly", {.setup = {.moles = {}}, .actions = {Garden::Wait{}, Garden::Rain{207}}});
  EXPECT_EQ(finding.signature, "garden dies_slowly crash rain exit 7");
  EXPECT_EQ(finding.actions, 1u);
}

TEST(Worker, WhatIsOnlySlowIsNotShrunkAsAHang) {
  const Scenario<Garden> scenario{
      .setup = plot(1, 3, 3),
      .actions = {Garden::Rain{7}, Garden::Plant{0, 0, 1}, Garden::Plant{0, 1, 1}, Garden::Plant{0, 2, 1}}};
  // One judgement takes longer than its conditions may.
  EXPECT_EQ(shrunk("dozes", scenario, 5s).signature, "garden dozes observation plant count");
}

TEST(Worker, UnreproducibleKillsAreNoFindingAndAWorkerThatGivesUpReportsThem) {
  const WorkerOutcome outcome = work("is_killed", {.patience = 300s, .keep_going = true});
  EXPECT_TRUE(outcome.findings.empty());
  const std::string fault = only(outcome.faults);
  for (const auto* const part : {"killed from outside (signal 9), by hand or because memory ran out, 30 times",
                                 "agrees when it is judged again", "one worker was given up"})
    EXPECT_TRUE(fault.contains(part)) << fault;
}

TEST(Worker, AKnownHangIsPassedOverAfterATenthOfTheTimeout) {
  const Signatures known{"garden hangs hang rain timeout"};
  const auto worker = start_worker(
      {.system = &garden(),
       .implementations = {"rulebook", "hangs"},
       .part = {.generators = all_generators, .deadline = Clock::now() + 10min, .keep_going = true, .ignored = known},
       .timeout = 10s,
       .known = &known});
  const auto start = Clock::now();
  EXPECT_TRUE(outcome_of(*worker, [&] { return worker->stats().ignored.load() >= 2; }).findings.empty());
  EXPECT_GE(Clock::now() - start, 2s);  // a tenth is waited for, twice
  EXPECT_EQ(worker->stats().diverged_at_ns.load(), 0u) << "a hang was waited for to its end";
}

TEST(Worker, KilledAtTheDeadlineWhileStuckAtOneActionIsAHang) {
  const Finding finding = found_of("hangs", {.patience = 500ms, .timeout = 6s});  // a tenth of it is after the deadline
  EXPECT_EQ(finding.signature, "garden hangs hang rain timeout");
  EXPECT_EQ(finding.judgements, 1u);  // after the deadline nothing is shrunk
}

TEST(Worker, ADifferenceThatIsBeingConfirmedAtTheDeadlineIsNotLost) {
  for (const std::string implementation : {"wrong_and_slow", "wrong_and_slow_once"}) {
    last_crash().store({});
    const auto worker =
        start_worker({.system = &garden(),
                      .implementations = {"rulebook", implementation},
                      .part = {.generators = all_generators, .deadline = Clock::now() + 60s, .shrink_time = 1ms},
                      .timeout = 20s});
    // Confirming it takes longer than the 2 s after the first wrong answer.
    const auto outcome = outcome_of(*worker, [] { return last_crash().load() != Clock::time_point{}; });
    if (implementation == "wrong_and_slow") {
      EXPECT_EQ(only(outcome.findings).signature, "garden wrong_and_slow observation rain water");
    } else if (outcome.findings.empty()) {  // else it was confirmed in time
      const std::string fault = only(outcome.faults);
      EXPECT_TRUE(fault.contains("saw a difference that did not appear again")) << fault;
    }
  }
}

TEST(Worker, KilledAtTheDeadlineWhileSlowIsNoFinding) {
  const WorkerOutcome outcome = work("slow", {.patience = 300ms});
  EXPECT_TRUE(outcome.findings.empty());
  EXPECT_TRUE(outcome.faults.empty());
}

TEST(Worker, ProcessesOfAnImplementationEndWithTheWorker) {
  ASSERT_EQ(sleepers(left_behind), 0);
  EXPECT_EQ(work("starts_processes", {.scenarios = 50}).scenarios, 50u);
  const auto until = Clock::now() + 5s;
  while (sleepers(left_behind) > 0 && Clock::now() < until) std::this_thread::sleep_for(10ms);
  EXPECT_EQ(sleepers(left_behind), 0);
}

/// Numbers are added. Two parts of the system itself throw exceptions: the law in a bad mood, which no suggestion has but
/// shrinking tries, and the suggestions when they tire.
struct Moody {
  static constexpr std::string_view name = "moody";
  static inline bool tires = false;
  struct Setup {
    int mood = 5;
    bool operator==(const Setup&) const = default;
  };
  using Snapshot = Setup;
  using Add = ActionOf<"add", int>;
  using Action = std::variant<Add>;
  struct Observation {
    int sum = 0;
    bool operator==(const Observation&) const = default;
  };
  static void describe(auto& io, Setup& s) { io.number("mood", s.mood, 0, 9); }
  static void describe(auto& io, const Setup&, Add& a) { io.number("amount", a.value, 0, 9); }
  static void describe(auto& io, Observation& o) { io.value("sum", o.sum); }

  struct Laws {
    static std::string violation(const Setup& s, const Snapshot&, const Action&, const Observation&, const Snapshot&) {
      if (s.mood < 5) throw std::runtime_error{"not today"};
      return "";
    }
  };
  struct Suggestions {
    explicit Suggestions(Random&) { ++scenarios; }
    Setup setup(Random&) const { return {}; }
    Action action(Random&, const Setup&) const {
      if (tires && scenarios > 1 && ++actions == 100) throw std::runtime_error{"no more ideas"};
      return Add{1};
    }
    static inline int scenarios = 0;
    static inline int actions = 0;  // from the second scenario on
  };
};

template <int most>
struct MoodySum {
  explicit MoodySum(const Moody::Setup& setup) : setup_{setup} {}
  Moody::Observation step(const Moody::Action& action) {
    return {sum_ = std::min(most, sum_ + std::get<Moody::Add>(action).value)};
  }
  const Moody::Snapshot& snapshot() const { return setup_; }

 private:
  Moody::Setup setup_;
  int sum_ = 0;
};

[[maybe_unused]] const std::array registered_sums = {
    register_implementation<MoodySum<1'000'000>, Moody>("sum", Kind::reference, "adds"),
    register_implementation<MoodySum<1'000'000>, Moody>("same", Kind::optimized, "adds, too"),
    register_implementation<MoodySum<3>, Moody>("small", Kind::plugin, "stops at three", untimed),
};

/// The outcome of a worker that judges suggested scenarios.
WorkerOutcome work_in_a_mood(const std::string& implementation) {
  static const AnySystem moody{system_parts<Moody>()};
  const auto until = Clock::now() + 60s;
  const StreamPart part{.end = 1'000, .generators = {Generator::suggested}, .deadline = until};
  const auto worker = start_worker({.system = &moody, .implementations = {"sum", implementation}, .part = part});
  return outcome_of(*worker, [&] { return Clock::now() >= until; });
}

TEST(Worker, AnExceptionOfTheSystemsSuggestionsIsAFaultAndNoFinding) {
  Moody::tires = true;
  const WorkerOutcome outcome = work_in_a_mood("same");
  Moody::tires = false;
  EXPECT_TRUE(outcome.findings.empty());
  EXPECT_GT(outcome.scenarios, 0u);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "std::runtime_error: no more ideas", only(outcome.faults));
}

TEST(Worker, AnExceptionOfTheSystemsLawsWhileADifferenceIsShrunkDoesNotLoseIt) {
  const WorkerOutcome outcome = work_in_a_mood("small");
  EXPECT_TRUE(outcome.faults.empty());
  EXPECT_EQ(only(outcome.findings).signature, "moody small observation add sum");
}

}  // namespace
}  // namespace lockstep
