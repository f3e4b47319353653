// What the sources of a bench_GAME program share.
//
// Each source adds a section, a function that registers its benchmarks; main.cpp calls them in that order,
// runs what the command line chooses, and answers 1 when simulators disagreed on a workload.
#pragma once

#include <benchmark/benchmark.h>

#include <chrono>
#include <expected>
#include <functional>
#include <string>
#include <vector>

#include "lockstep/report.hpp"

namespace lockstep::bench {

/// How this run was asked for, and what became of it.
struct Run {
  /// The first actions of each workload only: everything is run, and no time means anything.
  bool smoke = false;
  /// Runs are asked for one at a time by a program that judges behaviour by other means: nothing is judged
  /// before it is timed.
  bool on_demand = false;
  /// Simulators that are compared with the others although they must differ: a canary's name, "canary" for
  /// all of the game's, "" for none.
  std::string with;
  /// A comparison failed; its benchmarks were skipped with the reason.
  bool disagreed = false;
};

inline Run& run() {
  static Run the_run;
  return the_run;
}

/// Answers requests on standard input until it ends: bench/on_demand.cpp.
void answer_requests();

/// On demand, a benchmark that times laps does this instead of its loop: plays laps as the request says and
/// keeps what came of it for the answer. `lap` plays one, of so many actions, and answers its time.
void race_on_demand(benchmark::State& state, std::size_t actions, const std::function<std::chrono::nanoseconds()>& lap);

/// Judges a scenario before it is timed. Answers how simulators differ, "" when they do not, and remembers it
/// for the exit status.
template <System G>
std::string difference(Judge<G>& judge, const Scenario<G>& scenario) {
  const Verdict verdict = judge.judge(scenario);
  if (verdict.agreed()) return "";
  run().disagreed = true;
  return verdict.divergence ? describe_divergence<G>(scenario, *verdict.divergence) : verdict.reason;
}

/// Registers benchmarks, or says what is wrong with the command line.
using Section = std::expected<void, std::string> (*)();

inline std::vector<Section>& sections() {
  static std::vector<Section> all;
  return all;
}

inline bool add_section(Section section) {
  sections().push_back(section);
  return true;
}

}  // namespace lockstep::bench
