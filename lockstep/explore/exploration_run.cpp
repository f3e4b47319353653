#include "lockstep/explore/exploration_run.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <sstream>
#include <stdexcept>

#include "lockstep/base/hash.hpp"
#include "lockstep/base/refuse.hpp"
#include "lockstep/describe/codec.hpp"
#include "lockstep/explore/explored_json.hpp"
#include "lockstep/process/child.hpp"
#include "lockstep/process/kept_files.hpp"
#include "lockstep/process/shared_memory.hpp"
#include "lockstep/system/plugin.hpp"

namespace lockstep {

std::string_view to_string(ExploreEnd end) {
  constexpr std::array<std::string_view, 6> in_order{"interrupted", "covered",       "exhausted",
                                                     "diverged",    "out of memory", "cannot judge"};
  return in_order[static_cast<std::size_t>(end)];
}

LevelCount total_of(const std::vector<LevelCount>& levels) {
  LevelCount total{.name = "all"};
  for (const auto& level : levels) total += level;
  return total;
}

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

constexpr int checkpoint_schema = 2;

/// The parent's request to end soon, in memory that it shares with the child.
using Stop = std::atomic<bool>;

// Checkpoints ----------------------------------------------------------------------------------
//
// A line of JSON with the compatibility key and the progress, then the positions of a walk as they are in memory; of a
// shard, also those that it found for others. Only the program that wrote a checkpoint resumes it: another build may have
// other implementations.

std::uint64_t checksum(std::span<const std::uint8_t> bytes) { return PositionSet::hash(bytes); }

/// The line of JSON ends with a checksum of all that is before it.
void seal(ordered_json& head) { head["head"] = fnv1a(dumped(head)); }

void check_seal(ordered_json head, const std::string& path) {
  const ordered_json written = head.value("head", ordered_json{});
  head.erase("head");
  if (written != fnv1a(dumped(head))) throw DamagedFile{path};
}

/// Compatibility key: a checkpoint resumes only if these match.
ordered_json compatibility_key(const ExplorationRun& run) {
  std::string texts;
  for (const auto& [source, text] : run.from.texts) texts += text + '\0';
  std::vector<std::string> bounds;
  for (const Bound& bound : run.options.bounds) bounds.push_back(bound.text());
  return ordered_json{{"checkpoint", checkpoint_schema},
                      {"system", run.system->name()},
                      {"exploration", run.from.exploration},
                      {"starts", hash_text(texts)},
                      {"implementations", run.implementations},
                      {"actions", run.options.kinds},
                      {"bounds", bounds},
                      {"positions", run.options.positions},
                      {"seed", run.options.seed},
                      {"fold", run.options.fold},
                      {"exact", run.options.exact},
                      {"shard", run.options.shard.text()},
                      {"program", program_identity(run.implementations)}};
}

/// Why the checkpoint could not be written; empty if it was.
std::string save(const fs::path& path, const Explorer& explorer, const ordered_json& key) {
  const auto positions = explorer.positions();
  const LevelCount total = total_of(explorer.state().levels);
  ordered_json head = key;
  head["so_far"] = {{"positions", total.positions}, {"steps", total.steps}};  // for people
  head["levels"] = explorer.state().levels;
  head["cursor"] = explorer.state().cursor;
  head["level_end"] = explorer.state().level_end;
  const auto failed = explorer.counterexample();
  head["failed"] = failed ? failed->text : "";
  const auto others = explorer.for_others();
  head["bytes"] = positions.size();
  head["checksum"] = checksum(positions);
  head["others"] = nlohmann::json::array();
  for (const PositionSet& set : others) head["others"].push_back({set.stretch().size(), checksum(set.stretch())});
  seal(head);
  const std::string line = dumped(head) + "\n";
  std::vector<std::string_view> parts = {line, as_chars(positions)};
  for (const PositionSet& set : others) parts.push_back(as_chars(set.stretch()));
  const auto written = keep_file(path, parts);
  return written ? "" : path.string() + ": the checkpoint cannot be written (" + written.error() + ")";
}

/// The line of JSON at the beginning of a checkpoint.
ordered_json head_of(std::istream& in, const std::string& path) {
  if (!in) throw BadInput{path + ": cannot be read"};
  std::string line;
  std::getline(in, line);
  ordered_json head = ordered_json::parse(line, nullptr, false);
  if (!head.is_object() || !head.contains("checkpoint"))
    throw DamagedFile{path, "is not a checkpoint of an exploration"};
  return head;
}

void load(const std::string& path, Explorer& explorer, const ordered_json& key) {
  std::ifstream in{path, std::ios::binary};
  const ordered_json head = head_of(in, path);
  for (const auto& [name, value] : key.items()) {
    if (dumped(head.value(name, ordered_json{})) == dumped(value)) continue;  // neither has bytes that are not UTF-8
    throw BadInput{path + (name == "program"
                               ? ": was written by another build, whose implementations may differ: start again"
                               : ": is of another exploration: its " + name + " differs")};
  }
  check_seal(head, path);
  try {
    const auto take = [&](const ordered_json& size, const ordered_json& sum) {
      std::vector<std::uint8_t> bytes(size.get<std::size_t>());
      in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
      if (!in || checksum(bytes) != sum.get<std::uint64_t>()) throw DamagedFile{path};
      return bytes;
    };
    const auto positions = take(head.at("bytes"), head.at("checksum"));
    std::vector<PositionSet> others;
    for (const auto& set : head.at("others")) others.push_back(PositionSet::of(take(set.at(0), set.at(1))));
    explorer.restore({head.at("levels"), head.at("cursor"), head.at("level_end")}, positions, std::move(others),
                     head.at("failed"));
  } catch (const nlohmann::json::exception&) {
    throw DamagedFile{path};
  } catch (const std::length_error&) {
    throw DamagedFile{path};
  }
}

// The child ------------------------------------------------------------------------------------

std::unique_ptr<Explorer> started(const ExplorationRun& run) {
  return or_refuse(start_exploring(run.system->parts(), run.from, run.implementations, run.options));
}

/// The checkpoint of an exploration, if it has one; else nothing is written.
class Checkpoint {
 public:
  /// Resumes from the checkpoint, if the run asks for it.
  Checkpoint(const ExplorationRun& run, Explorer& explorer)
      : run_{run}, explorer_{explorer}, key_(run.checkpoint.empty() ? ordered_json{} : compatibility_key(run)) {
    if (run.resume) load(run.checkpoint, explorer, key_);
  }

  /// Writes the first one. An error shows now, and not after hours.
  void begin() {
    if (!run_.resume) save_now();
    if (!unsaved_.empty()) throw BadInput{unsaved_};
    saved_ = Clock::now();
  }

  void save_now() {
    if (!run_.checkpoint.empty()) unsaved_ = save(run_.checkpoint, explorer_, key_);
  }

  /// If the disk is full, it may have room later: the exploration continues.
  void save_if_due() {
    if (run_.checkpoint.empty() || Clock::now() - saved_ < run_.checkpoint_every) return;
    save_now();
    saved_ = Clock::now();
  }

  /// Why the last one could not be written; empty if it was.
  const std::string& unsaved() const { return unsaved_; }

 private:
  const ExplorationRun& run_;
  Explorer& explorer_;
  ordered_json key_;
  std::string unsaved_;
  Clock::time_point saved_;
};

Explored explore_in_child(const ExplorationRun& run, const Stop& stop) {
  const auto start = Clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  const auto explorer = started(run);
  Checkpoint checkpoint{run, *explorer};
  const auto report_progress = [&] {
    if (run.progress) run.progress(*explorer, seconds());
  };
  const auto stopped = [&] {
    report_progress();
    return stop.load();
  };
  checkpoint.begin();
  std::string without_others;
  while (explorer->end() == ExploreEnd::running && !stop && without_others.empty()) {
    if (explorer->awaits_others()) {
      const auto level = run.exchange(*explorer, stopped);
      if (level) explorer->end_level(*level);
      else without_others = level.error();
    } else {
      explorer->advance(std::chrono::milliseconds{200});
    }
    report_progress();
    checkpoint.save_if_due();
  }
  checkpoint.save_now();
  return {explorer->end(),
          explorer->state().levels,
          explorer->share_done(),
          explorer->reason().empty() ? without_others : explorer->reason(),
          explorer->folded_by(),
          explorer->memory(),
          seconds(),
          explorer->counterexample(),
          {},
          checkpoint.unsaved()};
}

// The parent -----------------------------------------------------------------------------------

/// Reports a divergence that did not reproduce.
[[noreturn]] void vanished(const ExplorationRun& run, const std::string& what) {
  if (run.options.jobs == 1) throw InternalError{what};
  const std::string hint =
      "\nThe jobs of an exploration are threads, so implementations must share no variables "
      "(lockstep/describe/system.hpp); "
      "--jobs 1 calls them from one thread alone";
  if (std::ranges::any_of(run.implementations, names_plugin)) throw BadInput{what + hint};
  throw InternalError{what + hint};
}

/// What to do after an exploration that ended before its time.
std::string continued(const ExplorationRun& run) {
  if (run.checkpoint.empty()) return "";
  return run.options.shard.alone() ? "; --resume " + run.checkpoint + " continues it"
                                   : "; the same command continues it";
}

/// Judges the in-flight scenarios again, each in a child process of its own, to attribute the crash or hang.
Explored explain_death(const ExplorationRun& run, const ChildResult& result) {
  const auto explorer = started(run);
  std::string not_reconstructed;
  bool too_large = false;
  for (unsigned i = 0; i < run.options.jobs; ++i) {
    const Beacon& beacon = run.options.beacons[i];
    if (beacon.beats.load() == 0) continue;
    too_large |= beacon.too_large();
    const ChildResult scenario = run_in_child([&] { return explorer->scenario_under(beacon); }, run.timeout);
    if (scenario.end != ChildResult::End::returned) {
      not_reconstructed = scenario.reason;
      continue;
    }
    const std::string& text = scenario.output;
    const auto in_flight = run.system->parse(text);
    if (!in_flight) continue;
    const Replay replay = replay_of(*in_flight, run.implementations, Guard{run.timeout});
    if (!replay.verdict.diverged()) continue;
    return {.end = ExploreEnd::diverged,
            .folded_by = explorer->folded_by(),
            .failed = Counterexample{text, replay.explanation}};
  }
  if (killed_from_outside(result.kind)) {
    throw InternalError{"the exploration was " + std::string{killed_from_outside_text} + continued(run)};
  }
  const bool hung = result.end == ChildResult::End::timed_out;
  const std::string end = "the exploration " + (hung ? "hung" : result.reason);
  if (too_large) {
    throw InternalError{
        end + " at a position of more than " + std::to_string(Beacon::bytes_max) +
        " bytes, which is too large to be kept, so it cannot be said at which; 'fuzz' judges such scenarios"};
  }
  if (!not_reconstructed.empty()) {
    throw InternalError{end + ", not while it judged a scenario: constructing the scenario " + not_reconstructed +
                        " too, so look at the exploration's functions and at answer_many"};
  }
  vanished(run, end + ", but judging what it was at shows nothing");
}

/// The child's message to the parent: what it explored, or the exception that ended it.
std::string answer_of_child(const ExplorationRun& run, const Stop& stop) {
  try {
    return to_json(explore_in_child(run, stop));
  } catch (const DamagedFile& damaged) {
    return dumped({{"damaged", {damaged.file.string(), damaged.fault}}});
  } catch (const BadInput& error) {
    return dumped({{"bad_input", error.what()}});
  } catch (const std::bad_alloc&) {
    return dumped(
        {{"fault", "memory ran out before the positions took the " + std::to_string(run.options.memory >> 20) +
                       " MiB that they may take; expected room for them below the limits of this process (ulimit -v) "
                       "and of the machine" +
                       continued(run)}});
  } catch (const std::exception& fault) {
    return dumped({{"fault", fault.what()}});
  }
}

}  // namespace

std::string program_identity(const std::vector<std::string>& implementations) {
  std::string hashes;
  const auto add = [&hashes](const std::string& path) {
    std::ostringstream bytes;
    bytes << std::ifstream{path, std::ios::binary}.rdbuf();
    hashes += hash_text(bytes.view());
  };
  add("/proc/self/exe");
  std::set<std::string> plugins;
  for (const auto& name : implementations) {
    if (names_plugin(name)) plugins.insert(plugin_path(name));
  }
  for (const auto& path : plugins) add(path);
  return plugins.empty() ? hashes : hash_text(hashes);
}

std::string compatibility_text(const ExplorationRun& run) {
  ordered_json key = compatibility_key(run);
  key.erase("shard");
  key["depth"] = run.options.depth;
  key["timeout_ms"] = run.timeout.count();
  return dumped(key);
}

std::string to_json(const Explored& explored) { return dumped(ordered_json(explored)); }

Explored explored_from(std::string_view json) {
  try {
    const ordered_json in = ordered_json::parse(json);
    if (in.contains("damaged")) throw DamagedFile{in["damaged"].at(0).get<std::string>(), in["damaged"].at(1)};
    if (in.contains("bad_input")) throw BadInput{in["bad_input"]};
    if (in.contains("fault")) throw InternalError{in["fault"]};
    return in.get<Explored>();
  } catch (const nlohmann::json::exception& fault) {
    throw InternalError{std::string{"an exploration answered what cannot be read: "} + fault.what()};
  }
}

Explored explore(const ExplorationRun& given) {
  ExplorationRun run = given;
  const SharedMemory<Beacon> beacons = share<Beacon>(run.options.jobs);  // large, but few of their pages are written
  const SharedMemory<Stop> stop = share<Stop>();
  run.options.beacons = beacons.get();
  // The heartbeat of all jobs: a number that changes whenever each of them is idle or has gone on. So it stays the same
  // while one of them hangs. No checkpoint is being written then, so the process can be killed.
  std::vector<std::uint64_t> seen(run.options.jobs);
  std::uint64_t beats = 0;
  const auto heartbeat = [&] {
    if (run.interrupted && run.interrupted()) stop->store(true);
    for (std::size_t job = 0; job < seen.size(); ++job) {
      if (beacons.get()[job].busy && beacons.get()[job].beats == seen[job]) return beats;
    }
    for (std::size_t job = 0; job < seen.size(); ++job) seen[job] = beacons.get()[job].beats;
    return ++beats;
  };
  // The output of implementations is discarded, because it is not part of the result; progress goes to stderr.
  const ChildResult result =
      run_in_child([&] { return answer_of_child(run, *stop); }, run.timeout, {.stdout_to = "/dev/null"}, heartbeat);
  if (result.end == ChildResult::End::not_started) {
    throw InternalError{"the exploration could not be started: " + result.reason};
  }
  Explored out = result.end == ChildResult::End::returned ? explored_from(result.output) : explain_death(run, result);
  if (!out.failed) return out;
  if (const auto scenario = run.system->parse(out.failed->text))
    out.finding = shrunk_finding(*scenario, run.implementations, Guard{run.timeout}, run.shrink_time);
  if (!out.finding) vanished(run, "a divergence did not appear a second time:\n" + out.failed->text);
  return out;
}

}  // namespace lockstep
