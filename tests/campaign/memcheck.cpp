// The engine that checks memory. A script answers in the place of valgrind: tests/program_test.py runs the real one.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "campaign/engine.hpp"
#include "lockstep/files.hpp"
#include "lockstep/lines.hpp"
#include "lockstep/memory.hpp"
#include "lockstep/scratch.hpp"
#include "lockstep/services/encoding.hpp"
#include "tests/campaign/garden_system.hpp"
#include "tests/campaign/scripts.hpp"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

class MemcheckEngine : public testing::Test {
 protected:
  void SetUp() override {
    if (memory_checker() == MemoryChecker::leak_sanitizer) GTEST_SKIP() << "valgrind cannot run this build";
    std::filesystem::create_directory(options_.exchange);
    const Verdict leak{Verdict::State::diverged,
                       Divergence{DivergenceKind::memory, 1, "garden", "honest", "rain", "leak in f()", "", "leaks"},
                       {}};
    ASSERT_TRUE(write_file(folder_ / "leak", to_json(leak) + "\n"));
    ASSERT_TRUE(write_file(folder_ / "agreed", to_json(Verdict{}) + "\n"));
    // Standard input is a socket, for requests and answers. Each rain is a leak.
    scripts_.add("valgrind", "while read -r request; do\n  printf '%s\\n' \"$request\" >> " + (folder_ / "requests") +
                                 "\n  case $request in\n    *'nrain '*) cat " + (folder_ / "leak") +
                                 " >&0 ;;\n    *) cat " + (folder_ / "agreed") + " >&0 ;;\n  esac\ndone");
  }

  void add_to_corpus(const std::string& name, std::vector<Garden::Action> actions) {
    ASSERT_TRUE(write_file(folder_ / "corpus/" + name, text_of(std::move(actions))));
  }
  static std::string text_of(std::vector<Garden::Action> actions) {
    return scenario_text<Garden>({.setup = {.moles = {}}, .actions = std::move(actions)});
  }
  std::vector<std::string> requests() const {
    const std::string all = read_file(folder_ / "requests").value_or("");
    std::vector<std::string> out;
    for (std::string_view rest = all; !rest.empty();) out.emplace_back(take_line(rest));
    return out;
  }

  /// The engine when it has ended, after a minute at most. `alone`: nothing comes from other engines.
  std::unique_ptr<Engine> ended(bool alone = true) {
    auto engine = start_memcheck(options_, std::chrono::steady_clock::now() + 1min, nullptr);
    if (alone) engine->no_more_scenarios();
    while (engine->poll()) std::this_thread::sleep_for(5ms);
    return engine;
  }

  ScratchFolder folder_;
  ScriptsInPath scripts_;
  EngineOptions options_{.system = &garden(),
                         .implementations = {"rulebook", "honest"},
                         .corpus = folder_.path() / "corpus",
                         .exchange = folder_.path() / "exchange",
                         .timeout = 1s};
};

TEST_F(MemcheckEngine, JudgesTheCorpusAndWhatOthersLeaveWithoutTheReference) {
  add_to_corpus("a.txt", {Garden::Wait{}});
  add_to_corpus("b.txt", {Garden::Wait{}, Garden::Wait{}});
  ASSERT_TRUE(write_file(folder_ / "corpus/c.txt", "no scenario"));
  const auto bytes = garden().encoding().pack(text_of({Garden::Wait{}, Garden::Wait{}, Garden::Wait{}})).value();
  ASSERT_TRUE(write_file(options_.exchange / "worker-1-0", as_chars(bytes)));
  const auto engine = ended();
  EXPECT_EQ(engine->names(), std::vector<std::string>{"memcheck"});
  EXPECT_EQ(engine->stats().scenarios.load(), 3u);
  EXPECT_EQ(engine->stats().steps.load(), 6u);
  EXPECT_TRUE(engine->take_findings().empty());
  EXPECT_TRUE(engine->faults().empty()) << engine->faults().front();
  const auto all = requests();
  ASSERT_EQ(all.size(), 3u);
  for (const auto& each : all) EXPECT_TRUE(each.contains(R"("names":["honest"])")) << each;
  EXPECT_TRUE(std::ranges::is_sorted(all, {}, &std::string::size)) << "short ones first";
}

TEST_F(MemcheckEngine, AnErrorIsShrunkAndEndsTheSearch) {
  add_to_corpus("a.txt", {Garden::Rain{107}, Garden::Wait{}, Garden::Wait{}});
  const auto engine = ended(false);
  const auto findings = engine->take_findings();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].signature, "garden honest memory rain leak in f()");
  EXPECT_EQ(findings[0].engine, "memcheck");
  EXPECT_TRUE(findings[0].minimal);
  EXPECT_EQ(findings[0].actions, 1u);
  EXPECT_EQ(findings[0].actions_before, 3u);
  EXPECT_TRUE(findings[0].text.ends_with("actions\nrain amount=0\n")) << findings[0].text;
  EXPECT_NE(engine->stats().diverged_at_ns.load(), 0u);
  EXPECT_TRUE(engine->faults().empty()) << engine->faults().front();
}

TEST_F(MemcheckEngine, AKnownErrorIsCountedAndTheSearchGoesOn) {
  const Signatures known{"garden honest memory rain leak in f()"};
  options_.known = &known;
  options_.ignored = known;
  add_to_corpus("a.txt", {Garden::Rain{107}});
  add_to_corpus("b.txt", {Garden::Wait{}, Garden::Wait{}, Garden::Wait{}});
  add_to_corpus("c.txt", {Garden::Rain{107}, Garden::Rain{8}, Garden::Wait{}});
  const auto engine = ended();
  EXPECT_TRUE(engine->take_findings().empty());
  EXPECT_EQ(engine->stats().scenarios.load(), 3u);
  EXPECT_EQ(engine->stats().ignored.load(), 2u);
  EXPECT_EQ(engine->stats().diverged_at_ns.load(), 0u);
}

TEST_F(MemcheckEngine, AfterTwentyScenariosWithoutAVerdictItGivesUpAndSaysWhyOnce) {
  scripts_.add("valgrind", "exit 1");
  for (int i = 0; i < 25; ++i) add_to_corpus(std::to_string(i) + ".txt", {Garden::Rain{i}});
  const auto engine = ended(false);
  EXPECT_EQ(engine->stats().scenarios.load(), 0u);
  EXPECT_TRUE(engine->take_findings().empty());
  ASSERT_EQ(engine->faults().size(), 1u);
  EXPECT_TRUE(engine->faults()[0].starts_with("valgrind has ended")) << engine->faults()[0];
}

}  // namespace
}  // namespace lockstep
