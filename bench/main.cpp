// The main function of every bench_GAME program.
//
//   bench_GAME [--smoke | --on-demand] [Google Benchmark's own options]
//
// --on-demand answers requests on standard input (bench/on_demand.cpp), for bench/compare.py. LOCKSTEP_WITH=NAME
// compares a canary with the other simulators too (LOCKSTEP_WITH=canary: all canaries); the comparison must then fail
// where the workload exposes its mistake. Exit status: 0, or 1 when simulators disagree on a workload, or 2 when the
// command line or LOCKSTEP_LEVEL is wrong.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bench/benchmarks.hpp"
#include "lockstep/system/processor.hpp"

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
  benchmark::AddCustomContext("level", about_level());
  if (!optimized_build) {
    std::cerr << "***WARNING*** The simulators were built without optimization or with assertions. "
                 "Timings mean nothing; use the preset `release`.\n";
  }
}

/// "277× slower", "3.61× faster"
std::string ratio_text(double speedup) {
  const bool slower = speedup < 1;
  const double ratio = slower ? 1 / speedup : speedup;
  char text[64];
  std::snprintf(text, sizeof text, ratio >= 100 ? "%.0f" : "%.3g", ratio);
  return std::string{text} + (slower ? "× slower" : "× faster");
}

/// The reporter of --benchmark_format. Google Benchmark's table prints a counter of 0.0036 as "3.6m", so the speedup is
/// a label there; JSON and CSV keep the number.
class Reporter : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context& context) override { return chosen_->ReportContext(context); }
  void Finalize() override { chosen_->Finalize(); }
  void ReportRuns(const std::vector<Run>& runs) override {
    if (dynamic_cast<benchmark::ConsoleReporter*>(chosen_.get()) == nullptr) return chosen_->ReportRuns(runs);
    std::vector<Run> labelled = runs;
    for (Run& each : labelled) {
      const auto speedup = each.counters.find("speedup");
      if (speedup == each.counters.end()) continue;
      // A standard deviation of speedups is no speedup.
      const bool is_speedup =
          each.aggregate_name.empty() || each.aggregate_name == "mean" || each.aggregate_name == "median";
      if (is_speedup && speedup->second.value > 0) each.report_label = ratio_text(speedup->second.value);
      each.counters.erase(speedup);
    }
    chosen_->ReportRuns(labelled);
  }

 private:
  std::unique_ptr<benchmark::BenchmarkReporter> chosen_{benchmark::CreateDefaultDisplayReporter()};
};

int main_of(std::vector<char*> arguments) {
  static char once[] = "--benchmark_min_time=0";
  run().smoke = std::erase_if(arguments, [](const char* a) { return std::string_view{a} == "--smoke"; }) > 0;
  run().on_demand = std::erase_if(arguments, [](const char* a) { return std::string_view{a} == "--on-demand"; }) > 0;
  if (run().smoke) arguments.push_back(once);
  if (const char* with = std::getenv("LOCKSTEP_WITH")) run().with = with;
  if (const auto level = level_asked(); !level) {
    std::cerr << level.error() << '\n';
    return 2;
  }

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
  Reporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  benchmark::Shutdown();
  return run().disagreed ? 1 : 0;
}

}  // namespace
}  // namespace lockstep::bench

int main(int argc, char** argv) { return lockstep::bench::main_of({argv, argv + argc}); }
