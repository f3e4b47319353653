#include "campaign/shards.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <thread>
#include <tuple>

#include "campaign/result_json.hpp"
#include "lockstep/base/error.hpp"
#include "lockstep/base/refuse.hpp"
#include "lockstep/base/unique_name.hpp"
#include "lockstep/base/words.hpp"
#include "lockstep/explore/explored_json.hpp"
#include "lockstep/process/files.hpp"
#include "lockstep/process/shared_files.hpp"
#include "lockstep/services/report.hpp"

namespace lockstep {

LOCKSTEP_JSON(ShardedRun, verb, shards, key, about)

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

/// Creates the file with these contents, unless it exists. Of several processes that do so at once, one succeeds. Needs hard
/// links: unlike a rename, a link never replaces a file.
void create_once(const fs::path& path, const std::string& text) {
  fs::path complete = path;
  complete += ".of" + unique_name();
  or_refuse(keep_file(complete, text));
  std::error_code fault;
  std::error_code ignored;
  fs::create_hard_link(complete, path, fault);
  fs::remove(complete, ignored);
  if (fault && fault != std::errc::file_exists)
    throw BadInput{path.string() + ": cannot be written (a hard link: " + fault.message() + ")"};
}

/// The file's bytes; empty if there is none. Throws BadInput if it cannot be read.
std::optional<std::string> read_if_any(const fs::path& file) {
  if (!is_there(file)) return std::nullopt;
  auto text = read_file(file);
  if (!text) throw BadInput{unreadable_text(file, text.error())};
  return std::move(*text);
}

/// What people call the members of a key.
std::string how_they_differ(const std::string& name, const ordered_json& there, const ordered_json& here) {
  if (name == "program") return "it was begun by another build, whose implementations may differ";
  const bool limit = name == "runs" || name == "seconds";
  const auto given = [&](const ordered_json& value) {
    const bool none = name == "runs" ? value == 0 : value >= no_time_limit;
    return none ? "no --" + name : "--" + name + " " + value.dump();
  };
  if (limit) return "it was begun with " + given(there) + ", and this command has " + given(here);
  return "its " + name + " is " + there.dump() + ", not " + here.dump();
}

}  // namespace

bool is_there(const fs::path& file) {
  std::error_code fault;
  const bool there = fs::exists(file, fault);
  if (fault) throw BadInput{unreadable_text(file, fault.message())};
  return there;
}

fs::path shard_folder(const fs::path& folder, unsigned index) {
  return folder / ("shard-" + std::to_string(index + 1));
}

std::string shards_text(const std::vector<unsigned>& indices) {
  std::string out = indices.size() == 1 ? "shard " : "shards ";
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (i > 0) out += i + 1 == indices.size() ? " and " : ", ";
    out += std::to_string(indices[i] + 1);
  }
  return out;
}

fs::path result_file(const fs::path& shard) { return shard / "result.json"; }

fs::path run_file(const fs::path& folder) { return folder / "run.json"; }

void join_run(const fs::path& folder, const ShardedRun& run) {
  or_refuse(keep_folders(folder));
  const fs::path file = run_file(folder);
  if (!fs::exists(file)) {
    bool begun = false;  // another shard is about to create it
    bool foreign = false;
    const std::error_code fault = visit_entries(folder, [&](const fs::directory_entry& entry) {
      (entry.path().filename().string().starts_with(file.filename().string()) ? begun : foreign) = true;
    });
    if (fault) throw BadInput{folder.string() + ": " + fault.message()};
    if (foreign && !begun && !fs::exists(file))
      throw BadInput{folder.string() + ": is neither empty nor the folder of a sharded run"};
    ordered_json out{{"lockstep_shards", state_version}};
    out.update(ordered_json(run));
    create_once(file, dumped(out, 1) + "\n");
  }
  const ShardedRun known = read_run(folder);
  const auto refuse = [&](const std::string& why) {
    throw BadInput{folder.string() + ": is the folder of another run: " + why + "; choose another folder"};
  };
  if (known.verb != run.verb) refuse("'" + known.verb + "', not '" + run.verb + "'");
  if (known.shards != run.shards)
    refuse("it has " + counted(known.shards, "shard") + ", not " + std::to_string(run.shards));
  for (const auto& [name, here] : run.key.items()) {
    const ordered_json there = known.key.value(name, ordered_json{});
    if (there != here) refuse(how_they_differ(name, there, here));
  }
}

ShardedRun read_run(const fs::path& folder) {
  const fs::path file = run_file(folder);
  const auto text = read_if_any(file);
  if (!text) throw BadInput{file.string() + ": there is no such file; this is not the folder of a sharded run"};
  return unless_damaged(file, [&] {
    ordered_json in = ordered_json::parse(*text);
    if (!is_read(in.at("lockstep_shards")))
      throw BadInput{file.string() + ": was written by another version of lockstep"};
    rename_words(in.at("key"));
    auto out = in.get<ShardedRun>();
    if (out.shards < 1 || out.shards > Shard::count_max || !out.key.is_object()) throw DamagedFile{file};
    return out;
  });
}

// Exploring ------------------------------------------------------------------------------------

namespace {

/// A level of one shard: a line of JSON, a table with the begin, length and checksum of each shard's positions, then these
/// positions. A reader takes the line, its own entry and its own positions, wherever they are in the file.
struct LevelEntry {
  std::uint64_t begin = 0;  // from the beginning of the positions
  std::uint64_t length = 0;
  std::uint64_t checksum = 0;
};

fs::path level_file(const fs::path& folder, unsigned index, std::size_t level) {
  return shard_folder(folder, index) / ("level-" + std::to_string(level));
}

void give_level(const fs::path& folder, Shard shard, const Explorer& explorer) {
  const auto& levels = explorer.state().levels;
  std::string bytes = ordered_json{{"level", levels.size() - 1},
                                   {"shard", shard.text()},
                                   {"positions", levels.back().positions},
                                   {"diverged", explorer.counterexample().has_value()}}
                          .dump() +
                      "\n";
  const auto put = [&bytes](const void* data, std::size_t size) { bytes.append(static_cast<const char*>(data), size); };
  LevelEntry entry;
  for (const PositionSet& others : explorer.for_others()) {
    entry = {entry.begin + entry.length, others.stretch().size(), PositionSet::hash(others.stretch())};
    put(&entry, sizeof entry);
  }
  for (const PositionSet& others : explorer.for_others()) put(others.stretch().data(), others.stretch().size());
  or_refuse(keep_file(level_file(folder, shard.index, levels.size() - 1), bytes));
}

/// Adds what the shard with that index has found for `shard`.
void take_level(const fs::path& folder, unsigned index, Shard shard, std::size_t level, MergedLevel& all) {
  const fs::path file = level_file(folder, index, level);
  const auto refuse = [&] {
    throw BadInput{file.string() + ": is damaged; remove " + file.parent_path().string() + " and run that shard again"};
  };
  std::ifstream in{file, std::ios::binary};
  if (!in) throw BadInput{unreadable_text(file, std::strerror(errno))};
  std::string line;
  std::getline(in, line);
  const ordered_json head = ordered_json::parse(line, nullptr, false);
  try {
    if (head.at("shard") != Shard{index, shard.count}.text() || head.at("level") != level) refuse();
    all.positions += head.at("positions").get<std::uint64_t>();
    all.diverged = head.at("diverged").get<bool>() || all.diverged;
  } catch (const nlohmann::json::exception&) {
    refuse();
  }
  const auto table = in.tellg();
  LevelEntry entry;
  in.seekg(static_cast<std::streamoff>(shard.index * sizeof entry), std::ios::cur);
  in.read(reinterpret_cast<char*>(&entry), sizeof entry);
  std::error_code none;
  if (!in || entry.length > fs::file_size(file, none)) refuse();
  std::vector<std::uint8_t> positions(entry.length);
  in.seekg(table + static_cast<std::streamoff>(shard.count * sizeof entry + entry.begin));
  in.read(reinterpret_cast<char*>(positions.data()), static_cast<std::streamsize>(positions.size()));
  if (!in || PositionSet::hash(positions) != entry.checksum) refuse();
  all.found.push_back(std::move(positions));
}

std::string why_ended(unsigned index, const Explored& ended) {
  return "shard " + std::to_string(index + 1) +
         " has ended: " + (ended.reason.empty() ? std::string{to_string(ended.end)} : ended.reason);
}

}  // namespace

fs::path shard_checkpoint(const fs::path& folder, unsigned index) { return shard_folder(folder, index) / "checkpoint"; }

std::expected<MergedLevel, std::string> exchange_level(const fs::path& folder, Shard shard, const Explorer& explorer,
                                                       std::chrono::milliseconds patience,
                                                       const std::function<bool()>& stopped) {
  const std::size_t level = explorer.state().levels.size() - 1;
  give_level(folder, shard, explorer);
  MergedLevel all{.positions = explorer.state().levels.back().positions,
                  .diverged = explorer.counterexample().has_value(),
                  .found = {}};
  const auto has_come = [&](unsigned index) { return fs::exists(level_file(folder, index, level)); };
  const auto since = Clock::now();
  // The shards from `first` on that have no file for this level. What shards that have ended say goes to `ended` instead.
  const auto still_missing = [&](unsigned first, std::vector<std::string>& ended) {
    std::vector<unsigned> missing;
    for (unsigned other = first; other < shard.count; ++other) {
      if (other == shard.index || has_come(other)) continue;
      const auto result = read_explored(result_file(shard_folder(folder, other)));
      if (!result) missing.push_back(other);
      else if (!has_come(other)) ended.push_back(why_ended(other, *result));
    }
    return missing;
  };
  auto next_look = since;
  // Looks at one shard at a time, with growing pauses: every shard looks, and the folder may be on another machine.
  std::chrono::milliseconds pause{5};
  constexpr std::chrono::milliseconds pause_max{1'000};
  for (unsigned index = 0; index < shard.count; ++index) {
    if (index == shard.index) continue;
    while (!has_come(index)) {
      const bool in_vain = Clock::now() - since > patience;
      if (in_vain || Clock::now() >= next_look) {
        next_look = Clock::now() + std::chrono::seconds{1};
        std::vector<std::string> ended;
        const std::vector<unsigned> missing = still_missing(index, ended);
        if (!ended.empty()) return std::unexpected(joined(ended, "; "));  // waiting longer cannot help
        if (missing.empty()) continue;                                    // they have come just now
        if (in_vain)
          return std::unexpected(shards_text(missing) + " did not come to the end of depth " + std::to_string(level) +
                                 ": run " + (missing.size() == 1 ? "it" : "them") + ", and this one again");
      }
      if (stopped()) return std::unexpected(std::string{});
      std::this_thread::sleep_for(pause);
      pause = std::min(pause_max, pause + pause / 4 + std::chrono::milliseconds{1});
    }
    take_level(folder, index, shard, level, all);
  }
  return all;
}

void write_explored(const fs::path& file, const Explored& explored) {
  ordered_json out{{"explored", explored}};
  if (explored.finding) out["finding"] = *explored.finding;
  or_refuse(keep_file(file, dumped(out, 1) + "\n"));
}

std::optional<Explored> read_explored(const fs::path& file) {
  const auto text = read_if_any(file);
  if (!text) return std::nullopt;
  return of_shard([&] {
    return unless_damaged(file, [&] {
      const ordered_json in = ordered_json::parse(*text);
      std::optional out{in.at("explored").get<Explored>()};
      if (in.contains("finding")) out->finding = in.at("finding").get<Finding>();
      return out;
    });
  });
}

Explored merged(const std::vector<Explored>& shards, bool walk) {
  Explored out{.end = ExploreEnd::covered, .levels = {}, .share = 1, .reason = {}, .folded_by = {}, .failed = {}};
  out.folded_by = shards.front().folded_by;
  std::size_t levels = 0;  // how many are covered by all
  const Explored* failed = nullptr;
  // Smallest first; a crash has no size, and comes last.
  const auto key = [](const Explored& e) { return std::tuple{!e.failed->size, e.failed->size, e.failed->text}; };
  // A crash has no counts: only if it is all that was found does the exploration end with it.
  const bool sized = std::ranges::any_of(shards, [](const auto& e) { return e.failed && e.failed->size; });
  const auto displaced = [sized](const Explored& e) { return sized && e.failed && !e.failed->size; };
  for (const Explored& shard : shards) levels = std::max(levels, shard.levels.size());
  for (const Explored& shard : shards) {
    out.seconds += shard.seconds;
    out.memory += shard.memory;
    // Levels deeper than the first difference do not count: a single process would have ended there.
    if (shard.end == ExploreEnd::diverged && !displaced(shard)) levels = std::min(levels, shard.levels.size());
    if (shard.end == ExploreEnd::cannot_judge) out.reason = shard.reason;
  }
  for (const Explored& shard : shards) {
    if (!shard.failed || displaced(shard) || shard.levels.size() != levels) continue;
    if (failed == nullptr || key(shard) < key(*failed)) failed = &shard;
  }
  for (std::size_t i = 0; i < levels; ++i) {
    LevelCount& sum = out.levels.emplace_back();
    for (const Explored& shard : shards) {
      if (i >= shard.levels.size()) continue;
      sum.name = shard.levels[i].name;
      sum += shard.levels[i];
    }
  }
  const bool ends_early = std::ranges::any_of(shards, [](const auto& e) { return e.end == ExploreEnd::exhausted; });
  // At the last depth, a shard does not learn whether the others have a position.
  const bool ends_there = walk && !out.levels.empty() && out.levels.back().positions == 0;
  if (ends_there) out.levels.pop_back();
  if (ends_early || ends_there) out.end = ExploreEnd::exhausted;
  if (failed != nullptr) {
    out.end = ExploreEnd::diverged;
    out.failed = failed->failed;
    out.finding = failed->finding;
  } else if (!out.reason.empty()) {
    out.end = ExploreEnd::cannot_judge;
  }
  return out;
}

// Fuzzing --------------------------------------------------------------------------------------

ordered_json shared_options(const FuzzRun& run) {
  ordered_json key = ordered_json::parse(resume_text(run));
  for (const char* const own : {"lockstep_fuzz_run", "jobs", "results"}) key.erase(own);
  key["program"] = program_identity(run.options.with);
  // Copies of the program bring the same corpora, wherever they are.
  if (run.options.corpus == own_corpus()) key["corpus"] = "of the program";
  return key;
}

std::optional<FuzzShard> read_fuzz_shard(const fs::path& folder, unsigned index, const SystemNamed& system_named) {
  const fs::path own = shard_folder(folder, index);
  const fs::path result = result_file(own);
  const auto read = [&](const fs::path& file, bool ended) {
    FuzzShard shard{index, of_shard([&] { return read_fuzz_run(file, system_named); }), ended};
    shard.run.options.out = own;
    for (CampaignResult& each : shard.run.results) {
      for (Found& found : each.findings) {
        if (!found.file.empty()) found.file = (own / fs::path{found.file}.filename()).string();
      }
    }
    return shard;
  };
  // A shard that ends writes its result, then removes its state file: if that vanishes here, the result is there.
  if (!fs::exists(result) && fs::exists(resume_file(own))) {
    try {
      return read(resume_file(own), false);
    } catch (const BadInput&) {
      if (!fs::exists(result)) throw;
    }
  }
  return fs::exists(result) ? std::optional{read(result, true)} : std::nullopt;
}

namespace {

/// Adds a shard's result of one system. Findings are added later.
void add_result(CampaignResult& sum, const CampaignResult& one, unsigned index) {
  for (const auto& [name, tally] : one.engines) sum.engines[name] += tally;
  for (auto& [name, tally] : sum.engines) tally.findings = 0;  // counted when they are chosen
  sum.seconds = std::max(sum.seconds, one.seconds);
  sum.features |= one.features;
  sum.longest = std::max(sum.longest, one.longest);
  sum.kinds_drawn.insert(one.kinds_drawn.begin(), one.kinds_drawn.end());
  sum.ignored += one.ignored;
  sum.mended.insert(one.mended.begin(), one.mended.end());
  sum.notes.insert(one.notes.begin(), one.notes.end());
  for (const auto& [signature, showed] : one.ignored_signatures) sum.ignored_signatures[signature] |= showed;
  sum.finished = sum.finished && one.finished;
  for (const auto& fault : one.faults) sum.faults.push_back("shard " + std::to_string(index + 1) + ": " + fault);
  // The one that was missed; else the one that took longest.
  const auto better = [](const CanaryHunt& hunt) { return std::pair{!hunt.found, hunt.seconds}; };
  if (!one.canary.name.empty() && (sum.canary.name.empty() || better(sum.canary) < better(one.canary)))
    sum.canary = one.canary;
}

/// The shortest finding of each signature, in the order of their signatures.
std::vector<Found> chosen_findings(std::vector<Found> all) {
  const auto key = [](const Found& found) {
    const Finding& f = found.finding;
    return std::tuple{f.unstable, f.actions, f.scenario.size(), f.scenario};
  };
  std::map<std::string, Found> chosen;
  for (Found& found : all) {
    const auto [known, is_new] = chosen.try_emplace(found.finding.signature, found);
    if (!is_new && key(found) < key(known->second)) known->second = std::move(found);
  }
  std::vector<Found> out;
  std::set<std::string> scenarios;
  for (auto& [signature, found] : chosen) {
    if (found.finding.unstable || scenarios.insert(found.finding.scenario).second) out.push_back(std::move(found));
  }
  return out;
}

}  // namespace

FuzzRun merged(const std::vector<FuzzShard>& shards) {
  FuzzRun out{shards.front().run.systems, shards.front().run.options, {}};
  for (std::size_t i = 0; i < out.systems.size(); ++i) {
    std::vector<Found> findings;
    CampaignResult sum;
    sum.finished = true;
    for (const FuzzShard& shard : shards) {
      if (i >= shard.run.results.size()) continue;
      const CampaignResult& one = shard.run.results[i];
      sum.system = one.system;
      sum.implementations = one.implementations;
      add_result(sum, one, shard.index);
      findings.insert(findings.end(), one.findings.begin(), one.findings.end());
    }
    if (sum.system == nullptr) break;
    sum.findings = chosen_findings(std::move(findings));
    for (const Found& found : sum.findings) ++sum.engines[found.finding.engine].findings;
    out.results.push_back(std::move(sum));
  }
  return out;
}

}  // namespace lockstep
