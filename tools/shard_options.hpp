// --shard and --exchange, for verbs whose work several processes can share.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "lockstep/shard.hpp"

namespace lockstep {

struct ShardOptions {
  std::string text;      // "3/8"; empty: not sharded
  std::string exchange;  // the folder that all shards share

  void add_to(CLI::App& verb) {
    CLI::Option* const of =
        verb.add_option("--shard", text,
                        "K/N: do the K-th of N parts of the work; the same command again resumes a part")
            ->type_name("K/N");
    CLI::Option* const folder =
        verb.add_option("--exchange", exchange, "The folder that all shards share; 'merge' joins what they did")
            ->type_name("FOLDER");
    of->needs(folder);
    folder->needs(of);
    of->check([](const std::string& given) {
      if (shard_from(given)) return std::string{};
      return "expected K/N with K from 1 to N and N at most " + std::to_string(Shard::count_max) +
             ", such as 3/8 for the third of 8; got " + given;
    });
  }
  bool sharded() const { return !text.empty(); }
  Shard shard() const { return shard_from(text).value(); }
};

}  // namespace lockstep
