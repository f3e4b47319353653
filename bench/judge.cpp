// The cost of judging: GAME/judge/….
//
//   draw_and_judge    scenarios drawn as the built-in campaign draws them, cycling through the three styles
//   decode_and_judge  256 of them as bytes, as a fuzz target receives them
//   own_cost          boards of at most 20 × 20 with 100 actions each, decoded and judged
//
// All judge the reference against the fastest. items_per_second counts each action once, although both simulators step
// through it. own_cost has the counter `own_percent`: 100 × (J − S) / S, where J is the time of decoding and judging,
// and S the time that the two simulators need for the same actions from their setups, without snapshots. So decoding,
// storing observations, snapshots, comparison and invariants count as own cost. `decode_percent` is the share of
// decoding alone.
#include "lockstep/judge/judge.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bench/benchmarks.hpp"
#include "lockstep/base/error.hpp"
#include "lockstep/describe/codec.hpp"
#include "lockstep/describe/stopwatch.hpp"
#include "lockstep/draw/draw.hpp"
#include "lockstep/system/any_system.hpp"
#include "lockstep/system/implementations.hpp"

namespace lockstep::bench {
namespace {

/// The reference and the fastest.
std::vector<Runner> pair() { return {reference_of(this_vocabulary()), fastest_of(this_vocabulary())}; }

/// Aborts the benchmark when the two differ.
bool agreed(Judge& judge, const AnyScenario& scenario, benchmark::State& state) {
  const std::string fault = difference(judge, scenario);
  if (!fault.empty()) state.SkipWithError(fault.c_str());
  return fault.empty();
}

void draw_and_judge(benchmark::State& state) {
  Judge judge{this_vocabulary(), pair()};
  Random random{1};
  AnyScenario scenario = this_vocabulary().scenario();
  std::int64_t steps = 0;
  for (std::size_t i = 0; state.KeepRunning(); ++i) {
    draw_scenario(random, styles[i % styles.size()], scenario);
    if (!agreed(judge, scenario, state)) return;
    steps += static_cast<std::int64_t>(scenario.size());
  }
  state.SetItemsProcessed(steps);
}

void decode_and_judge(benchmark::State& state) {
  Judge judge{this_vocabulary(), pair()};
  Random random{2};
  AnyScenario scenario = this_vocabulary().scenario();
  std::vector<Bytes> inputs(256);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    draw_scenario(random, styles[i % styles.size()], scenario);
    encode(scenario, inputs[i]);
  }
  std::int64_t steps = 0;
  for (std::size_t i = 0; state.KeepRunning(); ++i) {
    decode(inputs[i % inputs.size()], scenario);
    if (!agreed(judge, scenario, state)) return;
    steps += static_cast<std::int64_t>(scenario.size());
  }
  state.SetItemsProcessed(steps);
}

/// Draws fields at random, and sizes as near to 20 as allowed.
class DrawSide20 : public DrawFields {
 public:
  using DrawFields::DrawFields;

  void visit_number(std::string_view name, Number& value, Number lo, Number hi, const NumberAs& as) override {
    if (as.role == Role::size) value = std::clamp<Number>(20, lo, hi);
    else DrawFields::visit_number(name, value, lo, hi, as);
  }
};

std::vector<AnyScenario> hundred_actions_each(std::size_t count) {
  Random random{3};
  std::vector<AnyScenario> out(count, this_vocabulary().scenario());
  for (AnyScenario& scenario : out) {
    DrawSide20 fields{random, false};
    scenario.visit_setup(fields);
    scenario.normalise();
    scenario.grow_alternatives([&](AnyScenario::TryAction try_one) {
      for (int i = 0; i < 100; ++i) {
        if (!draw_action(random, this_vocabulary(), try_one)) throw InternalError{"no action is possible"};
      }
    });
  }
  return out;
}

void own_cost(benchmark::State& state) {
  const auto simulators = pair();
  Judge judge{this_vocabulary(), simulators};
  const auto scenarios = hundred_actions_each(64);
  std::vector<Bytes> inputs(scenarios.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) encode(scenarios[i], inputs[i]);
  const auto one = simulators[0].laps(scenarios);
  const auto other = simulators[1].laps(scenarios);
  Seconds decoding{};
  Seconds both{};  // decoding and judging
  Seconds simulating{};
  AnyScenario scenario = this_vocabulary().scenario();
  const auto batch = static_cast<benchmark::IterationCount>(scenarios.size() * 100);
  while (state.KeepRunningBatch(batch)) {
    const Stopwatch decode_stopwatch;
    for (const auto& bytes : inputs) decode(bytes, scenario);
    decoding += decode_stopwatch.elapsed();
    const Stopwatch stopwatch;
    for (const auto& bytes : inputs) {
      decode(bytes, scenario);
      if (!agreed(judge, scenario, state)) return;
    }
    const Seconds time = stopwatch.elapsed();
    state.SetIterationTime(time.count());
    both += time;
    simulating += lap(*one, Clocked::from_setup) + lap(*other, Clocked::from_setup);
  }
  state.SetItemsProcessed(state.iterations());
  state.counters["own_percent"] = 100 * (both - simulating) / simulating;
  state.counters["decode_percent"] = 100 * decoding / simulating;
}

std::expected<void, std::string> add_judge() {
  const auto name = [](const char* what) { return std::string{this_system().name()} + "/judge/" + what; };
  benchmark::RegisterBenchmark(name("draw_and_judge").c_str(), draw_and_judge);
  benchmark::RegisterBenchmark(name("decode_and_judge").c_str(), decode_and_judge);
  benchmark::RegisterBenchmark(name("own_cost").c_str(), own_cost)->UseManualTime();
  return {};
}

[[maybe_unused]] const bool added_judge = add_section(&add_judge);

}  // namespace
}  // namespace lockstep::bench
