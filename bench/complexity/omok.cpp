// Whether the cost of a stone and of the judgement after it depends on the board:
//
//   omok/stone_by_side/SIMULATOR/N     boards of N × N, half full
//   omok/stone_by_stones/SIMULATOR/N   N stones on 19 × 19
//
// The counter `growth` is the time divided by that on the first board. An iteration is an action: a stone is placed on
// an empty cell or removed again, and each is followed by a judgement.
//
// The boards hold a random part of a pattern without a run of three in any direction,
//
//     1 1 2 2 1 1 2 2 1
//     2 2 1 1 2 2 1 1 2       1 where (column + 2 · row) mod 4 < 2
//     1 1 2 2 1 1 2 2 1
//
// and the stones that are placed and removed belong to the pattern too, so there is never a win: what wins cost is
// measured by games/omok/workloads.cpp.
#include <benchmark/benchmark.h>

#include <array>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "bench/benchmarks.hpp"
#include "bench/timing.hpp"
#include "games/omok/system.hpp"
#include "lockstep/base/random.hpp"
#include "lockstep/system/registry.hpp"
#include "lockstep/system/scenario_of.hpp"

namespace lockstep::bench {
namespace {

using Laid = std::pair<int, int>;  // side, stones

constexpr int stones_each = 100;

Scenario<Omok> come_and_go(Laid laid, Random& random) {
  const auto [side, stones] = laid;
  Scenario<Omok> scenario{.setup = {.size = side, .board = Grid{side, side}}, .actions = {}};
  std::vector<int> cells(static_cast<std::size_t>(side * side));
  std::iota(cells.begin(), cells.end(), 0);
  for (std::size_t i = cells.size(); i > 1; --i) std::swap(cells[i - 1], cells[random.below(i)]);
  const auto stone = [&](int cell) {
    return Omok::Place{
        .colour = (cell % side + 2 * (cell / side)) % 4 < 2 ? 1 : 2, .row = cell / side, .column = cell % side};
  };
  for (int i = 0; i < stones; ++i) {
    const Omok::Place place = stone(cells[static_cast<std::size_t>(i)]);
    scenario.setup.board.at(place.row, place.column) = static_cast<std::uint8_t>(place.colour);
  }
  for (int i = 0; i < stones_each; ++i) {
    const int empty = random.integer(stones, side * side - 1);
    const Omok::Place place = stone(cells[static_cast<std::size_t>(empty)]);
    scenario.actions.emplace_back(place);
    scenario.actions.emplace_back(Omok::Judge{});
    scenario.actions.emplace_back(Omok::Remove{.row = place.row, .column = place.column});
    scenario.actions.emplace_back(Omok::Judge{});
  }
  return scenario;
}

/// Several, so that a branch predictor cannot learn a single one; drawn once for all simulators.
const std::vector<AnyScenario>& games_on(Laid laid) {
  static std::map<Laid, std::vector<AnyScenario>> drawn;
  auto& scenarios = drawn[laid];
  Random random{seed_of(5, static_cast<std::uint64_t>(1000 * laid.first + laid.second))};
  while (scenarios.size() < (run().smoke ? 1 : 64)) scenarios.push_back(any_of<Omok>(come_and_go(laid, random)));
  return scenarios;
}

void stone(benchmark::State& state, const Runner& simulator, Laid laid, Laid first) {
  const auto& scenarios = games_on(laid);
  if (!agreed_on(scenarios, {registry<Omok>().front(), simulator}, state)) return;
  const auto laps = simulator.laps(scenarios);
  const std::size_t actions = scenarios.size() * scenarios.front().size();
  const auto an_action = time_actions(state, *laps, actions, Clocked::steps);
  if (!an_action) return;
  static std::map<std::pair<std::string_view, Laid>, Seconds> on_first;
  if (laid == first) on_first[{simulator.name, first}] = *an_action;
  if (const auto known = on_first.find({simulator.name, first}); known != on_first.end()) {
    state.counters["growth"] = *an_action / known->second;
  }
}

std::expected<void, std::string> add_stones() {
  constexpr std::array sides = {5, 7, 9, 11, 13, 15, 17, 19};
  constexpr std::array stones = {0, 60, 120, 180, 240, 300, 360};
  for (const auto& simulator : registry<Omok>()) {
    if (!simulator.timed()) continue;
    const auto add = [&](const char* by, int n, Laid laid, Laid first) {
      const std::string name = std::string{"omok/stone_by_"} + by + "/" + std::string{simulator.name} + "/";
      benchmark::RegisterBenchmark((name + std::to_string(n)).c_str(), [=](benchmark::State& state) {
        stone(state, simulator, laid, first);
      })->UseManualTime();
    };
    for (const int side : sides) add("side", side, {side, side * side / 2}, {sides[0], sides[0] * sides[0] / 2});
    for (const int count : stones) add("stones", count, {Omok::size_max, count}, {Omok::size_max, stones[0]});
  }
  return {};
}

[[maybe_unused]] const bool added_stones = add_section(&add_stones);

}  // namespace
}  // namespace lockstep::bench
