#include "games/stacking/workloads.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "lockstep/base/random.hpp"

namespace lockstep {
namespace {

using Setup = Stacking::Setup;

/// A board of the given size; of 20 cells about so many are red and blue.
Grid coloured(Random& random, int size, unsigned red, unsigned blue) {
  Grid board{size, size};
  for (std::uint8_t& cell : board.cells) {
    const std::uint64_t draw = random.below(20);
    cell = draw < blue ? Stacking::blue : draw < blue + red ? Stacking::red : Stacking::white;
  }
  return board;
}

/// Setups that the original problem allows: any size, pieces on separate cells, anywhere, facing anywhere. (One draw
/// per statement: compilers may evaluate arguments in any order.)
Setup judge_game(Random& random) {
  const int size = random.integer(4, Stacking::size_max);
  const int pieces = random.integer(4, Stacking::pieces_max);
  const auto red = static_cast<unsigned>(random.below(10));
  const auto blue = static_cast<unsigned>(random.below(8));
  Setup setup{.size = size, .turn = 0, .ended = false, .board = coloured(random, size, red, blue), .pieces = {}};
  while (static_cast<int>(setup.pieces.size()) < pieces) {
    const Stacking::Piece piece{.row = random.integer(0, size - 1),
                                .column = random.integer(0, size - 1),
                                .facing = random.integer(Stacking::right, Stacking::down)};
    const bool taken = std::ranges::any_of(
        setup.pieces, [&](const Stacking::Piece& p) { return p.row == piece.row && p.column == piece.column; });
    if (!taken) setup.pieces.push_back(piece);
  }
  return setup;
}

/// Ten pieces on a 12 × 12 board, in rows of three, three, three and one: the game never ends.
Setup lines(Random& random) {
  constexpr int size = Stacking::size_max;
  const bool along_columns = random.chance(1, 2);
  Setup setup{.size = size, .turn = 0, .ended = false, .board = {}, .pieces = {}};
  setup.board = coloured(random, size, 8, 2);
  std::array<int, size> order{};
  for (int i = 0; i < size; ++i) order[static_cast<std::size_t>(i)] = i;
  for (std::size_t i = size; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  for (int i = 0; i < Stacking::pieces_max; ++i) {
    const int line = order[static_cast<std::size_t>(i / 3)];
    const int place = i % 3 * 4 + random.integer(0, 3);
    setup.pieces.push_back({.row = along_columns ? place : line,
                            .column = along_columns ? line : place,
                            .facing = (along_columns ? Stacking::up : Stacking::right) + random.integer(0, 1)});
  }
  // The order of the pieces decides which piece carries which.
  for (std::size_t i = setup.pieces.size(); i > 1; --i) std::swap(setup.pieces[i - 1], setup.pieces[random.below(i)]);
  return setup;
}

}  // namespace

std::vector<Workload<Stacking>> Stacking::Workloads::all() {
  Random random{17837};
  std::vector<Workload<Stacking>> out;

  auto& moves = out.emplace_back(Workload<Stacking>{"one_move_n12_k10", {}});
  for (int i = 0; i < 256; ++i) {
    auto& scenario = moves.scenarios.emplace_back();
    scenario.setup = lines(random);
    for (int a = 0; a < 400; ++a) {
      scenario.actions.emplace_back(Stacking::Move{random.integer(0, Stacking::pieces_max - 1)});
    }
  }

  auto& turns = out.emplace_back(Workload<Stacking>{"one_turn_n12_k10", {}});
  for (int i = 0; i < 256; ++i) {
    auto& scenario = turns.scenarios.emplace_back();
    scenario.setup = lines(random);
    scenario.actions.assign(40, Stacking::Turn{});
  }

  auto& mixed = out.emplace_back(Workload<Stacking>{"play_mixed", {}});
  for (int i = 0; i < 400; ++i) mixed.scenarios.push_back({judge_game(random), {Stacking::Play{}}});

  auto& endless = out.emplace_back(Workload<Stacking>{"play_endless_n12_k10", {}});
  for (int i = 0; i < 100; ++i) endless.scenarios.push_back({lines(random), {Stacking::Play{}}});
  return out;
}

}  // namespace lockstep
