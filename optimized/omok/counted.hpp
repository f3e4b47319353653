// Omok with incremental counting, the straightforward solution: when a stone is placed or removed, the stones of its
// colour are counted on both sides in each of four directions, and the wins that it makes or breaks are updated in an
// ordered set. A yardstick for measurements with one question per stone.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <set>

#include "games/omok/game.hpp"
#include "lockstep/system/registry.hpp"

namespace lockstep::optimized {

class CountedOmok {
 public:
  explicit CountedOmok(const Omok::Setup& setup) : size_{setup.size} {
    for (int row = 0; row < size_; ++row) {
      for (int column = 0; column < size_; ++column) {
        if (const int colour = setup.board.at(row, column); colour != 0) place(row, column, colour);
      }
    }
  }

  Omok::Observation step(const Omok::Action& action) {
    if (const auto* put = std::get_if<Omok::Place>(&action)) {
      if (at(put->row, put->column) != 0) return {.says = Omok::Says::illegal};
      place(put->row, put->column, put->colour);
      return {.says = Omok::Says::done};
    }
    if (const auto* taken = std::get_if<Omok::Remove>(&action)) {
      if (at(taken->row, taken->column) == 0) return {.says = Omok::Says::illegal};
      remove(taken->row, taken->column);
      return {.says = Omok::Says::done};
    }
    return judge();
  }

  Omok::Snapshot snapshot() const {
    return {size_, Grid::drawn(size_, size_, [&](int row, int column) { return at(row, column); })};
  }

 private:
  struct Direction {
    int down, right;
  };
  /// Right, down, falling and rising: the first stone of a run in these directions names it.
  static constexpr std::array<Direction, 4> directions = {{{0, 1}, {1, 0}, {1, 1}, {-1, 1}}};

  struct Win {
    int column, row;
    std::size_t direction;
    auto operator<=>(const Win&) const = default;
  };

  int& at(int row, int column) { return board_[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)]; }
  int at(int row, int column) const { return board_[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)]; }
  bool contains(int row, int column) const { return row >= 0 && row < size_ && column >= 0 && column < size_; }

  Omok::Observation judge() const {
    if (wins_.empty()) return {.says = Omok::Says::judged};
    const Win& first = *wins_.begin();
    return Omok::won(at(first.row, first.column), first.row, first.column);
  }

  void place(int row, int column, int colour) {
    note(row, column, colour, true);
    at(row, column) = colour;
  }
  void remove(int row, int column) {
    const int colour = at(row, column);
    note(row, column, colour, false);
    at(row, column) = 0;
  }

  /// A placed stone joins the runs before and behind it; a removed stone splits them again.
  void note(int row, int column, int colour, bool joins) {
    for (std::size_t i = 0; i < directions.size(); ++i) {
      const auto [down, right] = directions[i];
      const int before = count(row, column, -down, -right, colour);
      const int behind = count(row, column, down, right, colour);
      if (before == Omok::win_length) note({column - before * right, row - before * down, i}, !joins);
      if (behind == Omok::win_length) note({column + right, row + down, i}, !joins);
      if (before + 1 + behind == Omok::win_length) note({column - before * right, row - before * down, i}, joins);
    }
  }
  void note(const Win& win, bool is_there) {
    if (is_there) {
      wins_.insert(win);
    } else {
      wins_.erase(win);
    }
  }

  /// The number of stones of the colour that follow this cell without a gap.
  int count(int row, int column, int down, int right, int colour) const {
    int length = 0;
    while (contains(row + down, column + right) && at(row + down, column + right) == colour) {
      ++length;
      row += down;
      column += right;
    }
    return length;
  }

  int size_;
  std::array<std::array<int, Omok::size_max>, Omok::size_max> board_{};
  std::set<Win> wins_;
};

static_assert(Implementation<CountedOmok, Omok>);
inline const auto omok_counted = register_implementation<CountedOmok, Omok>(
    "counted", Kind::yardstick, "the textbook kept up to date: runs counted from the stone that comes or goes");

}  // namespace lockstep::optimized
