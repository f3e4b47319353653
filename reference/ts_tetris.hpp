// TS Tetris, reference implementation: follows the rules sentence by sentence and cell by cell, without optimisation.
//
// Its state is the snapshot itself; everything else is recomputed from the board, so that no derived state can become
// inconsistent with it.
#pragma once

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "games/ts_tetris/game.hpp"
#include "lockstep/system/registry.hpp"

namespace lockstep::reference {

class RulebookTsTetris {
 public:
  explicit RulebookTsTetris(const TsTetris::Setup& setup) : state_{setup} {}

  TsTetris::Observation step(const TsTetris::Action& action) {
    if (const auto* drop = std::get_if<TsTetris::Drop>(&action)) return play(*drop);
    if (const auto* change = std::get_if<TsTetris::Change>(&action)) return play(*change);
    return standing();
  }

  const TsTetris::Snapshot& snapshot() const { return state_; }

 private:
  using Cell = std::pair<int, int>;  // row, column

  /// Three cells of the player to move fall, each on its own.
  TsTetris::Observation play(const TsTetris::Drop& drop) {
    for (int column = drop.column; column < drop.column + 3; ++column) {
      if (state_.board.at(0, column) != 0) return {.says = TsTetris::Says::illegal};
    }
    for (int column = drop.column; column < drop.column + 3; ++column) {
      int row = 0;
      while (row + 1 < state_.height && state_.board.at(row + 1, column) == 0) ++row;
      state_.board.at(row, column) = mover();
    }
    return end_of_turn();
  }

  /// The opponent's bottom cell and all the opponent's cells connected to it become the mover's.
  TsTetris::Observation play(const TsTetris::Change& change) {
    const std::uint8_t opponent = static_cast<std::uint8_t>(3 - state_.to_move);
    std::vector<Cell> reached = {{state_.height - 1, change.column}};
    while (!reached.empty()) {
      const auto [row, column] = reached.back();
      reached.pop_back();
      if (!state_.board.contains(row, column) || state_.board.at(row, column) != opponent) continue;
      state_.board.at(row, column) = mover();
      reached.insert(reached.end(), {{row - 1, column}, {row + 1, column}, {row, column - 1}, {row, column + 1}});
    }
    return end_of_turn();
  }

  /// Runs of both players vanish at once and the cells above them fall; repeats until no run is left.
  TsTetris::Observation end_of_turn() {
    TsTetris::Observation turn{.says = TsTetris::Says::turn};
    for (auto doomed = cells_in_runs(); !doomed.empty(); doomed = cells_in_runs()) {
      for (const auto& [row, column] : doomed) {
        const std::uint8_t owner = std::exchange(state_.board.at(row, column), std::uint8_t{0});
        ++turn.vanished[owner - 1u];
      }
      fall();
    }
    turn.points = turn.vanished[mover() - 1u];
    int& score = state_.to_move == 1 ? state_.score_1 : state_.score_2;
    score = std::min(score + turn.points, TsTetris::score_max);
    state_.to_move = 3 - state_.to_move;
    return turn;
  }

  /// Every cell that lies in a straight run of five or more of its player; each cell once.
  std::vector<Cell> cells_in_runs() const {
    std::vector<Cell> out;
    for (int row = 0; row < state_.height; ++row) {
      for (int column = 0; column < state_.width; ++column) {
        if (state_.board.at(row, column) != 0 && in_run(row, column)) out.emplace_back(row, column);
      }
    }
    return out;
  }

  bool in_run(int row, int column) const {
    constexpr std::array<Cell, 4> directions = {{{0, 1}, {1, 0}, {1, 1}, {1, -1}}};
    for (const auto& [down, right] : directions) {
      const int length = 1 + same_beyond(row, column, down, right) + same_beyond(row, column, -down, -right);
      if (length >= TsTetris::run_min) return true;
    }
    return false;
  }

  /// The number of cells of the same player that follow this one without a gap.
  int same_beyond(int row, int column, int down, int right) const {
    const std::uint8_t player = state_.board.at(row, column);
    int count = 0;
    for (int r = row + down, c = column + right; state_.board.contains(r, c) && state_.board.at(r, c) == player;
         r += down, c += right) {
      ++count;
    }
    return count;
  }

  /// Every cell with an empty one below it moves down, until there is none.
  void fall() {
    for (int column = 0; column < state_.width; ++column) {
      int floor = state_.height - 1;  // the lowest free row
      for (int row = state_.height - 1; row >= 0; --row) {
        const std::uint8_t cell = std::exchange(state_.board.at(row, column), std::uint8_t{0});
        if (cell != 0) state_.board.at(floor--, column) = cell;
      }
    }
  }

  TsTetris::Observation standing() const {
    TsTetris::Observation out{.says = TsTetris::Says::standing};
    out.scores = {state_.score_1, state_.score_2};
    if (state_.score_1 > state_.score_2) out.winner = 1;
    if (state_.score_1 < state_.score_2) out.winner = 2;
    for (const std::uint8_t cell : state_.board.cells) {
      if (cell != 0) ++out.left[cell - 1u];
    }
    return out;
  }

  std::uint8_t mover() const { return static_cast<std::uint8_t>(state_.to_move); }

  TsTetris::Snapshot state_;
};

static_assert(Implementation<RulebookTsTetris, TsTetris>);
inline const auto ts_tetris_rulebook = register_implementation<RulebookTsTetris, TsTetris>(
    "rulebook", Kind::reference,
    "the rules sentence by sentence: every cell asks in all directions whether it vanishes");

}  // namespace lockstep::reference
