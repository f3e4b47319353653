// bench_GAME --on-demand: a program that stands ready and runs one benchmark at a time when it is told to, so that
// two versions of it can take turns in steps of milliseconds (bench/compare.py). One line is asked, one answered:
//
//   time SECONDS NAME   NANOSECONDS for one action. Laps are played until so much time was on the clock, and the
//                       fastest one speaks: a busy machine makes laps slower, never faster. Benchmarks without laps
//                       answer their mean processor time, and take as long as --benchmark_min_time says.
//   count NAME          ACTIONS: plays one lap of that many with callgrind's counting on. Between the first and the
//                       second question for the time that are counted lies what is on the clock: with
//                       `valgrind --tool=callgrind --instr-atstart=no --dump-before='clock_gettime*'` that is the
//                       second dump. 0 where nothing can be counted: benchmarks without laps, no callgrind around.
//                       A program that was built without callgrind's header answers with an error.
//
// "error WHAT" answers everything else. Simulators are not judged here: whoever compares versions judges them on
// scenarios of its own.
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

// Defined by bench/CMakeLists.txt when the header is there, so that a program is built anew once it is installed.
#ifdef LOCKSTEP_CALLGRIND
#include <valgrind/callgrind.h>
#endif

namespace lockstep::bench {
namespace {

using Nanoseconds = std::chrono::duration<double, std::nano>;

/// The request in flight, and its answer once a benchmark with laps has given it.
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

/// Keeps what one run of one benchmark without laps said.
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
      // Times set by hand are processor times already; the wall's would count what else the machine does.
      const bool by_hand = one.benchmark_name().ends_with("/manual_time");
      answer = request().count ? "0" : number(by_hand ? one.GetAdjustedRealTime() : one.GetAdjustedCPUTime());
    }
  }
};

/// What stands before the first blank, which is taken away with it.
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

/// Whether a lap was played with callgrind counting.
bool count_lap([[maybe_unused]] const std::function<std::chrono::nanoseconds()>& lap) {
#ifdef LOCKSTEP_CALLGRIND
  if (RUNNING_ON_VALGRIND == 0) return false;
  lap();  // what is done only once is done
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

void race_on_demand(benchmark::State& state, std::size_t actions,
                    const std::function<std::chrono::nanoseconds()>& lap) {
  if (request().count) {
    request().answer = count_lap(lap) ? std::to_string(actions) : "0";
  } else {
    request().answer = number(fastest_lap(lap, request().time).count() / static_cast<double>(actions));
  }
  // The library is told of a long time, so that it does not ask again with more iterations.
  while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(actions))) state.SetIterationTime(1e6);
}

void answer_requests() {
  for (std::string line; std::getline(std::cin, line);) std::cout << answer_to(line) << std::endl;
}

}  // namespace lockstep::bench
