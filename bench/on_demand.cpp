// bench_GAME --on-demand: keeps the program running and runs one benchmark per request, so that two versions of it can
// alternate every few milliseconds (bench/compare.py). Each request is one line, and so is each answer:
//
//   time SECONDS NAME   NANOSECONDS per action. Laps run until so much time was on the clock, and the fastest one
//                       counts: a busy machine makes laps slower, never faster. Benchmarks without laps answer their
//                       mean processor time, and take as long as --benchmark_min_time says.
//   count NAME          ACTIONS: runs one lap of that many with callgrind's counting on. The measured part lies between
//                       the first and the second reading of the clock that are counted: with
//                       `valgrind --tool=callgrind --instr-atstart=no --dump-before='clock_gettime*'` that is the
//                       second dump. 0 where nothing can be counted: benchmarks without laps, or no callgrind.
//                       A program that was built without callgrind's header answers with an error.
//
// The answer to anything else is "error WHAT". Simulators are not judged here: the program that compares versions
// judges them on its own scenarios.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "bench/benchmarks.hpp"

// Defined by bench/CMakeLists.txt when the header exists, so that installing it later rebuilds the program.
#ifdef LOCKSTEP_CALLGRIND
#include <valgrind/callgrind.h>
#endif

namespace lockstep::bench {
namespace {

using Nanoseconds = std::chrono::duration<double, std::nano>;

/// The current request, and its answer once a benchmark with laps has given it.
struct Request {
  bool count = false;
  std::chrono::duration<double> time{};
  std::string answer = {};
};

Request& request() {
  static Request the_request;
  return the_request;
}

std::string number(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.6f", value);
  return text;
}

/// Keeps the result of one run of one benchmark without laps.
class Keep final : public benchmark::BenchmarkReporter {
 public:
  std::string answer = "error there is no such benchmark";

  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& one : runs) {
      if (one.run_type != Run::RT_Iteration) continue;
      if (one.error_occurred) {
        answer = "error " + one.error_message;
        std::ranges::replace(answer, '\n', ' ');
        return;
      }
      // Manual times are processor times already; wall time would include other load of the machine.
      const bool by_hand = one.benchmark_name().ends_with("/manual_time");
      answer = request().count ? "0" : number(by_hand ? one.GetAdjustedRealTime() : one.GetAdjustedCPUTime());
    }
  }
};

/// Splits the text before the first blank off; the blank is removed too.
std::string_view next_word(std::string_view& line) {
  const std::string_view word = line.substr(0, line.find(' '));
  line.remove_prefix(std::min(word.size() + 1, line.size()));
  return word;
}

std::string answer_to(std::string_view line) {
  const std::string_view verb = next_word(line);
  if (verb != "time" && verb != "count") return "error expected 'time SECONDS NAME' or 'count NAME'";
#ifndef LOCKSTEP_CALLGRIND
  if (verb == "count") return "error built without valgrind/callgrind.h (package valgrind): cannot count instructions";
#endif
  request() = {.count = verb == "count"};
  if (verb == "time") request().time = std::chrono::duration<double>{std::atof(std::string{next_word(line)}.c_str())};
  Keep keep;
  benchmark::RunSpecifiedBenchmarks(&keep, "^" + std::string{line} + "$");
  return request().answer.empty() ? keep.answer : request().answer;
}

Nanoseconds fastest_lap(const std::function<std::chrono::nanoseconds()>& lap, std::chrono::duration<double> time) {
  Nanoseconds fastest = lap();
  for (Nanoseconds spent = fastest; spent < time;) {
    const Nanoseconds one = lap();
    fastest = std::min(fastest, one);
    spent += std::max(one, Nanoseconds{1});
  }
  return fastest;
}

/// Whether a lap ran with callgrind counting.
bool count_lap([[maybe_unused]] const std::function<std::chrono::nanoseconds()>& lap) {
#ifdef LOCKSTEP_CALLGRIND
  if (RUNNING_ON_VALGRIND == 0) return false;
  lap();  // warm-up, not counted
  CALLGRIND_START_INSTRUMENTATION;
  CALLGRIND_ZERO_STATS;
  lap();
  CALLGRIND_STOP_INSTRUMENTATION;
  return true;
#else
  return false;
#endif
}

}  // namespace

void time_on_demand(benchmark::State& state, std::size_t actions,
                    const std::function<std::chrono::nanoseconds()>& lap) {
  if (request().count) {
    request().answer = count_lap(lap) ? std::to_string(actions) : "0";
  } else {
    request().answer = number(fastest_lap(lap, request().time).count() / static_cast<double>(actions));
  }
  // A long minimum time, so that the library does not rerun with more iterations.
  while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(actions))) state.SetIterationTime(1e6);
}

void answer_requests() {
  for (std::string line; std::getline(std::cin, line);) std::cout << answer_to(line) << '\n' << std::flush;
}

}  // namespace lockstep::bench
