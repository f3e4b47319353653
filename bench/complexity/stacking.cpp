// Whether the cost of a move depends on the board: stacking/move_by_side/SIMULATOR/N on boards of N × N. The counter
// `growth` is the time divided by that on the smallest board.
//
// Four pieces in two rows: they face along their rows, so they never leave them, and two pieces cannot make a stack of
// four. They meet, carry each other and turn round for ever. On a small board they meet more often.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bench/benchmarks.hpp"
#include "bench/timing.hpp"
#include "games/stacking/system.hpp"
#include "lockstep/base/random.hpp"
#include "lockstep/system/registry.hpp"
#include "lockstep/system/scenario_of.hpp"

namespace lockstep::bench {
namespace {

constexpr int moves_each = 256;
constexpr int sides[] = {4, 5, 6, 7, 8, 9, 10, 11, 12};

/// Two cells of five are red, one of ten is blue.
Grid coloured(int side, Random& random) {
  Grid board{side, side};
  for (std::uint8_t& cell : board.cells) {
    const int draw = random.integer(1, 10);
    cell = draw == 1 ? Stacking::blue : draw <= 5 ? Stacking::red : Stacking::white;
  }
  return board;
}

Scenario<Stacking> moves_in_lines(int side, Random& random) {
  Scenario<Stacking> scenario;
  scenario.setup.size = side;
  scenario.setup.board = coloured(side, random);
  scenario.setup.pieces.clear();
  const int upper = random.integer(0, side - 2);
  for (const int line : {upper, side - 1}) {
    const int column = random.integer(0, side - 2);
    for (const int place : {column, side - 1}) {
      scenario.setup.pieces.push_back(
          {.row = line, .column = place, .facing = Stacking::right + random.integer(0, 1), .level = 0});
    }
  }
  for (int i = 0; i < moves_each; ++i) scenario.actions.emplace_back(Stacking::Move{random.integer(0, 3)});
  return scenario;
}

/// Several, so that a branch predictor cannot learn a single one; drawn once for all simulators.
const std::vector<AnyScenario>& moves_on(int side) {
  static std::map<int, std::vector<AnyScenario>> drawn;
  auto& scenarios = drawn[side];
  Random random{seed_of(6, static_cast<std::uint64_t>(side))};
  while (scenarios.size() < (run().smoke ? 1 : 64)) scenarios.push_back(any_of<Stacking>(moves_in_lines(side, random)));
  return scenarios;
}

void move_by_side(benchmark::State& state, const Runner& simulator, int side) {
  const auto& scenarios = moves_on(side);
  if (!agreed_on(scenarios, {registry<Stacking>().front(), simulator}, state)) return;
  const auto laps = simulator.laps(scenarios);
  const auto a_move = time_actions(state, *laps, scenarios.size() * moves_each, Clocked::steps);
  if (!a_move) return;
  static std::map<std::string_view, Seconds> on_smallest;
  if (side == sides[0]) on_smallest[simulator.name] = *a_move;
  if (const auto known = on_smallest.find(simulator.name); known != on_smallest.end()) {
    state.counters["growth"] = *a_move / known->second;
  }
}

std::expected<void, std::string> add_moves() {
  for (const auto& simulator : registry<Stacking>()) {
    if (!simulator.timed()) continue;
    for (const int side : sides) {
      const std::string name = "stacking/move_by_side/" + std::string{simulator.name} + "/" + std::to_string(side);
      benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
        move_by_side(state, simulator, side);
      })->UseManualTime();
    }
  }
  return {};
}

[[maybe_unused]] const bool added_moves = add_section(&add_moves);

}  // namespace
}  // namespace lockstep::bench
