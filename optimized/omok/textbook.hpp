// Omok, the straightforward solution: from every stone, in the order that the ruling gives, it counts the run in each
// of four directions. A yardstick for measurements.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "games/omok/game.hpp"
#include "lockstep/system/registry.hpp"

namespace lockstep::optimized {

class TextbookOmok {
 public:
  explicit TextbookOmok(const Omok::Setup& setup) : size_{setup.size} {
    for (int row = 0; row < size_; ++row) {
      for (int column = 0; column < size_; ++column) at(row, column) = setup.board.at(row, column);
    }
  }

  Omok::Observation step(const Omok::Action& action) {
    if (const auto* place = std::get_if<Omok::Place>(&action)) {
      if (at(place->row, place->column) != 0) return {.says = Omok::Says::illegal};
      at(place->row, place->column) = place->colour;
      return {.says = Omok::Says::done};
    }
    if (const auto* remove = std::get_if<Omok::Remove>(&action)) {
      if (at(remove->row, remove->column) == 0) return {.says = Omok::Says::illegal};
      at(remove->row, remove->column) = 0;
      return {.says = Omok::Says::done};
    }
    return judge();
  }

  Omok::Snapshot snapshot() const {
    return {size_, Grid::drawn(size_, size_, [&](int row, int column) { return at(row, column); })};
  }

 private:
  int& at(int row, int column) { return board_[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)]; }
  int at(int row, int column) const { return board_[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)]; }
  bool contains(int row, int column) const { return row >= 0 && row < size_ && column >= 0 && column < size_; }

  Omok::Observation judge() const {
    for (int column = 0; column < size_; ++column) {
      for (int row = 0; row < size_; ++row) {
        if (at(row, column) != 0 && begins_a_win(row, column)) return Omok::won(at(row, column), row, column);
      }
    }
    return {.says = Omok::Says::judged};
  }

  /// Right, down, falling and rising: the first stone of a run in these directions names it.
  bool begins_a_win(int row, int column) const {
    constexpr std::array<std::pair<int, int>, 4> directions = {{{0, 1}, {1, 0}, {1, 1}, {-1, 1}}};
    const int colour = at(row, column);
    for (const auto& [down, right] : directions) {
      if (contains(row - down, column - right) && at(row - down, column - right) == colour) continue;
      int length = 1;
      int r = row + down;
      int c = column + right;
      while (contains(r, c) && at(r, c) == colour) {
        ++length;
        r += down;
        c += right;
      }
      if (length == Omok::win_length) return true;
    }
    return false;
  }

  int size_;
  std::array<std::array<int, Omok::size_max>, Omok::size_max> board_{};
};

static_assert(Implementation<TextbookOmok, Omok>);
inline const auto omok_textbook = register_implementation<TextbookOmok, Omok>(
    "textbook", Kind::yardstick, "what one writes first: runs counted from every stone");

}  // namespace lockstep::optimized
