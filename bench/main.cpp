// The main function of every bench_GAME program.
//
//   bench_GAME [--smoke | --on-demand] [Google Benchmark's own options]
//
// --on-demand answers requests on standard input (bench/on_demand.cpp), for bench/compare.py. LOCKSTEP_WITH=NAME
// compares a canary with the other simulators too (LOCKSTEP_WITH=canary: all canaries); the comparison must then fail
// where the workload exposes its mistake. Exit status: 0, or 1 when simulators disagree on a workload, or 2 when the
// command line is wrong.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <iostream>
#include <string_view>
#include <vector>

#include "bench/benchmarks.hpp"
#include "lockstep/processor.hpp"

namespace lockstep::bench {
namespace {

#if defined(NDEBUG) && defined(__OPTIMIZE__)
constexpr bool optimized_build = true;
#else
constexpr bool optimized_build = false;
#endif

/// Google Benchmark warns about its own build and the machine; this warns about the measured code.
void describe_build() {
  benchmark::AddCustomContext("simulators", optimized_build ? "an optimized build" : "a DEBUG build");
  benchmark::AddCustomContext("compiler", __VERSION__);
  benchmark::AddCustomContext("wide simulators",
                              has_avx512() ? "AVX-512" : "none: no AVX-512 here, or LOCKSTEP_PORTABLE is set");
  if (!optimized_build) {
    std::cerr << "***WARNING*** The simulators were built without optimization or with assertions. "
                 "Timings mean nothing; use the preset `release`.\n";
  }
}

int main_of(std::vector<char*> arguments) {
  static char once[] = "--benchmark_min_time=0";
  run().smoke = std::erase_if(arguments, [](const char* a) { return std::string_view{a} == "--smoke"; }) > 0;
  run().on_demand = std::erase_if(arguments, [](const char* a) { return std::string_view{a} == "--on-demand"; }) > 0;
  if (run().smoke) arguments.push_back(once);
  if (const char* with = std::getenv("LOCKSTEP_WITH")) run().with = with;

  int count = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;
  for (const Section section : sections()) {
    if (const auto registered = section(); !registered) {
      std::cerr << registered.error() << '\n';
      return 2;
    }
  }
  if (run().on_demand) {
    answer_requests();
    return 0;
  }
  describe_build();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return run().disagreed ? 1 : 0;
}

}  // namespace
}  // namespace lockstep::bench

int main(int argc, char** argv) { return lockstep::bench::main_of({argv, argv + argc}); }
