#include <gtest/gtest.h>

#include <array>
#include <stdexcept>
#include <thread>

#include "campaign/engine.hpp"
#include "lockstep/error.hpp"
#include "lockstep/files.hpp"
#include "lockstep/registered.hpp"
#include "lockstep/report.hpp"
#include "lockstep/scratch.hpp"
#include "lockstep/typed.hpp"
#include "tests/campaign/garden_system.hpp"

namespace lockstep {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

struct WorkerOutcome {
  std::vector<FindingText> findings;
  std::vector<std::string> faults;
  std::uint64_t scenarios = 0;
  Clock::time_point diverged_at;
};

/// Polls the worker until it has ended, and asks it to end at that time.
WorkerOutcome outcome_of(Engine& worker, Clock::time_point until) {
  while (worker.poll()) {
    if (Clock::now() >= until) worker.stop();
    std::this_thread::sleep_for(2ms);
  }
  return {worker.take_findings(), worker.faults(), worker.stats().scenarios.load(),
          Clock::time_point{std::chrono::nanoseconds{worker.stats().diverged_at_ns.load()}}};
}

/// Runs one worker for this implementation; asks it to end after `patience`.
WorkerOutcome work(const std::string& implementation, std::chrono::milliseconds patience = 60s,
                   std::chrono::milliseconds timeout = 20s, std::uint64_t scenarios_max = UINT64_MAX,
                   bool keep_going = false) {
  const auto until = Clock::now() + patience;
  const auto worker = start_worker({.system = &garden(),
                                    .implementations = {"rulebook", implementation},
                                    .corpus = "/nowhere",
                                    .keep_going = keep_going,
                                    .timeout = timeout},
                                   {.end = scenarios_max,
                                    .generators = {generators.begin(), generators.end()},
                                    .deadline = until,
                                    .shrink_time = 20s,
                                    .keep_going = keep_going});
  return outcome_of(*worker, until);
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
  const WorkerOutcome outcome = work("honest", 60s, 20s, 200);
  EXPECT_EQ(outcome.scenarios, 200u);
  EXPECT_TRUE(outcome.findings.empty());
  EXPECT_TRUE(outcome.faults.empty());
}

TEST(Worker, ADifferenceIsAFindingOfItsGenerator) {
  const WorkerOutcome outcome = work("counts_short");
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_TRUE(outcome.findings[0].signature.starts_with("garden counts_short observation "));
  EXPECT_NE(outcome.findings[0].engine, "");
}

TEST(Worker, AnImplementationThatClosesAllDescriptorsIsJudgedAsAnyOther) {
  const WorkerOutcome outcome = work("closes_files");
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_TRUE(outcome.findings[0].signature.starts_with("garden closes_files observation "))
      << outcome.findings[0].text;
  EXPECT_TRUE(outcome.findings[0].minimal);
  EXPECT_TRUE(outcome.faults.empty());
}

TEST(Worker, AChanceThatAChanceConfirmsIsNoOrdinaryFindingAndTheSearchGoesOn) {
  const WorkerOutcome outcome = work("wrong_at_first", 60s, 20s, 100);
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].signature, "garden wrong_at_first nondeterministic unstable");
  EXPECT_TRUE(outcome.findings[0].unstable);
  EXPECT_TRUE(outcome.findings[0].explanation.contains("wrong_at_first is not deterministic"))
      << outcome.findings[0].explanation;
  EXPECT_EQ(outcome.scenarios, 100u);
}

TEST(Worker, AProcessThatAnImplementationForksDoesNotJudge) {
  const WorkerOutcome outcome = work("forks");
  EXPECT_TRUE(outcome.findings.empty());
  ASSERT_EQ(outcome.faults.size(), 1u);
  EXPECT_TRUE(outcome.faults[0].starts_with("forks calls fork(), and both processes return")) << outcome.faults[0];
  const auto replay = garden().judging().replay(scenario_text<Garden>({.setup = {.moles = {}}, .actions = {}}),
                                                {"rulebook", "forks"}, {});
  ASSERT_TRUE(replay);
  EXPECT_FALSE(replay->verdict.diverged()) << replay->explanation;
}

TEST(Worker, WhatCannotBeJudgedIsNoFinding) {
  const std::string text = scenario_text<Garden>({.setup = {.moles = {}}, .actions = {}});
  std::string fault;
  for (int i = 0; i < 100 && fault.empty(); ++i) {  // the copy may end with the judge before it has told
    try {
      static_cast<void>(garden().judging().shrink(text, {"rulebook", "forks"}, Guard{20s}, 5s));
    } catch (const InternalError& error) {
      fault = error.what();
    }
  }
  EXPECT_TRUE(fault.starts_with("forks calls fork()")) << fault;
}

TEST(Worker, AWorkerWhoseMemoryGrowsIsBegunAnew) {
  const auto worker = start_worker(
      {.system = &garden(), .implementations = {"rulebook", "hoards"}, .corpus = "/nowhere", .growth_max = 32 << 20},
      {.end = 500, .generators = {generators.begin(), generators.end()}, .deadline = Clock::now() + 60s});
  while (worker->poll()) std::this_thread::sleep_for(2ms);
  EXPECT_TRUE(worker->take_findings().empty());
  EXPECT_TRUE(worker->faults().empty());
  EXPECT_EQ(worker->stats().scenarios.load(), 500u);  // 128 MiB in all
  EXPECT_TRUE(worker->note().starts_with("worker grew by 32 MiB of memory, about ")) << worker->note();
}

TEST(Worker, AWorkerThatIsBegunAnewGoesOnWithTheCorpus) {
  const ScratchFolder corpus;
  constexpr std::size_t count = 200;
  for (std::size_t i = 0; i < count; ++i) {
    const Scenario<Garden> waits{.setup = {.moles = {}}, .actions = std::vector<Garden::Action>(i, Garden::Wait{})};
    ASSERT_TRUE(write_file(corpus / ("garden/" + std::to_string(i) + ".txt"), scenario_text<Garden>(waits)));
  }
  const auto worker = start_worker(
      {.system = &garden(), .implementations = {"rulebook", "hoards"}, .growth_max = 16 << 20},
      {.end = count, .generators = {Generator::mutated}, .corpus = corpus.path(), .deadline = Clock::now() + 60s});
  while (worker->poll()) std::this_thread::sleep_for(2ms);
  EXPECT_EQ(worker->stats().scenarios.load(), count);
  EXPECT_EQ(worker->stats().steps.load(), count * (count - 1) / 2) << "not each of the corpus, once";
}

TEST(Worker, ACrashIsAFindingThatNamesTheImplementation) {
  const WorkerOutcome outcome = work("crashes");
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].signature, "garden crashes crash rain exit 5");
  EXPECT_TRUE(outcome.faults.empty());
}

TEST(Worker, TheTimeOfACrashIsBeforeItsShrinking) {
  static_cast<void>(last_crash());  // maps the shared memory before the worker is started
  const WorkerOutcome outcome = work("crashes");
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_LT(outcome.diverged_at, last_crash().load());
}

TEST(Worker, AFailureThatNeedsEarlierScenariosIsAnUnstableFindingAndTheSearchGoesOn) {
  const WorkerOutcome outcome = work("wears_out", 60s, 20s, 100);
  EXPECT_EQ(outcome.scenarios, 98u);  // without the two that crashed
  EXPECT_TRUE(outcome.faults.empty());
  ASSERT_FALSE(outcome.findings.empty());
  const FindingText& finding = outcome.findings[0];
  EXPECT_TRUE(finding.unstable);
  EXPECT_FALSE(finding.minimal);
  EXPECT_TRUE(finding.signature.ends_with(" exit 6 unstable")) << finding.signature;
  EXPECT_TRUE(finding.text.contains("wears_out exited with status 6")) << finding.text;
  EXPECT_TRUE(
      finding.text.contains("# unstable: alone the scenario does not fail, but in a process that has judged the "
                            "39 before it\n"))
      << finding.text;
}

TEST(Worker, AnUnstableFindingNamesTheScenarioThatDamagesTheProcess) {
  const WorkerOutcome outcome = work("damages_unseen", 60s, 20s, 3'000);
  ASSERT_FALSE(outcome.findings.empty());
  const FindingText& finding = outcome.findings[0];
  EXPECT_EQ(finding.signature, "garden damages_unseen crash rain signal 6 unstable");
  const std::size_t cause = finding.text.find("in a process that has judged this one before:\n#   lockstep 1 garden\n");
  ASSERT_NE(cause, std::string::npos) << finding.text;
  EXPECT_NE(finding.text.find("07\n", cause), std::string::npos) << finding.text;
}

TEST(Worker, ADifferenceThatNeedsEarlierScenariosIsUnstableToo) {
  const WorkerOutcome outcome = work("damages_answers", 60s, 20s, 3'000);
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].signature, "garden damages_answers observation rain water unstable");
  EXPECT_TRUE(outcome.findings[0].text.contains("# unstable: "));
  EXPECT_GT(outcome.scenarios, 2'900u);
}

TEST(Worker, WhileADifferenceIsJudgedAgainOtherEnginesCanBePolled) {
  const auto worker =
      start_worker({.system = &garden(), .implementations = {"rulebook", "wrong_in_workers"}, .corpus = "/nowhere"},
                   {.generators = {generators.begin(), generators.end()}, .deadline = Clock::now() + 60s});
  std::vector<FindingText> findings;
  int polls_after_its_end = 0;
  while (worker->poll()) {
    if (worker->stats().done.load() != 0) ++polls_after_its_end;
    for (auto& finding : worker->take_findings()) findings.push_back(std::move(finding));
    if (!findings.empty()) worker->stop();
    std::this_thread::sleep_for(2ms);
  }
  EXPECT_GT(polls_after_its_end, 1);  // one that blocked would do all in its last poll
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].signature, "garden wrong_in_workers observation wait water unstable");
  EXPECT_TRUE(findings[0].text.contains("# unstable: " + std::string{not_again} + "\n")) << findings[0].text;
  EXPECT_NE(findings[0].engine, "");
  EXPECT_TRUE(worker->faults().empty());
}

TEST(Worker, AFailureThatIsKnownIsNotShrunk) {
  const Scenario<Garden> scenario{.setup = {.moles = {}}, .actions = {Garden::Wait{}, Garden::Rain{7}}};
  const auto finding = garden().judging().shrink(scenario_text<Garden>(scenario), {"rulebook", "crashes"}, Guard{20s},
                                                 5s, {"garden crashes crash rain exit 5"});
  ASSERT_TRUE(finding && *finding);
  EXPECT_EQ((*finding)->actions, 2u);
  EXPECT_EQ((*finding)->judgements, 0u);
}

TEST(Worker, ShrinkingThatIsStoppedKeepsWhatItHasReached) {
  Scenario<Garden> scenario{.setup = {.rows = 1, .columns = 3, .water = 3, .beds = Grid{1, 3}, .moles = {}},
                            .actions = {}};
  scenario.actions.assign(30, Garden::Wait{});
  for (int column = 0; column < 3; ++column) scenario.actions.push_back(Garden::Plant{0, column, 1});
  scenario.actions.push_back(Garden::Rain{7});
  const std::string text = scenario_text<Garden>(scenario);
  const auto start = Clock::now();
  for (const char* failing : {"dozes", "crashes"}) {  // one child judges all, and each has a child of its own
    int asked = 0;
    const auto finding =
        garden().judging().shrink(text, {"rulebook", failing}, Guard{20s}, 10min, {}, [&] { return ++asked > 4; });
    ASSERT_TRUE(finding && *finding) << failing;
    EXPECT_FALSE((*finding)->minimal) << failing;
    EXPECT_LT((*finding)->actions, (*finding)->actions_before) << failing;
  }
  EXPECT_LT(Clock::now() - start, 5min);
}

TEST(Worker, AnEarlierScenarioThatFailsWithSnapshotsAtEveryStepIsTheFinding) {
  const WorkerOutcome outcome = work("damages", 60s, 20s, 20'000);
  ASSERT_EQ(outcome.findings.size(), 1u);
  const FindingText& finding = outcome.findings[0];
  EXPECT_EQ(finding.signature, "garden damages snapshot rain fence");
  EXPECT_FALSE(finding.unstable);
  EXPECT_TRUE(finding.minimal);
  EXPECT_EQ(finding.actions, 13u) << finding.text;
}

TEST(Worker, TheErrorOutputOfACrashIsPartOfTheFinding) {
  const WorkerOutcome outcome = work("throws");
  ASSERT_EQ(outcome.findings.size(), 1u);
  const FindingText& finding = outcome.findings[0];
  EXPECT_EQ(finding.signature, "garden throws crash rain signal 6");
  EXPECT_TRUE(
      finding.text.contains("#   terminate called after throwing an instance of 'std::runtime_error'\n"
                            "#     what():  no more rain\n"))
      << finding.text;
}

TEST(Worker, AHangIsShrunkInItsTime) {
  const auto start = Clock::now();
  const WorkerOutcome outcome = work("hangs", 60s, 3s);
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].actions, 1u);
  EXPECT_GT(outcome.findings[0].judgements, 0u);
  EXPECT_TRUE(outcome.findings[0].text.contains("hangs did not answer within 3 s")) << outcome.findings[0].text;
  // Until it is seen, shrunk and confirmed, 8 s on a free machine. If each of a hundred candidates took the timeout, the time
  // for shrinking would end first, with more actions.
  EXPECT_LT(Clock::now() - start, 60s);
}

TEST(Worker, ACrashThatTakesLongIsReportedAsACrash) {
  const Scenario<Garden> scenario{.setup = {.moles = {}}, .actions = {Garden::Wait{}, Garden::Rain{207}}};
  const auto finding =
      garden().judging().shrink(scenario_text<Garden>(scenario), {"rulebook", "dies_slowly"}, Guard{20s}, 20s);
  ASSERT_TRUE(finding && *finding);
  EXPECT_EQ((*finding)->signature, "garden dies_slowly crash rain exit 7");
  EXPECT_EQ((*finding)->actions, 1u);
}

TEST(Worker, WhatIsOnlySlowIsNotShrunkAsAHang) {
  const Scenario<Garden> scenario{
      .setup = {.rows = 1, .columns = 3, .water = 3, .beds = Grid{1, 3}, .moles = {}},
      .actions = {Garden::Rain{7}, Garden::Plant{0, 0, 1}, Garden::Plant{0, 1, 1}, Garden::Plant{0, 2, 1}}};
  const auto finding =
      garden().judging().shrink(scenario_text<Garden>(scenario), {"rulebook", "dozes"}, Guard{20s}, 5s);
  ASSERT_TRUE(finding && *finding);
  EXPECT_EQ((*finding)->signature, "garden dozes observation plant count");
}

TEST(Worker, AnImplementationThatExitsWithStatus0IsAFinding) {
  const WorkerOutcome outcome = work("exits");
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].signature, "garden exits crash rain exit 0");
}

TEST(Worker, AnImplementationThatKillsItselfEachTimeIsAFinding) {
  const WorkerOutcome outcome = work("kills_itself");
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].signature, "garden kills_itself crash rain signal 9");
}

TEST(Worker, UnreproducibleKillsAreNoFindingAndAWorkerThatGivesUpReportsThem) {
  const WorkerOutcome outcome = work("is_killed", 300s, 20s, UINT64_MAX, true);
  EXPECT_TRUE(outcome.findings.empty());
  ASSERT_EQ(outcome.faults.size(), 1u);
  EXPECT_TRUE(outcome.faults[0].contains("killed from outside (signal 9), by hand or because memory ran out, 30 times"))
      << outcome.faults[0];
  EXPECT_TRUE(outcome.faults[0].contains("agrees when it is judged again")) << outcome.faults[0];
  EXPECT_TRUE(outcome.faults[0].contains("one worker was given up")) << outcome.faults[0];
}

TEST(Worker, AHangIsAFindingThatNamesTheImplementation) {
  const WorkerOutcome outcome = work("hangs", 60s, 2s);  // on a busy machine, any action may take 0.3 s
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].signature, "garden hangs hang rain timeout");
}

TEST(Worker, AKnownHangIsPassedOverAfterATenthOfTheTimeout) {
  const Signatures known{"garden hangs hang rain timeout"};
  const auto worker = start_worker(
      {.system = &garden(),
       .implementations = {"rulebook", "hangs"},
       .corpus = "/nowhere",
       .keep_going = true,
       .timeout = 10s,
       .known = &known,
       .ignored = known},
      {.generators = {generators.begin(), generators.end()}, .deadline = Clock::now() + 10min, .keep_going = true});
  const auto start = Clock::now();
  while (worker->poll()) {
    if (worker->stats().ignored.load() >= 2) worker->stop();
    std::this_thread::sleep_for(2ms);
  }
  EXPECT_EQ(worker->take_findings().size(), 0u);
  EXPECT_GE(Clock::now() - start, 2s);  // a tenth is waited for, twice
  EXPECT_EQ(worker->stats().diverged_at_ns.load(), 0u) << "a hang was waited for to its end";
}

TEST(Worker, KilledAtTheDeadlineWhileStuckAtOneActionIsAHang) {
  const WorkerOutcome outcome = work("hangs", 2s, 3s);
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].signature, "garden hangs hang rain timeout");
  EXPECT_EQ(outcome.findings[0].judgements, 1u);  // after the deadline nothing is shrunk
}

TEST(Worker, ADifferenceThatIsBeingConfirmedAtTheDeadlineIsNotLost) {
  for (const std::string implementation : {"wrong_and_slow", "wrong_and_slow_once"}) {
    last_crash().store({});
    const auto worker = start_worker(
        {.system = &garden(), .implementations = {"rulebook", implementation}, .corpus = "/nowhere", .timeout = 20s},
        {.generators = {generators.begin(), generators.end()}, .deadline = Clock::now() + 60s, .shrink_time = 1ms});
    while (worker->poll()) {
      if (last_crash().load() != Clock::time_point{})
        worker->stop();  // confirming it takes longer than the 2 s after that
      std::this_thread::sleep_for(2ms);
    }
    const auto findings = worker->take_findings();
    if (implementation == "wrong_and_slow") {
      ASSERT_EQ(findings.size(), 1u);
      EXPECT_EQ(findings[0].signature, "garden wrong_and_slow observation rain water");
    } else if (findings.empty()) {  // else it was confirmed in time
      ASSERT_EQ(worker->faults().size(), 1u);
      EXPECT_TRUE(worker->faults()[0].contains("saw a difference that did not appear again")) << worker->faults()[0];
    }
  }
}

TEST(Worker, KilledAtTheDeadlineWhileSlowIsNoFinding) {
  const WorkerOutcome outcome = work("slow", 300ms);
  EXPECT_TRUE(outcome.findings.empty());
  EXPECT_TRUE(outcome.faults.empty());
}

TEST(Worker, ProcessesOfAnImplementationEndWithTheWorker) {
  ASSERT_EQ(sleepers(left_behind), 0);
  const WorkerOutcome outcome = work("starts_processes", 60s, 20s, 50);
  EXPECT_EQ(outcome.scenarios, 50u);
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
  struct Add {
    static constexpr std::string_view name = "add";
    int amount = 1;
    bool operator==(const Add&) const = default;
  };
  using Action = std::variant<Add>;
  struct Observation {
    int sum = 0;
    bool operator==(const Observation&) const = default;
  };
  static void describe(auto& io, Setup& s) { io.number("mood", s.mood, 0, 9); }
  static void describe(auto& io, const Setup&, Add& a) { io.number("amount", a.amount, 0, 9); }
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
    return {sum_ = std::min(most, sum_ + std::get<Moody::Add>(action).amount)};
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
  const auto worker = start_worker({.system = &moody, .implementations = {"sum", implementation}, .corpus = "/nowhere"},
                                   {.end = 1'000, .generators = {Generator::suggested}, .deadline = until});
  return outcome_of(*worker, until);
}

TEST(Worker, AnExceptionOfTheSystemsSuggestionsIsAFaultAndNoFinding) {
  Moody::tires = true;
  const WorkerOutcome outcome = work_in_a_mood("same");
  Moody::tires = false;
  EXPECT_TRUE(outcome.findings.empty());
  EXPECT_GT(outcome.scenarios, 0u);
  ASSERT_EQ(outcome.faults.size(), 1u);
  EXPECT_TRUE(outcome.faults[0].contains("std::runtime_error: no more ideas")) << outcome.faults[0];
}

TEST(Worker, AnExceptionOfTheSystemsLawsWhileADifferenceIsShrunkDoesNotLoseIt) {
  const WorkerOutcome outcome = work_in_a_mood("small");
  ASSERT_EQ(outcome.faults.size(), 1u);
  EXPECT_TRUE(outcome.faults[0].contains("std::runtime_error: not today")) << outcome.faults[0];
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].signature, "moody small observation add sum");
}

}  // namespace
}  // namespace lockstep
