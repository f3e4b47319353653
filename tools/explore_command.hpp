// The command line of lockstep explore: its options, where an exploration starts, and what it covers.
#pragma once

#include "tools/explore_report.hpp"
#include "tools/shard_options.hpp"

namespace lockstep {

struct ExploreCommand {
  std::string system;
  std::string name;
  std::vector<std::string> setup;
  std::string corpus;
  std::vector<std::string> actions;
  std::vector<std::string> bounds;
  std::vector<std::string> with;
  ExplorationRun run{.from = {}, .implementations = {}, .options = {.jobs = 0}};  // complete() does the rest
  ExploreReport report;
  std::size_t memory = 4096;  // MiB
  std::string resume;
  int every = 20;  // seconds between checkpoints
  std::optional<std::string> out;
  ShardOptions shards;
  int wait = 3'600;  // seconds that a shard waits for the others
  bool list = false;
  bool json = false;
  ReportFiles reports;

  void add_to(CLI::App& verb);
  /// Says what is explored, and what the report says of it. BadInput if the options contradict each other.
  void complete(const AnySystem& system);
};

}  // namespace lockstep
