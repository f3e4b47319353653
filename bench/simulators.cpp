// Every simulator of a game on each of its workloads: GAME/WORKLOAD/SIMULATOR.
//
// An iteration is one action, so the Time column is the time of an action. Only `step` is on the clock; simulators are
// constructed off the clock. Where a workload asks one question of each loaded board,
// GAME/WORKLOAD/SIMULATOR/from_setup includes the construction from the bytes of the board. Times are CPU times of the
// thread, set manually (hence "/manual_time"). Ignore the CPU column, which is Google Benchmark's own: it includes the
// construction.
//
// The counter `speedup` is the reference's time divided by this one's, on the same clock in the same run: ratios are
// comparable across machines, nanoseconds are not. It needs the reference's benchmark, so a filter should include
// that. The table shows it as "3.61× faster" or "277× slower" (main.cpp).
//
// Before the first benchmark of a workload, all simulators are judged on it. When they disagree, every benchmark of
// the workload is skipped with the divergence as the reason.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/benchmarks.hpp"
#include "bench/timing.hpp"
#include "lockstep/judge/judge.hpp"
#include "lockstep/system/any_system.hpp"
#include "lockstep/system/workload.hpp"

namespace lockstep::bench {
namespace {

/// The timed simulators, and the canaries requested, which are only compared.
struct Simulators {
  std::vector<Runner> timed;
  std::vector<Runner> canaries;
};

std::expected<Simulators, std::string> simulators() {
  Simulators out;
  std::string names;
  for (const auto& simulator : this_system().implementations()) {
    if (simulator.kind != Kind::canary) {
      out.timed.push_back(simulator);
      continue;
    }
    names.append(" ").append(simulator.name);
    if (run().with == simulator.name || run().with == "canary") out.canaries.push_back(simulator);
  }
  if (!run().with.empty() && out.canaries.empty()) {
    return std::unexpected("LOCKSTEP_WITH: expected 'canary' or one of" + names + ", got '" + run().with + "'");
  }
  return out;
}

/// The workloads of the game; if it has none, as the verb `bench` draws them.
std::vector<AnyWorkload> workloads() {
  const auto given = this_system().parts().workloads;
  return given != nullptr ? given() : drawn_workloads(this_vocabulary(), 1);
}

/// Only the first actions, for a run that does not measure.
void shorten(std::vector<AnyScenario>& scenarios, std::size_t actions_max) {
  std::size_t kept = 0;
  for (std::size_t left = actions_max; kept < scenarios.size() && left > 0; ++kept) {
    scenarios[kept].truncate(left);
    left -= scenarios[kept].size();
  }
  scenarios.erase(scenarios.begin() + static_cast<std::ptrdiff_t>(kept), scenarios.end());
}

/// A workload that is compared once and then timed with one simulator after the other.
class TimedWorkload {
 public:
  TimedWorkload(AnyWorkload workload, Simulators simulators)
      : workload_{std::move(workload)}, simulators_{std::move(simulators)} {
    if (run().smoke) shorten(workload_.scenarios, 1000);
    for (const auto& scenario : workload_.scenarios) actions_ += scenario.size();
  }

  const std::vector<Runner>& timed() const { return simulators_.timed; }
  std::string_view name() const { return workload_.name; }
  bool one_question_each() const { return actions_ == workload_.scenarios.size(); }

  /// Runs laps of one simulator as long as the state requests them.
  void time(benchmark::State& state, const Runner& simulator, Clocked clocked) {
    if (const auto& fault = compare(); !fault.empty()) return state.SkipWithError(fault.c_str());
    const auto laps = simulator.laps(workload_.scenarios);
    const auto an_action = time_actions(state, *laps, actions_, clocked);
    if (!an_action) return;
    auto& reference = reference_[clocked == Clocked::steps ? 0 : 1];
    if (simulator.kind == Kind::reference) reference = an_action;
    if (reference) state.counters["speedup"] = *reference / *an_action;
  }

 private:
  /// Why simulators differ on the workload; "" when they do not. A canary is compared with the reference alone, so
  /// that several canaries together do not obscure which one is wrong.
  const std::string& compare() {
    if (run().on_demand) fault_ = "";
    if (!fault_) fault_ = compare(simulators_.timed);
    for (std::size_t i = 0; i < simulators_.canaries.size() && fault_->empty(); ++i) {
      fault_ = compare({simulators_.timed.front(), simulators_.canaries[i]});
    }
    simulators_.canaries.clear();
    return *fault_;
  }

  std::string compare(std::vector<Runner> simulators) const {
    Judge judge{this_vocabulary(), std::move(simulators)};
    for (const AnyScenario& scenario : workload_.scenarios) {
      if (std::string fault = difference(judge, scenario); !fault.empty()) return fault;
    }
    return "";
  }

  AnyWorkload workload_;
  Simulators simulators_;
  std::size_t actions_ = 0;
  std::optional<std::string> fault_;
  std::array<std::optional<Seconds>, 2> reference_;  // time per action of the reference: steps, from_setup
};

void add(const std::shared_ptr<TimedWorkload>& workload, const Runner& simulator, Clocked clocked) {
  std::string name{this_system().name()};
  name.append("/").append(workload->name()).append("/").append(simulator.name);
  if (clocked == Clocked::from_setup) name += "/from_setup";
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
    workload->time(state, simulator, clocked);
  })->UseManualTime();
}

std::expected<void, std::string> add_simulators() {
  const auto all = simulators();
  if (!all) return std::unexpected(all.error());
  for (auto& named : workloads()) {
    const auto workload = std::make_shared<TimedWorkload>(std::move(named), *all);
    for (const Clocked clocked : {Clocked::steps, Clocked::from_setup}) {
      if (clocked == Clocked::from_setup && !workload->one_question_each()) continue;
      for (const auto& simulator : workload->timed()) {
        if (simulator.timed()) add(workload, simulator, clocked);
      }
    }
  }
  return {};
}

[[maybe_unused]] const bool added_simulators = add_section(&add_simulators);

}  // namespace
}  // namespace lockstep::bench
