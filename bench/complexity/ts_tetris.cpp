// How the cost of a drop without a vanish grows with the board: ts_tetris/quiet_drop/SIMULATOR/N on boards of N × N, N
// from 20 to 200. The counter `growth` is the time divided by that on the smallest board: 100 at N = 200 when the cost
// is proportional to the cells of the board, near 1 when it depends on the changed cells only.
//
// Google Benchmark can fit a curve too, but selects it by its own CPU times, which include the copying of boards. So
// each simulator names its curve, and the RMS shows how badly that claim fails.
//
// Each board is initially a quarter full of a pattern without a run of three in any direction,
//
//     1 1 2 2 1 1 2 2 1
//     2 2 1 1 2 2 1 1 2       1 where (column + 2 · row) mod 4 < 2
//     1 1 2 2 1 1 2 2 1
//
// and gets 32 drops, each in the first column, from a random one on, where nothing vanishes.
#include <benchmark/benchmark.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/benchmarks.hpp"
#include "bench/timing.hpp"
#include "games/ts_tetris/system.hpp"
#include "lockstep/base/random.hpp"
#include "lockstep/system/registry.hpp"
#include "lockstep/system/typed.hpp"

namespace lockstep::bench {
namespace {

constexpr std::size_t drops_each = 32;
constexpr int sides[] = {20, 40, 60, 80, 100, 120, 140, 160, 180, 200};

TsTetris::Setup quarter_full(int side) {
  TsTetris::Setup setup{.width = side, .height = side, .board = Grid{side, side}};
  for (int row = side - side / 4; row < side; ++row) {
    for (int column = 0; column < side; ++column) setup.board.at(row, column) = (column + 2 * row) % 4 < 2 ? 1 : 2;
  }
  return setup;
}

/// A drop after which nothing has vanished, and the position to which it leads.
struct QuietDrop {
  TsTetris::Drop drop;
  TsTetris::Snapshot after;
};

std::optional<QuietDrop> quiet_drop_from(const TsTetris::Setup& position, Random& random) {
  const int columns = position.width - 2;
  const int first = random.integer(0, columns - 1);
  Trace<TsTetris> trace;
  for (int i = 0; i < columns; ++i) {
    const TsTetris::Drop drop{(first + i) % columns};
    run_typed<TsTetris>(registry<TsTetris>().front(), {position, {drop}}, {}, trace);
    const auto& answer = trace.observations.front();
    const bool quiet = answer.says == TsTetris::Says::turn && answer.vanished[0] + answer.vanished[1] == 0;
    if (quiet) return QuietDrop{drop, trace.snapshots.back()};
  }
  return std::nullopt;
}

Scenario<TsTetris> quiet_drops(int side, Random& random) {
  Scenario<TsTetris> scenario{quarter_full(side), {}};
  while (scenario.actions.size() < drops_each) {
    scenario.actions.clear();  // discards an attempt that found no further drop
    TsTetris::Setup position = scenario.setup;
    while (scenario.actions.size() < drops_each) {
      auto next = quiet_drop_from(position, random);
      if (!next) break;
      scenario.actions.emplace_back(next->drop);
      position = std::move(next->after);
    }
  }
  return scenario;
}

/// Several, so that a branch predictor cannot learn a single one; drawn once for all simulators.
const std::vector<AnyScenario>& quiet_play(int side) {
  static std::map<int, std::vector<AnyScenario>> drawn;
  auto& scenarios = drawn[side];
  Random random{seed_of(4, static_cast<std::uint64_t>(side))};
  while (scenarios.size() < (run().smoke ? 1 : 16)) scenarios.push_back(any_of<TsTetris>(quiet_drops(side, random)));
  return scenarios;
}

void quiet_drop(benchmark::State& state, const Runner& simulator) {
  const int side = static_cast<int>(state.range(0));
  const auto& scenarios = quiet_play(side);
  if (!agreed_on(scenarios, {registry<TsTetris>().front(), simulator}, state)) return;
  const auto laps = simulator.laps(scenarios);
  const auto a_drop = time_actions(state, *laps, scenarios.size() * drops_each, Clocked::steps);
  if (!a_drop) return;
  static std::map<std::string_view, Seconds> on_smallest;
  if (side == sides[0]) on_smallest[simulator.name] = *a_drop;
  if (on_smallest.contains(simulator.name)) state.counters["growth"] = *a_drop / on_smallest[simulator.name];
  state.SetComplexityN(side);
}

/// These two scan the whole board after every drop; a new simulator is expected not to.
benchmark::BigO claimed(const Runner& simulator) {
  const bool looks_everywhere = simulator.kind == Kind::reference || simulator.name == "lean";
  return looks_everywhere ? benchmark::oNSquared : benchmark::o1;
}

std::expected<void, std::string> add_complexity() {
  for (const auto& simulator : registry<TsTetris>()) {
    if (!simulator.timed()) continue;
    auto* const benchmark =
        benchmark::RegisterBenchmark(("ts_tetris/quiet_drop/" + std::string{simulator.name}).c_str(),
                                     [=](benchmark::State& state) { quiet_drop(state, simulator); })
            ->UseManualTime()
            ->Complexity(claimed(simulator));
    for (const int side : sides) benchmark->Arg(side);
  }
  return {};
}

[[maybe_unused]] const bool added_complexity = add_section(&add_complexity);

}  // namespace
}  // namespace lockstep::bench
