// Judges planted changes: compiled once per system, with the planted copies in place of the implementations.
//
// usage: mutants_GAME [--seconds N] [--jobs N] [--seed N] [--corpus FOLDER]  < CHANGES
//        mutants_GAME --list yes       list the implementations that this machine can run
//
// CHANGES has a line for each change: its number and the implementations to judge, `17 lean lanes`. Prints a line for
// each change when it is decided:
//
//   17 killed FILE observation          by a scenario of the corpus
//   18 killed 4711 snapshot             by drawn scenario number 4711 of the stream
//   19 killed two_chains.txt died       or `hung`
//   20 survived 3120 reached            after that many scenarios; or `unreached`
//
// Each change runs in its own process, forked from one that holds the scenarios and the reference's answers, so a
// change that dies at the first scenario costs a millisecond. The corpus runs first, then scenarios of the generators
// and mutated scenarios of the corpus. A change has `--seconds` of processor time; it hangs when one scenario takes a
// second (or `--seconds`, when that is less), and dies when it needs more than 2 GB.
#include LOCKSTEP_SYSTEM

#include "lockstep/judge/judge.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <utility>

#include "lab/mutants/tables.hpp"
#include "lockstep/describe/measure.hpp"
#include "lockstep/draw/corpus.hpp"
#include "lockstep/draw/mutate.hpp"
#include "lockstep/process/child.hpp"
#include "lockstep/process/files.hpp"
#include "lockstep/system/implementations.hpp"
#include "lockstep/system/registry.hpp"
#include "lockstep/system/typed.hpp"

namespace lockstep {
namespace {

namespace fs = std::filesystem;
using S = ThisSystem;

struct Options {
  double seconds = 10;
  unsigned jobs = 1;
  std::uint64_t seed = 1;
  fs::path corpus = LOCKSTEP_CORPUS;
  bool list = false;
};

struct Change {
  int number = 0;
  std::vector<Runner> implementations;
};

/// A scenario with the reference's answers.
struct Known {
  std::string name;  // the corpus file, or the number in the stream
  Scenario<S> scenario;
  Trace<S> trace;
  double seconds = 0;  // time of the reference
};

/// Shared memory for the result of a child: the child writes, the parent reads after its end.
struct Report {
  enum class End : int { died, survived, observation, snapshot };
  volatile End end = End::died;
  volatile bool reached = false;
  volatile std::uint64_t scenario = 0;  // the in-flight one: index of the known scenarios, then of the stream
};

double processor_seconds() {
  std::timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Scenario `index` of the stream: uniform, swarm, suggested, and a mutated one of the corpus, in rotation.
Scenario<S> drawn(const Options& options, const std::vector<Known>& corpus, std::uint64_t index) {
  Random random{seed_of(options.seed, index)};
  const std::uint64_t generator = index % 4;
  if (generator < styles.size() || corpus.empty()) return draw_scenario<S>(random, styles[generator % styles.size()]);
  Scenario<S> scenario = corpus[random.below(corpus.size())].scenario;
  edit<S>(scenario, [&](AnyScenario& any) { mutate(random, any); });
  return scenario;
}

Runner reference() { return reference_of(vocabulary<S>()); }

class Judging {
 public:
  explicit Judging(const Options& options) : options_{options} { read_corpus(); }

  /// Draws scenarios and keeps the reference's answers, so that no child has to compute them again.
  void prepare() {
    constexpr std::size_t bytes_max = std::size_t{256} << 20;
    const double until = processor_seconds() + std::min(3.0, options_.seconds);
    std::size_t bytes = 0;
    while (processor_seconds() < until && bytes < bytes_max) {
      const std::uint64_t index = drawn_++;
      known_.push_back({std::to_string(index), drawn(options_, corpus_, index), {}});
      run_typed<S>(reference(), known_.back().scenario, Cadence{}, known_.back().trace);
      bytes += (known_.back().trace.snapshots.size() + 1) *
                   (area_of(untyped<S>(known_.back().scenario)) + sizeof(SnapshotOf<S>)) +
               known_.back().scenario.actions.size() * (sizeof(typename S::Action) + sizeof(typename S::Observation));
    }
  }

  std::string name_of(std::uint64_t scenario) const {
    return scenario < known_.size() ? known_[scenario].name : std::to_string(drawn_ + scenario - known_.size());
  }

  /// Runs scenarios until the change is noticed or its time is over. Called in the child.
  void play(const Change& change, Report& report) const {
    mutants::switch_on(change.number);
    const double until = processor_seconds() + options_.seconds;
    for (std::uint64_t played = 0; processor_seconds() < until; ++played) {
      report.scenario = played;
      if (played < known_.size()) {
        if (noticed(change, known_[played].scenario, known_[played].trace, report)) return;
        continue;
      }
      const Scenario<S> scenario = drawn(options_, corpus_, drawn_ + played - known_.size());
      Trace<S> expected;
      run_typed<S>(reference(), scenario, Cadence{}, expected);
      if (noticed(change, scenario, expected, report)) return;
    }
    report.reached = mutants::reached;
    report.end = Report::End::survived;
  }

 private:
  void read_corpus() {
    for (const fs::path& path : corpus_files_if_any(options_.corpus)) {
      const auto text = read_file(path);
      const auto scenario = text ? parse_scenario<S>(*text) : Parsed<Scenario<S>>{};
      if (!text || !scenario) {
        std::cerr << path.string() << ": " << (text ? scenario.error().message("") : text.error()) << "\n";
        std::exit(2);
      }
      const double start = processor_seconds();
      known_.push_back({path.filename().string(), *scenario, {}});
      run_typed<S>(reference(), *scenario, Cadence{}, known_.back().trace);
      known_.back().seconds = processor_seconds() - start;
    }
    corpus_ = known_;
    // Quick scenarios first: they decide most changes.
    std::ranges::stable_sort(known_, {}, &Known::seconds);
  }

  bool noticed(const Change& change, const Scenario<S>& scenario, const Trace<S>& expected, Report& report) const {
    thread_local Trace<S> actual;
    for (const auto& implementation : change.implementations) {
      arm();
      run_typed<S>(implementation, scenario, Cadence{}, actual);
      if (actual.observations != expected.observations) report.end = Report::End::observation;
      else if (actual.snapshots != expected.snapshots) report.end = Report::End::snapshot;
      else continue;
      return true;
    }
    return false;
  }

  /// Arms a timer of processor time for one scenario: its signal ends a child that hangs.
  void arm() const {
    const auto microseconds = static_cast<long>(1e6 * std::clamp(options_.seconds, 0.02, 1.0));
    const itimerval allowed{.it_interval = {}, .it_value = {microseconds / 1'000'000, microseconds % 1'000'000}};
    setitimer(ITIMER_VIRTUAL, &allowed, nullptr);
  }

  Options options_;
  std::vector<Known> known_;  // the corpus, then the beginning of the stream
  std::vector<Known> corpus_;
  std::uint64_t drawn_ = 0;  // number of known scenarios that come from the stream
};

void tell(const Judging& judging, const Change& change, const Report& report, ExitStatus status) {
  std::cout << change.number << ' ';
  const std::string scenario = judging.name_of(report.scenario);
  if (const auto signal = status.signal()) {
    std::cout << "killed " << scenario << (*signal == SIGVTALRM ? " hung" : " died");
  } else if (report.end == Report::End::survived) {
    std::cout << "survived " << report.scenario << (report.reached ? " reached" : " unreached");
  } else if (report.end == Report::End::died) {
    std::cout << "killed " << scenario << " died";
  } else {
    std::cout << "killed " << scenario << (report.end == Report::End::observation ? " observation" : " snapshot");
  }
  std::cout << std::endl;  // flushed, so that a reader sees each line at once
}

/// Starts a child that judges a change within the limits of memory.
ChildProcess start(const Judging& judging, const Change& change, Report& report) {
  const auto limit = [] {
    constexpr rlimit memory{std::size_t{2} << 30, std::size_t{2} << 30};
    constexpr rlimit no_core{0, 0};
    setrlimit(RLIMIT_AS, &memory);
    setrlimit(RLIMIT_CORE, &no_core);
  };
  auto child =
      ChildProcess::call([&](Outbox&) { judging.play(change, report); }, {.stderr_to = "/dev/null", .prepare = limit});
  if (child) return std::move(*child);
  std::cerr << child.error() << "\n";
  std::exit(3);
}

/// Waits until one of the children has ended. ChildProcess takes its status.
pid_t ended_child() {
  siginfo_t ended{};
  while (waitid(P_ALL, 0, &ended, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
  return ended.si_pid;
}

/// Runs a child for each change, as many at a time as there are jobs.
void judge_all(const Judging& judging, const std::vector<Change>& changes, unsigned jobs) {
  const std::size_t bytes = changes.size() * sizeof(Report);
  void* const shared = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) {
    std::cerr << "no shared memory\n";
    std::exit(3);
  }
  auto* const reports = static_cast<Report*>(shared);
  struct Running {
    std::size_t change;
    ChildProcess child;
  };
  std::map<pid_t, Running> running;
  for (std::size_t next = 0; next < changes.size() || !running.empty();) {
    while (next < changes.size() && running.size() < jobs) {
      Report& report = *new (&reports[next]) Report;
      ChildProcess child = start(judging, changes[next], report);
      const pid_t id = child.id();
      running.emplace(id, Running{next++, std::move(child)});
    }
    auto& [change, child] = running.at(ended_child());
    const pid_t id = child.id();
    tell(judging, changes[change], reports[change], child.wait());
    running.erase(id);
  }
  munmap(shared, bytes);
}

std::vector<Change> read_changes(std::istream& in) {
  std::vector<Change> changes;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words{line};
    Change change;
    words >> change.number;
    for (std::string name; words >> name;) {
      const auto found = std::ranges::find(registry<S>(), name, &Runner::name);
      if (found == registry<S>().end()) {
        std::cerr << S::name << " has no implementation '" << name << "'\n";
        std::exit(2);
      }
      change.implementations.push_back(*found);
    }
    changes.push_back(std::move(change));
  }
  return changes;
}

Options options_from(int count, char** words) {
  Options options;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string name = words[i];
    const std::string value = words[i + 1];
    if (name == "--seconds") options.seconds = std::stod(value);
    else if (name == "--jobs") options.jobs = static_cast<unsigned>(std::stoul(value));
    else if (name == "--seed") options.seed = std::stoull(value);
    else if (name == "--corpus") options.corpus = value;
    else if (name == "--list") options.list = true;
  }
  options.corpus /= S::name;
  return options;
}

}  // namespace
}  // namespace lockstep

int main(int count, char** words) {
  using namespace lockstep;
  const Options options = options_from(count, words);
  if (options.list) {
    for (const auto& implementation : registry<ThisSystem>()) std::cout << implementation.name << "\n";
    return 0;
  }
  const std::vector<Change> changes = read_changes(std::cin);
  Judging judging{options};
  judging.prepare();
  judge_all(judging, changes, options.jobs);
}
