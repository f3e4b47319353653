#include "campaign/options.hpp"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "lockstep/base/error.hpp"

namespace lockstep {
namespace {

using Names = std::vector<std::string>;
using Counts = std::map<std::string, int>;

CampaignOptions options(unsigned jobs, const Names& engines) {
  return {.jobs = jobs, .engines = engines, .fuzz_targets = {{"libfuzzer", "/safe"}, {fast_engine, "/fast"}}};
}

Counts processes(unsigned jobs, const Names& engines = {}) {
  Counts out;
  for (const auto& process : wanted_targets(options(jobs, engines))) ++out[process.target.engine];
  return out;
}

TEST(Options, EachNumberOfTheStreamIsDrawnByOneWorkerOfOneShard) {
  const std::vector<unsigned> jobs = {1, 4, 2};  // of each shard
  std::vector<int> drawn(600, 0);
  for (unsigned index = 0; index < jobs.size(); ++index) {
    for (unsigned worker = 0; worker < jobs[index]; ++worker) {
      const auto [first, stride] = numbers_of({.index = index, .count = 3}, jobs[index], worker);
      for (std::size_t i = first; i < drawn.size(); i += stride) ++drawn[i];
    }
  }
  for (const int times : drawn) EXPECT_EQ(times, 1);
}

TEST(Options, WithoutNamesEveryGeneratorDraws) { EXPECT_EQ(wanted_generators({}).size(), generators.size()); }

TEST(Options, OnlyTheGeneratorsThatAreNamedDraw) {
  EXPECT_EQ(wanted_generators({"libfuzzer", "mutated"}), std::vector{Generator::mutated});
  EXPECT_TRUE(wanted_generators({"libfuzzer"}).empty());
}

TEST(Options, OneJobIsAWorkerAlone) { EXPECT_EQ(processes(1), Counts{}); }

TEST(Options, EachTargetHasHalfAsManyProcessesAsThereAreWorkers) {
  EXPECT_EQ(processes(2), (Counts{{"libfuzzer", 1}}));
  EXPECT_EQ(processes(9), (Counts{{"libfuzzer", 4}}));
}

TEST(Options, TheTargetsWithoutSanitizersSearchOnlyWhereTheyAreNamed) {
  EXPECT_EQ(processes(4, {"libfuzzer", fast_engine, "swarm"}), (Counts{{"libfuzzer", 2}, {fast_engine, 2}}));
}

TEST(Options, ANamedTargetTakesPartBesideOneWorker) {
  EXPECT_EQ(processes(1, {"uniform", "libfuzzer"}), (Counts{{"libfuzzer", 1}}));
}

TEST(Options, ATargetWithoutWorkersHasAProcessForEachJob) {
  EXPECT_EQ(processes(3, {fast_engine}), (Counts{{fast_engine, 3}}));
  EXPECT_EQ(wanted_targets(options(3, {fast_engine}))[2].number, 2u);
}

TEST(Options, ANamedTargetThatIsNotBuiltIsBadInput) {
  EXPECT_THROW(wanted_targets({.engines = {"libfuzzer"}}), BadInput);
  EXPECT_THROW(wanted_targets({.engines = {fast_engine}, .fuzz_targets = {{"libfuzzer", "/fast"}}}), BadInput);
}

}  // namespace
}  // namespace lockstep
