// The options of lockstep fuzz, and the run that they ask for.
#pragma once

#include "tools/fuzz_report.hpp"
#include "tools/shard_options.hpp"

namespace lockstep {

struct FuzzOptions {
  std::vector<std::string> systems;
  CampaignOptions campaign;
  CorpusOption corpus;
  bool resume = false;
  FuzzOutput output;
  ShardOptions shards;

  void add_to(CLI::App& verb);
  /// The run that the options ask for. BadInput if a system cannot have it.
  FuzzRun new_run(const CLI::App& verb) const;
};

/// --resume takes all options from the state file, except --out (where that file is) and those of the output.
void refuse_options_beside_resume(const CLI::App& verb);

}  // namespace lockstep
