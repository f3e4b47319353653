#include "campaign/options.hpp"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "lockstep/error.hpp"

namespace lockstep {
namespace {

CampaignOptions with_jobs(unsigned jobs) {
  return {.jobs = jobs, .fuzz_targets = {{"libfuzzer", "/safe"}, {fast_engine, "/fast"}}};
}

std::map<std::string, int> processes(const CampaignOptions& options) {
  std::map<std::string, int> out;
  for (const auto& process : wanted_targets(options)) ++out[process.target.engine];
  return out;
}

using Counts = std::map<std::string, int>;

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

TEST(Options, OneJobIsAWorkerAlone) { EXPECT_EQ(processes(with_jobs(1)), Counts{}); }

TEST(Options, EachTargetHasHalfAsManyProcessesAsThereAreWorkers) {
  EXPECT_EQ(processes(with_jobs(2)), (Counts{{"libfuzzer", 1}}));
  EXPECT_EQ(processes(with_jobs(9)), (Counts{{"libfuzzer", 4}}));
}

TEST(Options, TheTargetsWithoutSanitizersSearchOnlyWhereTheyAreNamed) {
  CampaignOptions options = with_jobs(4);
  options.engines = {"libfuzzer", fast_engine, "swarm"};
  EXPECT_EQ(processes(options), (Counts{{"libfuzzer", 2}, {fast_engine, 2}}));
}

TEST(Options, ANamedTargetTakesPartBesideOneWorker) {
  CampaignOptions options = with_jobs(1);
  options.engines = {"uniform", "libfuzzer"};
  EXPECT_EQ(processes(options), (Counts{{"libfuzzer", 1}}));
}

TEST(Options, ATargetWithoutWorkersHasAProcessForEachJob) {
  CampaignOptions options = with_jobs(3);
  options.engines = {fast_engine};
  EXPECT_EQ(processes(options), (Counts{{fast_engine, 3}}));
  EXPECT_EQ(wanted_targets(options)[2].number, 2u);
}

TEST(Options, ANamedTargetThatIsNotBuiltIsBadInput) {
  EXPECT_THROW(wanted_targets({.engines = {"libfuzzer"}}), BadInput);
  EXPECT_THROW(wanted_targets({.engines = {fast_engine}, .fuzz_targets = {{"libfuzzer", "/fast"}}}), BadInput);
}

}  // namespace
}  // namespace lockstep
