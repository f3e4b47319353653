// Puyo Puyo, reference implementation: follows the rules sentence by sentence and cell by cell, without optimisation.
//
// Its state is the snapshot itself; it finds every group anew from the board.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "games/puyo/game.hpp"
#include "lockstep/system/registry.hpp"

namespace lockstep::reference {

class RulebookPuyo {
 public:
  explicit RulebookPuyo(const Puyo::Setup& setup) : state_{setup} {}

  Puyo::Observation step(const Puyo::Action& action) {
    if (const auto* drop = std::get_if<Puyo::Drop>(&action)) return play(*drop);
    return resolve();
  }

  const Puyo::Snapshot& snapshot() const { return state_; }

 private:
  using Cell = std::pair<int, int>;  // row, column

  /// One puyo lands on top of its column, unless the column is full.
  Puyo::Observation play(const Puyo::Drop& drop) {
    if (state_.board.at(0, drop.column) != 0) return {.says = Puyo::Says::illegal};
    int row = 0;
    while (row + 1 < Puyo::rows && state_.board.at(row + 1, drop.column) == 0) ++row;
    state_.board.at(row, drop.column) = static_cast<std::uint8_t>(drop.colour);
    return {.says = Puyo::Says::dropped};
  }

  /// All groups of four or more vanish at once, every column falls, and that is one chain. Repeats until there is no
  /// such group.
  Puyo::Observation resolve() {
    Puyo::Observation out{.says = Puyo::Says::resolved};
    for (auto doomed = cells_in_groups(); !doomed.empty(); doomed = cells_in_groups()) {
      for (const auto& [row, column] : doomed) {
        const std::uint8_t colour = std::exchange(state_.board.at(row, column), std::uint8_t{0});
        ++out.chain(out.chains)[colour - 1u];
      }
      fall();
      ++out.chains;
    }
    return out;
  }

  /// Every cell that belongs to a group of four or more; each cell once.
  std::vector<Cell> cells_in_groups() const {
    std::vector<Cell> out;
    for (int row = 0; row < Puyo::rows; ++row) {
      for (int column = 0; column < Puyo::columns; ++column) {
        if (state_.board.at(row, column) == 0) continue;
        if (group_of({row, column}).size() >= Puyo::group_min) out.emplace_back(row, column);
      }
    }
    return out;
  }

  /// The cell and every cell of its colour that is connected to it by steps up, down, left and right.
  std::vector<Cell> group_of(const Cell& start) const {
    const std::uint8_t colour = state_.board.at(start.first, start.second);
    std::vector<Cell> group;
    std::vector<Cell> to_visit = {start};
    while (!to_visit.empty()) {
      const Cell cell = to_visit.back();
      to_visit.pop_back();
      const auto [row, column] = cell;
      if (!state_.board.contains(row, column) || state_.board.at(row, column) != colour) continue;
      if (std::ranges::find(group, cell) != group.end()) continue;
      group.push_back(cell);
      to_visit.insert(to_visit.end(), {{row - 1, column}, {row + 1, column}, {row, column - 1}, {row, column + 1}});
    }
    return group;
  }

  /// While there is a puyo above an empty cell, it moves down by one.
  void fall() {
    bool moved = true;
    while (moved) {
      moved = false;
      for (int row = 0; row + 1 < Puyo::rows; ++row) {
        for (int column = 0; column < Puyo::columns; ++column) {
          if (state_.board.at(row, column) == 0 || state_.board.at(row + 1, column) != 0) continue;
          state_.board.at(row + 1, column) = std::exchange(state_.board.at(row, column), std::uint8_t{0});
          moved = true;
        }
      }
    }
  }

  Puyo::Snapshot state_;
};

static_assert(Implementation<RulebookPuyo, Puyo>);
inline const auto puyo_rulebook = register_implementation<RulebookPuyo, Puyo>(
    "rulebook", Kind::reference, "the rules sentence by sentence: every cell searches its whole group");

}  // namespace lockstep::reference
