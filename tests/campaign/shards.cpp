#include "campaign/shards.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "lockstep/base/error.hpp"
#include "lockstep/explore/exploring.hpp"
#include "lockstep/process/files.hpp"
#include "lockstep/process/scratch.hpp"
#include "tests/campaign/garden_system.hpp"
#include "tests/lockstep/expected.hpp"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

const ShardedRun eight{"explore", 8, {{"program", "a"}, {"system", "garden"}}, {{"about", "all"}}};

std::string refusal(const std::filesystem::path& folder, const ShardedRun& run) {
  return message_of([&] { join_run(folder, run); });
}

TEST(ShardedRun, IsReadAsItsFirstShardWroteIt) {
  const ScratchFolder folder;
  const auto shared = folder.path() / "new" / "shared";
  join_run(shared, eight);
  ShardedRun again = eight;
  again.about = "{}";  // it is only for the report
  join_run(shared, again);
  const std::string text = *read_file(run_file(shared));  // now as before
  ASSERT_TRUE(write_file(run_file(shared), replaced(text, {{"\"system\"", "\"game\""}, {": 15", ": 14"}})));
  const ShardedRun back = read_run(shared);
  EXPECT_EQ(back.verb, eight.verb);
  EXPECT_EQ(back.shards, 8u);
  EXPECT_EQ(back.key, eight.key);
  EXPECT_EQ(back.about, eight.about);
  EXPECT_EQ(std::ranges::distance(std::filesystem::directory_iterator{shared}), 1) << "no temporary file is left";
}

TEST(ShardedRun, APluginWhoseNameIsNotUtf8IsTheSameForAllShards) {
  const ScratchFolder folder;
  ExplorationRun exploration;
  exploration.system = &garden();
  exploration.implementations = {"rulebook", "\xff.so:quick"};
  const ShardedRun run{"explore", 2, nlohmann::ordered_json::parse(compatibility_text(exploration))};
  EXPECT_EQ(refusal(folder.path(), run), nothing_thrown);
  EXPECT_EQ(refusal(folder.path(), run), nothing_thrown);
  EXPECT_TRUE(read_run(folder.path()).key.dump().contains("\xef\xbf\xbd.so:quick")) << read_run(folder.path()).key;
}

/// All begin at once, half of them with another system: those of one system continue, and all others are refused.
TEST(ShardedRun, OnlyOneOfSimultaneousStartersOwnsTheRun) {
  for (int round = 0; round < 20; ++round) {
    const ScratchFolder folder;
    std::vector<std::string> refusals(8);
    {
      std::vector<std::jthread> shards;
      for (std::size_t i = 0; i < refusals.size(); ++i) {
        shards.emplace_back([&, i] {
          ShardedRun run = eight;
          if (i % 2 == 1) run.key["system"] = "omok";
          refusals[i] = refusal(folder.path(), run);
        });
      }
    }
    const bool first_kind = read_run(folder.path()).key == eight.key;
    for (std::size_t i = 0; i < refusals.size(); ++i) {
      const bool same = (i % 2 == 0) == first_kind;
      EXPECT_EQ(refusals[i] == nothing_thrown, same) << refusals[i];
    }
  }
}

TEST(Shards, ArePrintedAsPeopleCountThem) {
  EXPECT_EQ(shards_text({0}), "shard 1");
  EXPECT_EQ(shards_text({0, 2}), "shards 1 and 3");
  EXPECT_EQ(shards_text({1, 4, 6}), "shards 2, 5 and 7");
}

// Exploring ------------------------------------------------------------------------------------

ExploreStart small_start() {
  return {.exploration = {}, .texts = {{"start", "lockstep 1 garden\nrows 2\ncolumns 3\nwater 3\nactions\n"}}};
}
ExploreOptions bounded(Shard shard) { return {.depth = 5, .kinds = {true, false, true}, .shard = shard}; }
std::unique_ptr<Explorer> begun(Shard shard) {
  return start_exploring(garden().parts(), small_start(), implementations_to_judge(garden(), {}), bounded(shard))
      .value();
}

/// A shard at the end of its first depth.
std::unique_ptr<Explorer> waiting(Shard shard) {
  auto explorer = begun(shard);
  while (!explorer->awaits_others()) explorer->advance(1ms);
  return explorer;
}
auto exchanged(const ScratchFolder& folder, Shard shard, Explorer& explorer, std::chrono::milliseconds patience) {
  return exchange_level(folder.path(), shard, explorer, patience, [] { return false; });
}

TEST(ShardsOfAWalk, AreNotWaitedForIfTheyHaveEnded) {
  const ScratchFolder folder;
  const auto explorer = waiting({0, 2});
  EXPECT_EQ(error_of(exchanged(folder, {0, 2}, *explorer, 0s)),
            "shard 2 did not come to the end of depth 0: run it, and this one again");
  write_explored(result_file(shard_folder(folder.path(), 1)),
                 {.end = ExploreEnd::cannot_judge, .reason = "no two runs are alike"});
  EXPECT_EQ(error_of(exchanged(folder, {0, 2}, *explorer, 60s)), "shard 2 has ended: no two runs are alike");
}

TEST(ShardsOfAWalk, AllThatHaveEndedAreSeenAtOnce) {
  const ScratchFolder folder;
  const auto explorer = waiting({0, 4});
  write_explored(result_file(shard_folder(folder.path(), 2)),
                 {.end = ExploreEnd::cannot_judge, .reason = "no two runs are alike"});
  EXPECT_EQ(error_of(exchanged(folder, {0, 4}, *explorer, 60s)), "shard 3 has ended: no two runs are alike")
      << "shard 2, the first, has not";
}

TEST(ShardsOfAWalk, RefuseADamagedHeader) {
  const ScratchFolder folder;
  const auto explorer = waiting({0, 2});
  const std::vector<std::string> heads = {R"({"level":1,"shard":"2/2","positions":1,"diverged":false})",
                                          R"({"level":0,"shard":"2/2","positions":"x","diverged":false})",
                                          R"({"level":0,"shard":"2/2","positions":1,"diverged":3})",
                                          R"({"level":0,"shard":"1/2"})",
                                          R"({"level":0,"shard":2})",
                                          "[]",
                                          "{}"};
  for (const std::string& head : heads) {
    const std::string table(2 * 3 * sizeof(std::uint64_t), '\0');
    static_cast<void>(write_file(shard_folder(folder.path(), 1) / "level-0", head + "\n" + table));
    EXPECT_THROW(static_cast<void>(exchanged(folder, {0, 2}, *explorer, 0s)), BadInput) << head;
  }
}

Explored counted_levels(ExploreEnd end, std::vector<LevelCount> levels) {
  return {.end = end, .levels = std::move(levels), .memory = 10, .seconds = 2};
}

TEST(MergedExploration, AddsTheCounts) {
  const Explored all = merged({counted_levels(ExploreEnd::covered, {{"0", 1, 2, 3}, {"1", 4, 5, 6}}),
                               counted_levels(ExploreEnd::covered, {{"0", 10, 20, 30}, {"1", 0, 0, 0}})},
                              true);
  EXPECT_EQ(all.end, ExploreEnd::covered);
  EXPECT_EQ(all.levels, (std::vector<LevelCount>{{"0", 11, 22, 33}, {"1", 4, 5, 6}}));
  EXPECT_EQ(all.memory, 20u);
  EXPECT_EQ(all.seconds, 4);
  EXPECT_FALSE(all.failed);
}

TEST(MergedExploration, AWalkWithoutAPositionAtItsLastDepthIsExhausted) {
  const std::vector<Explored> shards = {counted_levels(ExploreEnd::covered, {{"0", 1, 2, 3}, {"1", 0, 0, 0}}),
                                        counted_levels(ExploreEnd::covered, {{"0", 0, 0, 0}, {"1", 0, 0, 0}})};
  EXPECT_EQ(merged(shards, true).end, ExploreEnd::exhausted);
  EXPECT_EQ(merged(shards, true).levels.size(), 1u);
  EXPECT_EQ(merged(shards, false).end, ExploreEnd::covered) << "a part of a sweep may be empty";
  EXPECT_EQ(merged(shards, false).levels.size(), 2u);
}

/// One process would have ended in the first part that differs, with its smallest scenario.
TEST(MergedExploration, EndsWhereTheFirstShardDiverges) {
  const auto failed = [](std::vector<LevelCount> levels, std::string text, std::optional<Size> size) {
    Explored out = counted_levels(ExploreEnd::diverged, std::move(levels));
    out.failed = Counterexample{std::move(text), "", size};
    return out;
  };
  const Explored late = failed({{"a", 1, 1, 0}, {"b", 1, 1, 0}}, "late", Size{1, 1, 1, 1, 1});
  const Explored large = failed({{"a", 1, 1, 0}}, "large", Size{1, 3, 1, 1, 1});
  const Explored small = failed({{"a", 1, 1, 0}}, "small", Size{1, 2, 1, 1, 1});
  const Explored crashed = failed({}, "crashed", std::nullopt);
  const Explored none = counted_levels(ExploreEnd::covered, {{"a", 1, 1, 0}, {"b", 1, 1, 0}, {"c", 1, 1, 0}});
  const Explored all = merged({none, late, large, small}, false);
  EXPECT_EQ(all.end, ExploreEnd::diverged);
  EXPECT_EQ(all.levels.size(), 1u);
  EXPECT_EQ(all.levels[0].positions, 4u);
  EXPECT_EQ(all.failed->text, "small") << "and not that of part b, which is smaller";
  EXPECT_EQ(merged({late, none}, false).failed->text, "late");
  EXPECT_EQ(merged({crashed, none}, false).failed->text, "crashed");
  EXPECT_TRUE(merged({crashed, none}, false).levels.empty());
  EXPECT_EQ(merged({crashed, large}, false).failed->text, "large") << "a crash displaces no difference with a size";
  EXPECT_EQ(merged({crashed, large}, false).levels.size(), 1u);
}

// Fuzzing --------------------------------------------------------------------------------------

Found found(std::string signature, std::string text, std::size_t actions) {
  Finding finding{.signature = std::move(signature), .file_name = {}, .scenario = std::move(text)};
  finding.actions = actions;
  finding.engine = "swarm";
  return {finding, "file"};
}

FuzzShard fuzzed(unsigned index, std::vector<Found> findings) {
  CampaignResult result;
  result.system = &garden();
  result.implementations = {"rulebook", "honest"};
  result.engines["swarm"] = {.scenarios = 10, .steps = 20, .seconds = 3, .findings = findings.size()};
  result.seconds = 5 + index;
  result.features.set(index);
  result.canary = {.name = "counts_short", .found = true, .seconds = 1.0 + index};
  result.findings = std::move(findings);
  result.finished = true;
  return {index, {.systems = {"garden"}, .options = {}, .results = {result}}};
}

TEST(MergedCampaign, AddsTheCountsAndKeepsOneFindingOfEachKind) {
  const FuzzRun all = merged({fuzzed(0, {found("one", "a longer text", 3), found("two", "same", 1)}),
                              fuzzed(1, {found("one", "short", 1), found("three", "same", 1)}), fuzzed(2, {})});
  const CampaignResult sum = only(all.results);
  EXPECT_EQ(sum.total().scenarios, 30u);
  EXPECT_EQ(sum.total().steps, 60u);
  EXPECT_EQ(sum.seconds, 7) << "they run side by side";
  EXPECT_EQ(sum.features.count(), 3u);
  EXPECT_TRUE(sum.finished);
  ASSERT_EQ(sum.findings.size(), 2u) << "'two' is the scenario of 'three'";
  EXPECT_EQ(sum.findings[0].finding.signature, "one");
  EXPECT_EQ(sum.findings[0].finding.scenario, "short");
  EXPECT_EQ(sum.findings[1].finding.signature, "three");
  EXPECT_EQ(sum.total().findings, 2u);
}

TEST(MergedCampaign, ACanaryThatOneShardMissedIsMissed) {
  FuzzShard missed = fuzzed(1, {});
  missed.run.results[0].canary.found = false;
  missed.run.results[0].faults = {"a fault"};
  missed.run.results[0].mended = {"rain.txt: it rained"};
  missed.run.results[0].ignored_signatures = {{"a", true}, {"b", false}};
  FuzzShard other = fuzzed(2, {});
  other.run.results[0].ignored_signatures = {{"a", false}, {"b", false}};
  EXPECT_TRUE(merged({fuzzed(0, {}), fuzzed(2, {})}).results[0].canary.found);
  const FuzzRun all = merged({fuzzed(0, {}), missed, other});
  EXPECT_FALSE(all.results[0].canary.found);
  EXPECT_EQ(all.results[0].mended, missed.run.results[0].mended);
  EXPECT_EQ(all.results[0].ignored_signatures, (std::map<std::string, bool>{{"a", true}, {"b", false}}));
  EXPECT_EQ(all.results[0].faults, std::vector<std::string>{"shard 2: a fault"});
}

TEST(MergedCampaign, AShardMayHaveJudgedOnlySomeSystems) {
  FuzzShard begun = fuzzed(0, {});
  begun.run.results.clear();
  EXPECT_EQ(merged({begun, fuzzed(1, {})}).results.size(), 1u);
  EXPECT_TRUE(merged({begun}).results.empty());
}

const AnySystem& garden_named(const std::string&) { return garden(); }

TEST(ShardOfACampaign, KeepsAFindingWithoutItsFile) {
  const ScratchFolder folder;
  const auto own = shard_folder(folder.path(), 0);
  const FuzzShard shard = fuzzed(0, {found("one", "text", 1)});
  static_cast<void>(write_file(result_file(own), resume_text(shard.run)));
  const auto back = read_fuzz_shard(folder.path(), 0, garden_named);
  ASSERT_TRUE(back);
  EXPECT_TRUE(back->ended);
  EXPECT_EQ(only(back->run.results.front().findings).file, (own / "file").string());
  EXPECT_FALSE(read_fuzz_shard(folder.path(), 1, garden_named));
}

TEST(ShardOfACampaign, IsReadWhileItEnds) {
  const std::string text = resume_text(fuzzed(0, {}).run);
  for (int round = 0; round < 200; ++round) {
    const ScratchFolder folder;
    const auto own = shard_folder(folder.path(), 0);
    static_cast<void>(write_file(resume_file(own), text));
    const std::jthread ending{[&] {
      static_cast<void>(write_file(result_file(own), text));
      std::filesystem::remove(resume_file(own));
    }};
    for (bool ended = false; !ended;) {
      const auto shard = read_fuzz_shard(folder.path(), 0, garden_named);
      ASSERT_TRUE(shard);
      ended = shard->ended;
    }
  }
}

}  // namespace
}  // namespace lockstep
