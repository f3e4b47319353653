// Many games at once: stacking/together/WORKLOAD/batch at the level in use.
//
// Times are per move or turn of one game, or per game that is played to its end. The games are prepared off the clock.
// The final states are compared with those of packed_stacks before the clock starts.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "bench/batch/timing.hpp"
#include "bench/benchmarks.hpp"
#include "games/stacking/roster.hpp"
#include "games/stacking/workloads.hpp"

namespace lockstep::bench {
namespace {

using optimized::StackingGames;
using Scenarios = std::vector<Scenario<Stacking>>;

/// The number of games in a batch: their boards, 19 kB, stay in the cache from one action to the next.
constexpr std::size_t batch_size = 128;

/// A batch of games and its actions, round by round: a piece of each game, or nothing for a turn.
struct Batch {
  StackingGames start;
  std::vector<std::vector<std::uint8_t>> rounds;

  explicit Batch(std::span<const Scenario<Stacking>> scenarios)
      : start{scenarios.size()}, rounds(scenarios.front().actions.size()) {
    for (std::size_t i = 0; i < scenarios.size(); ++i) {
      const Stacking::Setup& setup = scenarios[i].setup;
      start.set(i, StackingGames::game_of(setup), StackingGames::survey(setup.board));
      for (std::size_t round = 0; round < rounds.size(); ++round) {
        const auto* move = std::get_if<Stacking::Move>(&scenarios[i].actions[round]);
        if (move != nullptr) rounds[round].push_back(static_cast<std::uint8_t>(move->piece));
      }
    }
    for (auto& asked : rounds) asked.resize(asked.empty() ? 0 : start.places());
  }

  void play(StackingGames& games) const {
    for (const auto& asked : rounds) {
      asked.empty() ? games.turn() : games.move(asked);
      observe_answer(games);
    }
  }
};

StackingGames::Game end_of(const Scenario<Stacking>& scenario) {
  optimized::PackedStacks game{scenario.setup};
  for (const auto& action : scenario.actions) game.step(action);
  return StackingGames::game_of(game.snapshot());
}

void together(benchmark::State& state, const Scenarios& scenarios) {
  std::vector<Batch> batches;
  for (std::size_t first = 0; first < scenarios.size(); first += batch_size) {
    batches.emplace_back(std::span{scenarios}.subspan(first, std::min(batch_size, scenarios.size() - first)));
  }
  std::vector<StackingGames> ready;
  const auto make_ready = [&] {
    ready.clear();
    for (const Batch& batch : batches) ready.push_back(batch.start);
  };
  const auto play = [&] {
    for (std::size_t i = 0; i < batches.size(); ++i) batches[i].play(ready[i]);
  };
  make_ready();
  play();
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    if (ready[i / batch_size].get(i % batch_size) == end_of(scenarios[i])) continue;
    return disagree(state, "batch and packed_stacks end up elsewhere");
  }
  time_laps(state, scenarios.size() * scenarios.front().actions.size(), make_ready, play);
}

/// All games are played to their ends.
void to_their_ends(benchmark::State& state, const Scenarios& scenarios) {
  std::vector<StackingGames::Surroundings> boards;
  for (const auto& scenario : scenarios) boards.push_back(StackingGames::survey(scenario.setup.board));
  std::vector<StackingGames::Round> rounds;
  const auto make_ready = [&] {
    rounds.clear();
    for (std::size_t i = 0; i < scenarios.size(); ++i) {
      rounds.push_back({StackingGames::game_of(scenarios[i].setup), &boards[i], scenarios[i].setup.turn});
    }
  };
  const auto play = [&] {
    StackingGames::play(rounds);
    observe_answer(rounds);
  };
  make_ready();
  play();
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    optimized::PackedStacks game{scenarios[i].setup};
    game.step(scenarios[i].actions.front());
    const Stacking::Snapshot end = game.snapshot();
    if (rounds[i].game == StackingGames::game_of(end) && rounds[i].turn == end.turn) continue;
    return disagree(state, "batch and packed_stacks end up elsewhere");
  }
  time_laps(state, scenarios.size(), make_ready, play);
}

/// Whether every game has the same number of actions, all of them moves or all of them turns.
bool in_step(const Scenarios& scenarios) {
  const auto& first = scenarios.front().actions;
  return !std::holds_alternative<Stacking::Play>(first.front()) &&
         std::ranges::all_of(scenarios, [&](const Scenario<Stacking>& scenario) {
           return scenario.actions.size() == first.size() &&
                  std::ranges::all_of(scenario.actions,
                                      [&](const auto& action) { return action.index() == first.front().index(); });
         });
}

std::expected<void, std::string> add_batches() {
  const auto played_out = [](const Scenarios& scenarios) { return ask_only<Stacking>(scenarios, Stacking::Play{}); };
  const auto added = add_timed<Stacking>("together", in_step, {{"batch", together}});
  return added ? add_timed<Stacking>("together", played_out, {{"batch", to_their_ends}}) : added;
}

[[maybe_unused]] const bool added_batches = add_section(&add_batches);

}  // namespace
}  // namespace lockstep::bench
