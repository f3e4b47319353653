// --shard and --exchange, for verbs whose work several processes can share.
#pragma once

#include "lockstep/base/shard.hpp"
#include "tools/verbs.hpp"

namespace lockstep {

struct ShardOptions {
  std::string text;      // "3/8"; empty: not sharded
  std::string exchange;  // the folder that all shards share

  void add_to(CLI::App& verb) {
    CLI::Option* const of = add_path(verb, "--shard", "K/N", text,
                                     "K/N: do the K-th of N parts of the work; the same command again resumes a part");
    add_path(verb, "--exchange", "FOLDER", exchange, "The folder that all shards share; 'merge' joins what they did")
        ->needs(of);
    of->needs("--exchange")->check([](const std::string& given) {
      if (shard_from(given)) return std::string{};
      return "expected K/N with K from 1 to N and N at most " + std::to_string(Shard::count_max) +
             ", such as 3/8 for the third of 8; got " + given;
    });
  }
  bool sharded() const { return !text.empty(); }
  Shard shard() const { return shard_from(text).value(); }
};

}  // namespace lockstep
