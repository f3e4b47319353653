#include "games/ts_tetris/workloads.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include "lockstep/base/random.hpp"

namespace lockstep {
namespace {

TsTetris::Setup empty_board(int side) {
  TsTetris::Setup setup;
  setup.width = setup.height = side;
  setup.board = Grid{side, side};
  return setup;
}

/// A pattern without a run of three in any direction, its columns cut at uneven heights round the given one:
///
///     2 1 1 2 2 1 1 2 2
///     1 2 2 1 1 2 2 1 1       1 where (column + 2 · row + offset) mod 4 < 2
///     2 1 1 2 2 1 1 2 2
TsTetris::Setup near_full(Random& random, int side, int height) {
  TsTetris::Setup setup = empty_board(side);
  const int offset = random.integer(0, 3);
  for (int column = 0; column < side; ++column) {
    const int tall = height + random.integer(-3, 3);
    for (int row = side - tall; row < side; ++row) {
      setup.board.at(row, column) = (column + 2 * row + offset) % 4 < 2 ? 1 : 2;
    }
  }
  return setup;
}

/// A full board where every line in every direction repeats four cells of player 2 and one of player 1: no run of
/// five, and one region of four fifths of the board. After a flip of that region all cells belong to one player.
///
///     2 2 1 2 2 2 2 1 2 2
///     1 2 2 2 2 1 2 2 2 2
///     2 2 2 1 2 2 2 2 1 2
///     2 1 2 2 2 2 1 2 2 2
///     2 2 2 2 1 2 2 2 2 1
TsTetris::Setup lattice(int side, int offset) {
  TsTetris::Setup setup = empty_board(side);
  for (int row = 0; row < side; ++row) {
    for (int column = 0; column < side; ++column) {
      setup.board.at(row, column) = (column + 2 * row + offset) % TsTetris::run_min == 0 ? 1 : 2;
    }
  }
  return setup;
}

/// Random drops and changes in random order.
std::vector<TsTetris::Action> play(Random& random, int side, int drops, int changes) {
  std::vector<TsTetris::Action> actions;
  while (drops + changes > 0) {
    if (random.integer(1, drops + changes) <= drops) {
      --drops;
      actions.emplace_back(TsTetris::Drop{random.integer(0, side - 3)});
    } else {
      --changes;
      actions.emplace_back(TsTetris::Change{random.integer(0, side - 1)});
    }
  }
  return actions;
}

}  // namespace

std::vector<Workload<TsTetris>> TsTetris::Workloads::all() {
  constexpr int side = TsTetris::side_max;
  Random random{0x7e7215};
  Workload<TsTetris> from_empty{.name = "from_empty_200x200", .scenarios = {}};
  Workload<TsTetris> from_near_full{.name = "near_full_200x200", .scenarios = {}};
  for (int i = 0; i < 4; ++i) from_empty.scenarios.push_back({empty_board(side), play(random, side, 10'000, 1'000)});
  for (int i = 0; i < 16; ++i)
    from_near_full.scenarios.push_back({near_full(random, side, 142), play(random, side, 182, 18)});
  Workload<TsTetris> flip_all{.name = "flip_all_200x200", .scenarios = {}};
  for (int offset = 0; offset < TsTetris::run_min; ++offset) {
    // Any column with a bottom cell of player 2 will do.
    const TsTetris::Setup setup = lattice(side, offset);
    int column = random.integer(0, side - 1);
    while (setup.board.at(side - 1, column) != 2) column = (column + 1) % side;
    flip_all.scenarios.push_back({setup, {TsTetris::Change{column}}});
  }
  Workload<TsTetris> small{.name = "play_20x20", .scenarios = {}};
  for (int i = 0; i < 256; ++i) small.scenarios.push_back({empty_board(20), play(random, 20, 90, 10)});
  return {from_empty, from_near_full, flip_all, small};
}

}  // namespace lockstep
