// The folder through which the shards of one run work together (lockstep/base/shard.hpp). Any batch system can start them, on
// any machines that share the folder; none waits for a master.
//
//   FOLDER/run.json       what all shards run, and how many there are; written by the first
//   FOLDER/shard-3/       of the third shard, locked while it runs: its state, from which it continues, its result, and its
//                         findings
//   FOLDER/shard-3/level-7   a walk: the positions that it found at depth 7 and that other shards own
//   FOLDER/scenarios/SYSTEM  fuzzing: scenarios that reached something new (lockstep/draw/exchange.hpp)
//
// A file gets its name when it is complete, and has equal contents if a shard that was killed writes it again. Hence no
// shard ever reads half a file, and none needs to know whether another one was killed and run again.
#pragma once

#include <chrono>
#include <expected>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "campaign/resume.hpp"
#include "lockstep/base/shard.hpp"
#include "lockstep/explore/exploration_run.hpp"
#include "lockstep/process/kept_files.hpp"

namespace lockstep {

/// What `read` returns. BadInput, which says what to do, if it finds a damaged file in the folder of a shard. A file that
/// cannot be read is none: it may be whole, and must not be removed.
auto of_shard(auto&& read) {
  try {
    return read();
  } catch (const DamagedFile& damaged) {
    throw BadInput{std::string{damaged.what()} + ": remove the file and run the shard again"};
  }
}

/// What all shards of a run have in common.
struct ShardedRun {
  std::string verb;            // "explore" or "fuzz"
  unsigned shards = 1;         // how many
  nlohmann::ordered_json key;  // an object; shards with another one do not belong to the run
  nlohmann::ordered_json about = nlohmann::ordered_json::object();  // for the report of a merge
};

/// Creates the folder of a run, or checks that an existing one is of the same run. Throws BadInput if it is not, or cannot
/// be written.
void join_run(const std::filesystem::path& folder, const ShardedRun& run);

/// Whether the file is there. Throws BadInput if that cannot be told.
bool is_there(const std::filesystem::path& file);

/// FOLDER/run.json.
std::filesystem::path run_file(const std::filesystem::path& folder);

/// Reads the folder of a run. Throws BadInput if it is none.
ShardedRun read_run(const std::filesystem::path& folder);

/// Where a shard keeps its own files. `index` counts from 0, the name of the folder from 1.
std::filesystem::path shard_folder(const std::filesystem::path& folder, unsigned index);

/// "shard 2", "shards 2, 4 and 7": people count from 1.
std::string shards_text(const std::vector<unsigned>& indices);

// Exploring ------------------------------------------------------------------------------------

/// The checkpoint of a shard that has not ended.
std::filesystem::path shard_checkpoint(const std::filesystem::path& folder, unsigned index);

/// For ExplorationRun::exchange: gives the others what this shard found, and waits at most `patience` for what they
/// found.
std::expected<MergedLevel, std::string> exchange_level(const std::filesystem::path& folder, Shard shard,
                                                       const Explorer& explorer, std::chrono::milliseconds patience,
                                                       const std::function<bool()>& stopped);

/// The result of a shard that need not run again; of fuzzing as resume_text writes it. `shard`: its folder.
std::filesystem::path result_file(const std::filesystem::path& shard);

/// Writes what a shard explored, with the finding, whose file is in the folder of the shard.
void write_explored(const std::filesystem::path& file, const Explored& explored);
/// Empty if there is no such file. Throws BadInput for a damaged one.
std::optional<Explored> read_explored(const std::filesystem::path& file);

/// The result of all shards together: the counts of an exploration by one process. Times and memory are added up.
/// `shards` must not be empty. `walk`: not a sweep.
Explored merged(const std::vector<Explored>& shards, bool walk);

// Fuzzing --------------------------------------------------------------------------------------

/// The compatibility key of a sharded run: the options that all shards share. The number of jobs is not part of it.
nlohmann::ordered_json shared_options(const FuzzRun& run);

/// One shard's results, which may be unfinished.
struct FuzzShard {
  unsigned index = 0;
  FuzzRun run;
  bool ended = true;
};

/// What a shard has done so far; empty if it has saved nothing yet. No finding is dropped, whether its file still exists
/// or not. Files of findings are named as they are seen from here: the shard may have had another current folder. The
/// shard may be running.
std::optional<FuzzShard> read_fuzz_shard(const std::filesystem::path& folder, unsigned index,
                                         const SystemNamed& system_named);

/// The results of all shards as those of one run: counts and times of engines are added up, and the seconds are those of
/// the slowest shard. Of the findings with one signature the shortest remains, and of equal scenarios one. A canary that a
/// shard missed is missed. `shards` must not be empty.
FuzzRun merged(const std::vector<FuzzShard>& shards);

}  // namespace lockstep
