// Counts chains of the same Puyo Puyo fields by this tree's implementations and by peers, in one process: puyo_peers.py
// compiles the peers' libraries, runs this program and prints a table of its lines.
//
//   lab_puyo_peers [--fields N] [--rounds N] [--peer NAME LIBRARY]…
//
// In each round every counter has one lap, which counts all fields of a workload; the order of counters alternates. Each
// lap has the fields in another order, because a processor learns the jumps of fields that come again in the same order
// (`lanes` on a Zen 4: 78 ns instead of 93 for each of 4,096 fields, where two laps in a row had the same). Times are
// processor time of this thread. `lanes again` is the same code a second time: its ratio shows the noise.
//
// The counts of every lap are compared with the reference, because what counts nothing is fast; before the first round,
// too.
//
// Prints lines of words that tabs separate: the level of the batch; then of each workload its name and mean number of
// chains, and of each counter its name and the fastest and the median lap, in ns per field ("–" if the peer has no such
// fields). Exit status 1: counts differ, and no time is printed; 2: the command line is wrong; 3: nothing was measured.
#include <dlfcn.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "games/puyo/roster.hpp"
#include "games/puyo/system.hpp"
#include "lab/puyo_peers/peer.hpp"
#include "lockstep/base/random.hpp"
#include "lockstep/describe/stopwatch.hpp"
#include "lockstep/system/processor.hpp"
#include "lockstep/system/typed.hpp"
#include "lockstep/text/text.hpp"

namespace lockstep::lab {
namespace {

using Fields = std::vector<Puyo::Setup>;
using Chains = std::vector<std::uint8_t>;

struct Workload {
  std::string name;
  int colours;
  Fields fields;
  Chains chains = {};  // of each field, counted by the reference
};

void shuffle(Workload& workload, Random& random) {
  for (std::size_t i = workload.fields.size(); i > 1; --i) {
    const std::size_t other = random.below(i);
    std::swap(workload.fields[i - 1], workload.fields[other]);
    std::swap(workload.chains[i - 1], workload.chains[other]);
  }
}

/// With 4,096 fields, the full fields are those of games/puyo/workloads.hpp.
std::vector<Workload> draw_workloads(std::size_t fields) {
  Random random{0x9077};
  const auto drawn = [&](std::string_view kind, int colours, auto&& draw) {
    Workload out{fmt::format("{}, {} colours", kind, colours), colours, {}};
    for (std::size_t i = 0; i < fields; ++i) {
      out.fields.push_back(draw(random, colours));
      out.chains.push_back(reference::RulebookPuyo{out.fields.back()}.step(Puyo::Resolve{}).chains);
    }
    return out;
  };
  const auto twelve = [](Random& from, int colours) { return Puyo::Suggestions::chain_field(from, 12, colours); };
  std::vector<Workload> out;
  for (const int colours : {4, 5}) out.push_back(drawn("full", colours, Puyo::Workloads::full_field));
  for (const int colours : {4, 5}) out.push_back(drawn("12 chains", colours, twelve));
  return out;
}

/// Counts the chains of many fields.
class Counter {
 public:
  virtual ~Counter() = default;
  virtual int colours_max() const { return Puyo::colours; }
  /// Off the clock: converts the fields.
  virtual void take(const Fields& fields) = 0;
  /// On the clock; uses the fields up.
  virtual void count(std::span<std::uint8_t> chains) = 0;
};

int chains_of(reference::RulebookPuyo& field) { return field.step(Puyo::Resolve{}).chains; }
int chains_of(optimized::LanesPuyo& field) { return field.count_chains(); }

template <class Implementation>
class OneByOne final : public Counter {
 public:
  void take(const Fields& fields) override { fields_ = std::vector<Implementation>(fields.begin(), fields.end()); }
  void count(std::span<std::uint8_t> chains) override {
    for (std::size_t i = 0; i < chains.size(); ++i) chains[i] = static_cast<std::uint8_t>(chains_of(fields_[i]));
  }

 private:
  std::vector<Implementation> fields_;
};

class Batch final : public Counter {
 public:
  void take(const Fields& fields) override {
    fields_ = optimized::PuyoFields{fields.size()};
    for (std::size_t i = 0; i < fields.size(); ++i) fields_.set(i, Puyo::Laws::bits_of(fields[i].board));
  }
  void count(std::span<std::uint8_t> chains) override { fields_.count_chains(chains); }

 private:
  optimized::PuyoFields fields_{0};
};

/// Throws std::invalid_argument if the library cannot be loaded. It is never unloaded.
class Peer final : public Counter {
 public:
  explicit Peer(const std::string& library) : library_{dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL)} {
    if (library_ == nullptr) throw std::invalid_argument{dlerror()};
    take_ = function<decltype(&peer_take)>("peer_take");
    count_ = function<decltype(&peer_count)>("peer_count");
  }
  int colours_max() const override { return peer_colours; }
  void take(const Fields& fields) override {
    std::vector<std::uint8_t> cells;
    for (const Puyo::Setup& field : fields) {
      cells.insert(cells.end(), field.board.cells.begin(), field.board.cells.end());
    }
    take_(cells.data(), fields.size());
  }
  void count(std::span<std::uint8_t> chains) override { count_(chains.data()); }

 private:
  template <class Function>
  Function function(const char* name) const {
    void* const found = dlsym(library_, name);
    if (found == nullptr) throw std::invalid_argument{dlerror()};
    return reinterpret_cast<Function>(found);
  }

  void* library_;
  decltype(&peer_take) take_;
  decltype(&peer_count) count_;
};

struct Named {
  std::string name;
  std::unique_ptr<Counter> counter;
  std::vector<double> laps = {};  // on one workload, in ns per field
};

/// Runs a lap. Returns how its counts differ from those of the workload, "" if they do not.
std::string run_lap(Named& one, const Workload& workload) {
  one.counter->take(workload.fields);
  Chains chains(workload.chains.size(), 0xff);
  const Stopwatch stopwatch;
  one.counter->count(chains);
  observe_answer(chains);
  const auto taken = stopwatch.elapsed();
  one.laps.push_back(static_cast<double>(taken.count()) / static_cast<double>(chains.size()));

  std::vector<std::size_t> wrong;
  for (std::size_t i = 0; i < chains.size(); ++i) {
    if (chains[i] != workload.chains[i]) wrong.push_back(i);
  }
  if (wrong.empty()) return "";
  const std::size_t first = wrong.front();
  return fmt::format("{}: {} of {} counts of \"{}\" differ from the reference: {} instead of {} chains in\n{}",
                     one.name, wrong.size(), chains.size(), workload.name, chains[first], workload.chains[first],
                     setup_text(any_of<Puyo>({workload.fields[first], {}})));
}

/// Fills the laps of all that can count this workload; returns how counts differ, "" if they do not.
std::string measure(std::vector<Named>& all, Workload& workload, int rounds) {
  std::string faults;
  std::vector<Named*> counting;
  for (Named& one : all) {
    one.laps.clear();
    if (workload.colours > one.counter->colours_max()) continue;
    counting.push_back(&one);
    faults += run_lap(one, workload);
    one.laps.clear();  // that one was no round
  }
  Random random{1};
  for (int round = 0; round < rounds && faults.empty(); ++round) {
    for (Named* one : counting) {
      shuffle(workload, random);
      faults += run_lap(*one, workload);
    }
    std::ranges::reverse(counting);
  }
  return faults;
}

/// The lines of a workload that was measured.
std::string lines_of(std::vector<Named>& all, const Workload& workload) {
  const int chains = std::accumulate(workload.chains.begin(), workload.chains.end(), 0);
  std::string out =
      fmt::format("workload\t{}\t{:.2f}\n", workload.name, chains / static_cast<double>(workload.chains.size()));
  for (Named& one : all) {
    if (one.laps.empty()) {
      out += fmt::format("{}\t–\n", one.name);
      continue;
    }
    std::ranges::sort(one.laps);
    out += fmt::format("{}\t{:.4f}\t{:.4f}\n", one.name, one.laps.front(), one.laps[one.laps.size() / 2]);
  }
  return out;
}

bool took_no_time(const Named& one) { return std::ranges::find(one.laps, 0.0) != one.laps.end(); }

int run(std::size_t fields, int rounds, std::span<const std::pair<std::string, std::string>> peers) {
  std::vector<Named> all;
  all.push_back({"rulebook", std::make_unique<OneByOne<reference::RulebookPuyo>>()});
  all.push_back({"lanes", std::make_unique<OneByOne<optimized::LanesPuyo>>()});
  all.push_back({"batch", std::make_unique<Batch>()});
  for (const auto& [name, library] : peers) all.push_back({name, std::make_unique<Peer>(library)});
  all.push_back({"lanes again", std::make_unique<OneByOne<optimized::LanesPuyo>>()});

  std::string out = fmt::format("level\t{}\n", about_level());
  for (Workload& workload : draw_workloads(fields)) {
    const std::string faults = measure(all, workload, rounds);
    if (!faults.empty()) {
      fmt::print(stderr, "{}", faults);
      return 1;
    }
    if (const auto instant = std::ranges::find_if(all, took_no_time); instant != all.end()) {
      fmt::print(stderr, "{}: no time was measured in a lap of {} fields: more are needed\n", instant->name, fields);
      return 3;
    }
    out += lines_of(all, workload);
  }
  fmt::print("{}", out);
  return 0;
}

}  // namespace
}  // namespace lockstep::lab

int main(int argc, char** argv) {
  std::size_t fields = 4096;
  int rounds = 60;
  std::vector<std::pair<std::string, std::string>> peers;
  CLI::App program{"Counts chains by this tree's implementations and by peers", "lab_puyo_peers"};
  program.add_option("--fields", fields, "Fields of each kind")->check(CLI::Range(1, 1'000'000));
  program.add_option("--rounds", rounds, "Laps of each")->check(CLI::Range(20, 100'000));
  program.add_option("--peer", peers, "A peer's name and its library");
  try {
    program.parse(argc, argv);
    if (const auto level = lockstep::level_asked(); !level) throw std::invalid_argument{level.error()};
    return lockstep::lab::run(fields, rounds, peers);
  } catch (const CLI::ParseError& fault) {
    return program.exit(fault) == 0 ? 0 : 2;
  } catch (const std::invalid_argument& fault) {
    fmt::print(stderr, "{}\n", fault.what());
    return 2;
  }
}
