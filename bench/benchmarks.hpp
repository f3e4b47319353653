// Shared by the sources of a bench_GAME program.
//
// Each source adds a section, a function that registers its benchmarks. main.cpp calls the sections in order, runs the
// benchmarks that the command line selects, and exits with 1 when simulators disagree on a workload.
#pragma once

#include <benchmark/benchmark.h>

#include <chrono>
#include <expected>
#include <functional>
#include <string>
#include <vector>

#include "lockstep/describe/scenario.hpp"
#include "lockstep/judge/judge.hpp"
#include "lockstep/services/report.hpp"

namespace lockstep::bench {

using Seconds = std::chrono::duration<double>;

/// The options of this run and its outcome.
struct Run {
  /// Only the first actions of each workload: everything runs, but times are meaningless.
  bool smoke = false;
  /// Runs are requested one at a time by a program that compares behaviour by other means: nothing is compared before
  /// it is timed.
  bool on_demand = false;
  /// Canaries to compare with the other simulators, which must fail: a canary's name, "canary" for all of the game, ""
  /// for none.
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

/// On demand, a benchmark that times laps calls this instead of its loop: runs laps as the request says and keeps the
/// result for the answer. `lap` runs one lap of so many actions and returns its time.
void time_on_demand(benchmark::State& state, std::size_t actions, const std::function<std::chrono::nanoseconds()>& lap);

/// Judges a scenario before it is timed. Returns how simulators differ, "" when they do not, and records a difference
/// for the exit status.
inline std::string difference(Judge& judge, const AnyScenario& scenario) {
  const Verdict verdict = judge.judge(scenario);
  if (verdict.agreed()) return "";
  run().disagreed = true;
  return verdict.divergence ? describe_divergence(scenario, *verdict.divergence) : verdict.reason;
}

/// Registers benchmarks; returns what is wrong with the command line.
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
