// lockstep explore: everything within a bound, and a certificate of what that was.
//
// The exploration runs in a child process, so that an implementation that dies or hangs is a finding with an
// address: each job says through shared memory what it is about to judge.
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <thread>

#include "lockstep/child.hpp"
#include "lockstep/hash.hpp"
#include "lockstep/report.hpp"
#include "lockstep/words.hpp"
#include "tools/any_explorer.hpp"
#include "tools/progress.hpp"
#include "tools/verbs.hpp"

namespace lockstep {

std::vector<const AnyExplorer*>& all_explorers() {
  static std::vector<const AnyExplorer*> all;
  return all;
}

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

constexpr int checkpoint_schema = 1;
constexpr int explore_schema = 1;
constexpr std::uint64_t depth_unbounded = UINT64_MAX;

struct ExploreCommand {
  std::string system;
  std::string name;
  std::string setup;
  std::string corpus;
  std::uint64_t depth = 0;
  std::vector<std::string> actions;
  std::vector<std::string> with;
  unsigned jobs = 0;
  std::size_t memory = 4096;  // MiB
  bool fold = false;
  std::string checkpoint;
  std::string resume;
  int every = 20;  // seconds between checkpoints
  std::string out = "findings";
  int timeout = 20;
  bool list = false;
  bool json = false;
};

volatile sig_atomic_t interrupted = 0;

/// What the two processes share.
struct Shared {
  std::atomic<bool> stop{false};
  std::atomic<bool> hung{false};
};

/// Zeroed memory that a child shares with its parent, as objects of one type. Beacons are large, and cost
/// only the pages that somebody writes to.
template <class T>
class SharedMemory {
 public:
  explicit SharedMemory(std::size_t count) : bytes_{count * sizeof(T)} {
    void* const memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw InternalError{"no shared memory"};
    first_ = static_cast<T*>(memory);
    std::uninitialized_default_construct_n(first_, count);
  }
  ~SharedMemory() { munmap(first_, bytes_); }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  T* first() const { return first_; }

 private:
  std::size_t bytes_;
  T* first_ = nullptr;
};

const AnyExplorer& explorer_of(std::string_view system) {
  for (const AnyExplorer* each : all_explorers()) {
    if (each->system() == system) return *each;
  }
  throw InternalError{"no explorer of " + std::string{system}};
}

std::string_view to_string(ExploreEnd end) {
  switch (end) {
    case ExploreEnd::running: return "interrupted";
    case ExploreEnd::covered: return "covered";
    case ExploreEnd::exhausted: return "exhausted";
    case ExploreEnd::diverged: return "diverged";
    case ExploreEnd::out_of_memory: return "out of memory";
    case ExploreEnd::cannot_judge: return "cannot judge";
  }
  return "?";
}

ExploreEnd end_from(std::string_view text) {
  for (const auto end : {ExploreEnd::covered, ExploreEnd::exhausted, ExploreEnd::diverged, ExploreEnd::out_of_memory,
                         ExploreEnd::cannot_judge}) {
    if (to_string(end) == text) return end;
  }
  return ExploreEnd::running;
}

ordered_json json_of(const std::vector<LevelCount>& levels) {
  ordered_json out = nlohmann::json::array();
  for (const auto& level : levels) {
    out.push_back(
        {{"name", level.name}, {"positions", level.positions}, {"steps", level.steps}, {"illegal", level.illegal}});
  }
  return out;
}

std::vector<LevelCount> levels_from(const ordered_json& json) {
  std::vector<LevelCount> out;
  for (const auto& level : json) out.push_back({level["name"], level["positions"], level["steps"], level["illegal"]});
  return out;
}

LevelCount total_of(const std::vector<LevelCount>& levels) {
  LevelCount total{.name = "all"};
  for (const auto& level : levels) {
    total.positions += level.positions;
    total.steps += level.steps;
    total.illegal += level.illegal;
  }
  return total;
}

/// 1234567 → "1,234,567"
std::string grouped(std::uint64_t value) {
  std::string out = std::to_string(value);
  for (auto at = static_cast<std::ptrdiff_t>(out.size()) - 3; at > 0; at -= 3) {
    out.insert(static_cast<std::size_t>(at), ",");
  }
  return out;
}

/// 1234567, "step" → "1,234,567 steps"
std::string grouped(std::uint64_t value, std::string_view noun) { return grouped(value) + " " + plural(value, noun); }

// Where to start -------------------------------------------------------------------------------

/// A file's text, or fields as in `width=5,height=5` as one. Fields left out take their lowest values. What is wrong with
/// a field is said of the field: there is no file whose line could be named.
std::string setup_text(const AnySystem& system, const std::string& given) {
  if (given == "-" || fs::exists(given)) return read_input(given);
  if (given.find('=') == std::string::npos) {
    throw BadInput{"--setup " + given +
                   ": there is no such file; expected a scenario's, or fields as in width=5,height=5"};
  }
  std::string text = "lockstep 1 " + std::string{system.name()} + "\n";
  const std::vector<std::string> fields = split_names({given});
  for (auto field : fields) {
    std::ranges::replace(field, '=', ' ');
    text += field + "\n";
  }
  text += "actions\n";
  if (const auto scenario = system.canonical(text); !scenario) {
    const auto line = static_cast<std::size_t>(scenario.error().line);  // the first field stands in line 2
    const bool is_field = line >= 2 && line < fields.size() + 2;
    throw BadInput{"--setup " + (is_field ? fields[line - 2] : given) + ": " + scenario.error().what};
  }
  return text;
}

ExploreStart start_from(const ExploreCommand& command, const AnyExplorer& explorer) {
  ExploreStart from;
  if (!command.name.empty()) {
    std::vector<std::string> known;
    for (const auto& each : explorer.explorations()) known.push_back(each.name);
    if (std::ranges::find(known, command.name) == known.end()) {
      throw BadInput{unknown_name("exploration", command.name, known, " of " + command.system)};
    }
    from.exploration = command.name;
  } else if (!command.corpus.empty()) {
    fs::path folder = command.corpus;
    if (fs::is_directory(folder / command.system)) folder /= command.system;
    std::error_code fault;
    std::vector<std::string> files;
    for (const auto& entry : fs::directory_iterator{folder, fault}) {
      if (entry.is_regular_file() && entry.path().extension() == ".txt") files.push_back(entry.path().string());
    }
    if (fault) throw BadInput{folder.string() + ": " + fault.message()};
    if (files.empty()) throw BadInput{folder.string() + ": there is no scenario (*.txt) here"};
    std::ranges::sort(files);
    for (const auto& file : files) from.texts.emplace_back(file, read_input(file));
    from.every_position = true;
  } else {
    const std::string source = command.setup.empty() ? "setup" : source_name(command.setup);
    from.texts.emplace_back(source, command.setup.empty() ? "lockstep 1 " + command.system + "\nactions\n"
                                                          : setup_text(system_named(command.system), command.setup));
  }
  return from;
}

std::vector<bool> chosen_kinds(const ExploreCommand& command, const AnyExplorer& explorer) {
  if (command.actions.empty()) return {};
  const auto known = explorer.action_names();
  std::vector<bool> kinds(known.size());
  for (const auto& name : split_names(command.actions)) {
    const auto at = std::ranges::find(known, name);
    if (at == known.end()) throw BadInput{unknown_name("action", name, known, " of " + command.system)};
    kinds[static_cast<std::size_t>(at - known.begin())] = true;
  }
  return kinds;
}

// Checkpoints ----------------------------------------------------------------------------------
//
// A line of JSON that says what is explored and how far it has come, then the positions of a walk as they
// lie in memory. Only the program that wrote it goes on with it: another build may have other implementations.

std::uint64_t checksum(std::span<const std::uint8_t> bytes) { return PositionSet::hash(bytes); }

std::string program_identity() {
  std::ifstream self{"/proc/self/exe", std::ios::binary};
  const std::string bytes{std::istreambuf_iterator<char>{self}, {}};
  return hash_text(bytes);
}

/// What a checkpoint must agree with to be gone on from.
ordered_json identity(const ExploreStart& from, const std::vector<std::string>& implementations,
                      const ExploreOptions& options, std::string_view system) {
  std::string texts;
  for (const auto& [source, text] : from.texts) texts += text + '\0';
  return {{"checkpoint", checkpoint_schema},
          {"game", system},
          {"exploration", from.exploration},
          {"starts", hash_text(texts)},
          {"simulators", implementations},
          {"actions", options.kinds},
          {"fold", options.fold},
          {"exact", options.exact},
          {"program", program_identity()}};
}

void save(const fs::path& path, const Explorer& explorer, const ordered_json& who) {
  const auto positions = explorer.positions();
  const LevelCount total = total_of(explorer.state().levels);
  ordered_json head = who;
  head["so_far"] = {{"positions", total.positions}, {"steps", total.steps}};  // for people
  head["levels"] = json_of(explorer.state().levels);
  head["cursor"] = explorer.state().cursor;
  head["level_end"] = explorer.state().level_end;
  const auto failed = explorer.counterexample();
  head["failed"] = failed ? failed->text : "";
  head["bytes"] = positions.size();
  head["checksum"] = checksum(positions);
  fs::path temporary = path;
  temporary += ".tmp" + std::to_string(getpid());
  {
    std::ofstream out{temporary, std::ios::binary | std::ios::trunc};
    out << head.dump() << "\n";
    out.write(reinterpret_cast<const char*>(positions.data()), static_cast<std::streamsize>(positions.size()));
    out.flush();
    if (!out) throw BadInput{temporary.string() + ": the checkpoint cannot be written"};
  }
  std::error_code fault;
  fs::rename(temporary, path, fault);
  if (fault) throw BadInput{path.string() + ": " + fault.message()};
}

void load(const std::string& path, Explorer& explorer, const ordered_json& who) {
  std::ifstream in{path, std::ios::binary};
  if (!in) throw BadInput{path + ": cannot be read"};
  std::string line;
  std::getline(in, line);
  const ordered_json head = ordered_json::parse(line, nullptr, false);
  const auto broken = [&](const std::string& why) { return BadInput{path + ": " + why}; };
  if (!head.is_object() || !head.contains("checkpoint")) throw broken("is not a checkpoint of an exploration");
  for (const auto& [key, value] : who.items()) {
    if (head.value(key, ordered_json{}) == value) continue;
    throw broken(key == "program" ? "was written by another build, whose implementations may differ: start again"
                                  : "is of another exploration: its " + key + " differs");
  }
  try {
    std::vector<std::uint8_t> positions(head.at("bytes").get<std::size_t>());
    in.read(reinterpret_cast<char*>(positions.data()), static_cast<std::streamsize>(positions.size()));
    if (!in || checksum(positions) != head.at("checksum").get<std::uint64_t>()) throw broken("is damaged");
    explorer.restore({levels_from(head.at("levels")), head.at("cursor"), head.at("level_end")}, positions,
                     head.at("failed"));
  } catch (const nlohmann::json::exception&) {
    throw broken("is damaged");
  } catch (const std::length_error&) {
    throw broken("is damaged");
  }
}

// The child ------------------------------------------------------------------------------------

std::string progress_text(const Explorer& explorer, double seconds) {
  const LevelCount total = total_of(explorer.state().levels);
  const auto& level = explorer.state().levels.back();
  return fmt::format("{}: {:.0f}% of {}, {}, {}, {} MiB, {:.0f} s{}", level.name, 100 * explorer.share_done(),
                     grouped(level.positions), grouped(total.positions, "position"), grouped(total.steps, "step"),
                     explorer.memory() >> 20, seconds,
                     explorer.counterexample() ? "; DIVERGED, looking for the smallest here" : "");
}

/// Ends the process when a job has been at one scenario for too long.
void watch(const std::stop_token& stop, const Beacon* beacons, unsigned jobs, std::chrono::seconds timeout,
           Shared& shared) {
  std::vector<std::uint64_t> seen(jobs);
  std::vector<Clock::time_point> since(jobs, Clock::now());
  while (!stop.stop_requested()) {
    std::this_thread::sleep_for(std::chrono::milliseconds{50});
    for (unsigned job = 0; job < jobs; ++job) {
      const std::uint64_t beats = beacons[job].beats.load();
      if (beats != seen[job] || !beacons[job].busy.load()) {
        seen[job] = beats;
        since[job] = Clock::now();
      } else if (Clock::now() - since[job] > timeout) {
        shared.hung.store(true);
        _exit(exit_internal_error);
      }
    }
  }
}

struct Job {
  const ExploreCommand& command;
  const AnyExplorer& explorer;
  ExploreStart from;
  std::vector<std::string> implementations;
  ExploreOptions options;
};

std::unique_ptr<Explorer> started(const Job& job) {
  auto explorer = job.explorer.start(job.from, job.implementations, job.options);
  if (!explorer) throw BadInput{explorer.error()};
  return std::move(*explorer);
}

ordered_json explore_in_child(const Job& job, Shared& shared) {
  const auto start = Clock::now();
  const std::string path = job.command.resume.empty() ? job.command.checkpoint : job.command.resume;
  const ordered_json who =
      path.empty() ? ordered_json{} : identity(job.from, job.implementations, job.options, job.explorer.system());
  const auto explorer = started(job);
  if (!job.command.resume.empty()) load(path, *explorer, who);
  ProgressLine progress;
  const std::jthread watcher{[&](const std::stop_token& stop) {
    watch(stop, job.options.beacons, job.options.jobs, std::chrono::seconds{job.command.timeout}, shared);
  }};
  auto saved = Clock::now();
  while (explorer->end() == ExploreEnd::running && !shared.stop) {
    explorer->advance(std::chrono::milliseconds{200});
    if (progress.shown()) {
      progress.update(progress_text(*explorer, std::chrono::duration<double>(Clock::now() - start).count()));
    }
    if (path.empty() || Clock::now() - saved < std::chrono::seconds{job.command.every}) continue;
    save(path, *explorer, who);
    saved = Clock::now();
  }
  if (!path.empty()) save(path, *explorer, who);
  progress.clear();
  ordered_json out{{"end", to_string(explorer->end())},
                   {"levels", json_of(explorer->state().levels)},
                   {"share", explorer->share_done()},
                   {"reason", explorer->reason()},
                   {"folded_by", explorer->folded_by()},
                   {"memory", explorer->memory()},
                   {"seconds", std::chrono::duration<double>(Clock::now() - start).count()}};
  if (const auto failed = explorer->counterexample()) {
    const Size& size = failed->size;
    out["failed"] = {
        {"text", failed->text},
        {"explanation", failed->explanation},
        {"size",
         {{"actions", size.actions}, {"occupied", size.occupied}, {"area", size.area}, {"fields", size.fields}}}};
  }
  return out;
}

// The certificate ------------------------------------------------------------------------------

struct Outcome {
  ordered_json explored;  // what the child said
  std::string text;       // of the smallest scenario that diverged; empty when none did
  std::optional<FindingText> finding;
  std::string file;
};

/// What was seen once, and not again.
[[noreturn]] void vanished(const Job& job, const std::string& what) {
  if (job.options.jobs > 1 && std::ranges::any_of(job.implementations, names_plugin)) {
    throw BadInput{
        what +
        "\nThe jobs of an exploration call a plugin side by side, so its implementations must share no variables "
        "(lockstep/plugin.h); --jobs 1 calls it from one thread alone"};
  }
  throw InternalError{what};
}

/// Implementations that die or hang are judged once more, with an address, in children of their own.
ordered_json explain_death(const Job& job, const ChildResult& result, bool hung) {
  const auto explorer = started(job);
  const AnySystem& system = system_named(job.command.system);
  for (unsigned i = 0; i < job.options.jobs; ++i) {
    const Beacon& beacon = job.options.beacons[i];
    if (beacon.beats.load() == 0) continue;
    const std::string text = explorer->scenario_under(beacon);
    const auto replay = system.replay(text, job.implementations, Guard{std::chrono::seconds{job.command.timeout}});
    if (!replay || !replay->verdict.diverged()) continue;
    return {{"end", "diverged"},
            {"levels", ordered_json::array()},
            {"share", 0.0},
            {"reason", ""},
            {"folded_by", explorer->folded_by()},
            {"memory", 0},
            {"seconds", 0.0},
            {"failed", {{"text", text}, {"explanation", replay->explanation}, {"size", nullptr}}}};
  }
  vanished(job, "the exploration " + (hung ? std::string{"hung"} : result.reason) +
                    ", but judging what it was at shows nothing");
}

void on_interrupt(int) { interrupted = 1; }

Outcome explored(const Job& job, Shared& shared) {
  // The child ignores SIGINT; the parent passes it on as a wish.
  struct sigaction action = {};
  action.sa_handler = on_interrupt;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  const std::jthread messenger{[&shared](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      if (interrupted != 0) shared.stop.store(true);
      std::this_thread::sleep_for(std::chrono::milliseconds{20});
    }
  }};
  const ChildResult result = run_in_child(
      [&]() -> std::string {
        try {
          return explore_in_child(job, shared).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
        } catch (const BadInput& error) {
          return ordered_json{{"bad_input", error.what()}}.dump();
        } catch (const std::exception& fault) {
          return ordered_json{{"fault", fault.what()}}.dump();
        }
      },
      std::chrono::hours{24 * 365},
      {.stdout_to = "/dev/null"});  // what implementations print does not belong into the certificate
  Outcome out;
  if (result.end == ChildResult::End::returned) out.explored = ordered_json::parse(result.output);
  else if (result.end == ChildResult::End::died) out.explored = explain_death(job, result, shared.hung);
  else throw InternalError{"the exploration could not be started: " + result.reason};
  if (out.explored.contains("bad_input")) throw BadInput{out.explored["bad_input"]};
  if (out.explored.contains("fault")) throw InternalError{out.explored["fault"]};
  if (!out.explored.contains("failed")) return out;
  out.text = out.explored["failed"]["text"];
  const AnySystem& system = system_named(job.command.system);
  auto shrunk = system.shrink(out.text, job.implementations, Guard{std::chrono::seconds{job.command.timeout}},
                              std::chrono::seconds{30});
  if (!shrunk || !*shrunk) vanished(job, "a divergence vanished when it was looked at again:\n" + out.text);
  out.finding = std::move(**shrunk);
  out.file = (fs::path{job.command.out} / out.finding->file_name).string();
  write_output(out.file, out.finding->text);
  return out;
}

void print_table(const std::vector<LevelCount>& levels, bool walk) {
  std::size_t width = 5;
  for (const auto& level : levels) width = std::max(width, level.name.size());
  fmt::print("{:<{}}  {:>15}  {:>17}  {:>15}\n", walk ? "depth" : "part", width, "positions", "steps", "illegal");
  const auto row = [&](const LevelCount& level) {
    fmt::print("{:<{}}  {:>15}  {:>17}  {:>15}\n", level.name, width, grouped(level.positions), grouped(level.steps),
               grouped(level.illegal));
  };
  for (const auto& level : levels) row(level);
  if (levels.size() > 1) row(total_of(levels));
}

std::string about(const Job& job) {
  const auto& command = job.command;
  for (const auto& each : job.explorer.explorations()) {
    if (each.name != command.name) continue;
    const bool as_named = command.depth == 0 || command.depth == each.depth;
    return as_named ? each.about : fmt::format("{}; here to depth {}", each.about, command.depth);
  }
  if (!command.corpus.empty())
    return fmt::format("every action from every position of {}", counted(job.from.texts.size(), "scenario"));
  const std::string where = command.setup.empty() ? "the simplest setup" : command.setup;
  return "every action from every position reached from " + where;
}

/// What was proven, in one sentence; or how far it got.
std::string conclusion(const Job& job, const Outcome& outcome, bool walk) {
  const auto levels = levels_from(outcome.explored["levels"]);
  const LevelCount total = total_of(levels);
  const std::string names = fmt::format("{}", fmt::join(job.implementations, ", "));
  const std::string so_far = levels.empty()
                                 ? ""
                                 : fmt::format("{:.0f}% of {} {}", 100 * outcome.explored["share"].get<double>(),
                                               walk ? "depth" : "part", levels.back().name);
  switch (end_from(outcome.explored["end"].get<std::string>())) {
    case ExploreEnd::covered:
    case ExploreEnd::exhausted:
      if (walk && outcome.explored["end"] == "exhausted") {
        return fmt::format("ALL AGREE: {} and there are no other positions; {}, {}", names,
                           grouped(total.positions, "position"), grouped(total.steps, "step"));
      }
      return fmt::format("ALL AGREE: {} on {} and {}", names, grouped(total.positions, "position"),
                         grouped(total.steps, "step"));
    case ExploreEnd::diverged: return "DIVERGED";
    case ExploreEnd::out_of_memory:
      return fmt::format("NOT COVERED: {} MiB are not enough; done: {}; no difference so far", job.command.memory,
                         so_far);
    case ExploreEnd::cannot_judge: return "NOT COVERED: " + outcome.explored["reason"].get<std::string>();
    case ExploreEnd::running: return fmt::format("INTERRUPTED at {}; no difference so far", so_far);
  }
  return "";
}

void print_certificate(const Job& job, const Outcome& outcome, bool walk) {
  const auto& json = outcome.explored;
  fmt::print("system        {}\nexplored    {}{}\n", job.command.system,
             job.command.name.empty() ? "" : job.command.name + ": ", about(job));
  fmt::print("implementations  {}\n", fmt::join(job.implementations, ", "));
  if (!job.command.actions.empty()) fmt::print("actions     {}\n", fmt::join(split_names(job.command.actions), ", "));
  const auto folded = json["folded_by"].get<std::vector<std::string>>();
  if (!folded.empty()) fmt::print("folded by   {}\n", fmt::join(folded, ", "));
  fmt::print("\n");
  const auto levels = levels_from(json["levels"]);
  if (!levels.empty()) print_table(levels, walk);
  fmt::print("\n{:.1f} s on {}, {} MiB for positions\n", json["seconds"].get<double>(),
             counted(job.options.jobs, "job"), json["memory"].get<std::size_t>() >> 20);
  if (!outcome.finding) {
    fmt::print("{}\n", conclusion(job, outcome, walk));
    return;
  }
  const FindingText& finding = *outcome.finding;
  fmt::print("DIVERGED {}\n", json["failed"]["explanation"].get<std::string>());
  const std::string smallest = outcome.text.substr(outcome.text.find('\n') + 1);
  fmt::print("the smallest scenario that differs {}:\n",
             levels.empty() ? "" : fmt::format("at {} {}", walk ? "depth" : "part", levels.back().name));
  for (std::size_t at = 0; at < smallest.size();) {
    const std::size_t end = std::min(smallest.find('\n', at), smallest.size());
    fmt::print("  | {}\n", smallest.substr(at, end - at));
    at = end + 1;
  }
  fmt::print("shrunk: {}, {}\nreplay it: {}\n", finding.explanation, finding.minimal ? "minimal" : "budget spent",
             replay_command(outcome.file, job.implementations));
}

void print_json(const Job& job, const Outcome& outcome) {
  const auto& explored = outcome.explored;
  const LevelCount total = total_of(levels_from(explored["levels"]));
  ordered_json out{{"schema", explore_schema},
                   {"game", job.command.system},
                   {"exploration", job.command.name},
                   {"about", about(job)},
                   {"simulators", job.implementations},
                   {"folded_by", explored["folded_by"]},
                   {"end", explored["end"]},
                   {"agreed", !outcome.finding},
                   {"positions", total.positions},
                   {"steps", total.steps},
                   {"illegal", total.illegal},
                   {"levels", explored["levels"]},
                   {"seconds", explored["seconds"]},
                   {"memory", explored["memory"]}};
  if (outcome.finding) {
    out["finding"] = {{"signature", outcome.finding->signature},
                      {"file", outcome.file},
                      {"explanation", outcome.finding->explanation},
                      {"minimal", outcome.finding->minimal},
                      {"actions", outcome.finding->actions},
                      {"smallest_explored", {{"text", outcome.text}, {"size", explored["failed"]["size"]}}}};
  }
  fmt::print("{}\n", out.dump(2));
}

void print_list(const AnyExplorer& explorer) {
  const auto all = explorer.explorations();
  if (all.empty()) fmt::print("{} names no exploration; any setup can be explored with --setup\n", explorer.system());
  for (const auto& each : all) fmt::print("{:<14}  {}\n", each.name, each.about);
}

int explore(const ExploreCommand& command) {
  const AnySystem& system = system_named(command.system);
  const AnyExplorer& explorer = explorer_of(system.name());
  if (command.list) {
    print_list(explorer);
    return exit_agreed;
  }
  if ((command.name.empty() ? 0 : 1) + (command.setup.empty() ? 0 : 1) + (command.corpus.empty() ? 0 : 1) > 1) {
    throw BadInput{"explore one thing: an exploration by its name, --setup, or --corpus"};
  }
  const unsigned jobs = command.jobs > 0 ? command.jobs : std::max(1u, std::thread::hardware_concurrency());
  const SharedMemory<Beacon> beacons{jobs};
  const SharedMemory<Shared> shared{1};
  Job job{
      command, explorer, start_from(command, explorer), implementations_named(system, split_names(command.with)), {}};
  job.options = {.depth = command.depth,
                 .jobs = jobs,
                 .memory = command.memory << 20,
                 .fold = command.fold,
                 .exact = job.from.every_position,
                 .kinds = chosen_kinds(command, explorer),
                 .beacons = beacons.first()};
  if (job.options.depth == 0 && command.name.empty()) job.options.depth = command.corpus.empty() ? depth_unbounded : 1;
  bool walk = true;
  for (const auto& each : explorer.explorations()) {
    if (each.name == command.name) walk = each.depth.has_value();
  }
  if (!walk && (command.fold || command.depth > 0 || !command.actions.empty())) {
    throw BadInput{"--depth, --actions and --fold are for walks; " + command.name +
                   " is a sweep, which says itself what it asks"};
  }
  const Outcome outcome = explored(job, *shared.first());
  if (command.json) print_json(job, outcome);
  else print_certificate(job, outcome, walk);
  if (outcome.finding) return exit_diverged;
  switch (end_from(outcome.explored["end"].get<std::string>())) {
    case ExploreEnd::covered:
    case ExploreEnd::exhausted: return exit_agreed;
    case ExploreEnd::running: return exit_interrupted;
    default: return exit_internal_error;
  }
}

}  // namespace

void add_explore(CLI::App& program, int& exit_code) {
  const auto options = std::make_shared<ExploreCommand>();
  CLI::App* const verb =
      program.add_subcommand("explore", "Judges everything within a bound, and prints what that was");
  verb->add_option("SYSTEM", options->system, "Which system")->required();
  verb->add_option("NAME", options->name, "An exploration that the system names (--list)");
  verb->add_flag("--list", options->list, "Lists the system's explorations");
  verb->add_option("--setup", options->setup,
                   "Walk from the last position of this scenario file, or from fields (width=5,height=5); without "
                   "NAME, --setup and --corpus: from the simplest setup");
  verb->add_option("--corpus", options->corpus,
                   "From every position of the scenarios in this folder, or in its folder SYSTEM");
  verb->add_option("--depth", options->depth,
                   "How many actions deep a walk goes; default: as deep as NAME is known, 1 from a corpus, else until "
                   "there is no new position")
      ->check(whole_number(1));
  verb->add_option("--actions", options->actions, "Kinds of actions to walk by (NAME,NAME); default: all");
  add_with(*verb, options->with, "all optimized ones");
  verb->add_flag("--fold", options->fold,
                 "Positions that are images of each other under the system's symmetries count as one, and only one of "
                 "them is judged");
  verb->add_option("--jobs", options->jobs, "Threads; default: one for each core")->check(CLI::Range(1, 1024));
  verb->add_option("--memory", options->memory, "MiB for the positions of a walk")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 24))
      ->capture_default_str();
  verb->add_option("--checkpoint", options->checkpoint, "Keep in this file how far it has come");
  verb->add_option("--resume", options->resume, "Go on from this checkpoint, and keep it");
  verb->add_option("--every", options->every, "Seconds between two checkpoints")
      ->check(CLI::Range(0, 86'400))
      ->capture_default_str();
  verb->add_option("--out", options->out, "Folder for a finding")->capture_default_str();
  add_timeout(*verb, options->timeout);
  verb->add_flag("--json", options->json, "The certificate as one object");
  verb->footer(
      "exit 0 when all was covered and agrees, 1 when implementations differ, 3 when it was not covered (memory)\n"
      "example: lockstep explore ts_tetris 5x5 --depth 8");
  verb->callback([options, &exit_code] { exit_code = explore(*options); });
}

}  // namespace lockstep
