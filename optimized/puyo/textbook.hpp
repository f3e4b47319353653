// Puyo Puyo, the straightforward solution: a breadth-first search with a queue from every puyo not yet visited, and
// columns compacted cell by cell. A yardstick for measurements.
#pragma once

#include <array>
#include <cstdint>
#include <queue>
#include <utility>
#include <vector>

#include "games/puyo/game.hpp"
#include "lockstep/system/registry.hpp"

namespace lockstep::optimized {

class TextbookPuyo {
 public:
  explicit TextbookPuyo(const Puyo::Setup& setup) {
    for (int row = 0; row < Puyo::rows; ++row) {
      for (int column = 0; column < Puyo::columns; ++column) at(row, column) = setup.board.at(row, column);
    }
  }

  Puyo::Observation step(const Puyo::Action& action) {
    if (const auto* drop = std::get_if<Puyo::Drop>(&action)) return play(*drop);
    Puyo::Observation out{.says = Puyo::Says::resolved};
    while (erase_groups(out)) fall();
    return out;
  }

  Puyo::Snapshot snapshot() const {
    return {Grid::drawn(Puyo::rows, Puyo::columns, [&](int row, int column) { return at(row, column); })};
  }

 private:
  using Cell = std::pair<int, int>;  // row, column; row 0 at the top
  template <class T>
  using Field = std::array<std::array<T, Puyo::columns>, Puyo::rows>;

  std::uint8_t& at(int row, int column) {
    return field_[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
  }
  std::uint8_t at(int row, int column) const {
    return field_[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
  }

  Puyo::Observation play(const Puyo::Drop& drop) {
    for (int row = Puyo::rows - 1; row >= 0; --row) {
      if (at(row, drop.column) != 0) continue;
      at(row, drop.column) = static_cast<std::uint8_t>(drop.colour);
      return {.says = Puyo::Says::dropped};
    }
    return {.says = Puyo::Says::illegal};
  }

  /// Empties every group of four or more; false when there is none.
  bool erase_groups(Puyo::Observation& out) {
    Field<bool> visited{};
    bool any = false;
    for (int row = 0; row < Puyo::rows; ++row) {
      for (int column = 0; column < Puyo::columns; ++column) {
        const std::uint8_t colour = at(row, column);
        if (colour == 0 || visited[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)]) continue;
        const std::vector<Cell> group = search({row, column}, visited);
        if (group.size() < Puyo::group_min) continue;
        any = true;
        auto& vanished = out.chain(out.chains)[colour - 1u];
        vanished = static_cast<std::uint8_t>(vanished + group.size());
        for (const auto& [r, c] : group) at(r, c) = 0;
      }
    }
    if (any) ++out.chains;
    return any;
  }

  std::vector<Cell> search(Cell start, Field<bool>& visited) const {
    const std::uint8_t colour = at(start.first, start.second);
    std::vector<Cell> group;
    std::queue<Cell> waiting;
    const auto visit = [&](int row, int column) {
      if (row < 0 || row >= Puyo::rows || column < 0 || column >= Puyo::columns) return;
      bool& seen = visited[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
      if (seen || at(row, column) != colour) return;
      seen = true;
      waiting.emplace(row, column);
    };
    visit(start.first, start.second);
    while (!waiting.empty()) {
      const auto [row, column] = waiting.front();
      waiting.pop();
      group.emplace_back(row, column);
      visit(row - 1, column);
      visit(row + 1, column);
      visit(row, column - 1);
      visit(row, column + 1);
    }
    return group;
  }

  void fall() {
    for (int column = 0; column < Puyo::columns; ++column) {
      int floor = Puyo::rows - 1;  // the lowest place not yet taken
      for (int row = Puyo::rows - 1; row >= 0; --row) {
        const std::uint8_t puyo = std::exchange(at(row, column), std::uint8_t{0});
        if (puyo != 0) at(floor--, column) = puyo;
      }
    }
  }

  Field<std::uint8_t> field_;
};

static_assert(Implementation<TextbookPuyo, Puyo>);
inline const auto puyo_textbook = register_implementation<TextbookPuyo, Puyo>(
    "textbook", Kind::yardstick, "what one writes first: a breadth-first search from every puyo");

}  // namespace lockstep::optimized
