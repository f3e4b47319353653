#include "games/block_game/workloads.hpp"

#include <cstdint>
#include <vector>

#include "games/block_game/suggestions.hpp"
#include "lockstep/base/random.hpp"

namespace lockstep {

std::vector<Workload<BlockGame>> BlockGame::Workloads::all() {
  using G = BlockGame;
  constexpr std::uint64_t inputs = 512;
  const auto boards = [](std::uint64_t seed, int size, int blocks, unsigned shapes) {
    std::vector<Scenario<G>> out;
    for (std::uint64_t i = 0; i < inputs; ++i) {
      Random random{seed_of(seed, i)};
      out.push_back(
          {G::Suggestions::packed(random, size, blocks, shapes, G::Suggestions::Numbering::shuffled), {G::Clear{}}});
    }
    return out;
  };
  const auto games = [](std::uint64_t seed, int size, int actions) {
    std::vector<Scenario<G>> out;
    for (std::uint64_t i = 0; i < inputs / 8; ++i) {
      Random random{seed_of(seed, i)};
      Scenario<G> scenario{
          G::Suggestions::packed(random, size, size, G::Suggestions::all_shapes, G::Suggestions::Numbering::downward),
          {}};
      for (int action = 1; action <= actions; ++action) {
        if (action % 5 == 0) {
          scenario.actions.emplace_back(G::Clear{});
        } else {
          scenario.actions.emplace_back(
              G::Place{random.integer(1, G::shapes), random.integer(0, size - 3), random.integer(0, size - 3)});
        }
      }
      out.push_back(std::move(scenario));
    }
    return out;
  };
  return {{"random_shapes_50", boards(1, 50, G::blocks_max, G::Suggestions::all_shapes)},
          {"all_removable_50", boards(2, 50, G::blocks_max, G::Suggestions::open_shapes)},
          {"random_shapes_10", boards(3, 10, G::blocks_max, G::Suggestions::all_shapes)},
          {"place_and_clear_20", games(4, 20, 100)}};
}

}  // namespace lockstep
