#include "games/puyo/groups.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace lockstep::puyo {

namespace {

/// A board whose groups are taken off one after another. A frame of empty cells around it, so that looking at a neighbour
/// needs no check of bounds:
///
///     . . . . . . . .      place 8 × (row + 1) + column + 1
///     . c c c c c c .
///     . c c c c c c .      and so on, twelve rows
class Groups {
 public:
  explicit Groups(const Grid& board) {
    for (int row = 0; row < Puyo::rows; ++row) {
      std::copy_n(board.cells.data() + row * Puyo::columns, Puyo::columns, cells_.data() + place_of(row, 0));
    }
  }

  /// Takes the group of a cell off the board, and returns its places. The result is valid until the next call.
  std::span<const std::uint8_t> take(int row, int column) {
    constexpr std::array<int, 4> steps = {-stride, stride, -1, 1};
    const int start = place_of(row, column);
    const std::uint8_t colour = std::exchange(cells_[static_cast<std::size_t>(start)], std::uint8_t{0});
    if (colour == 0) return {};
    std::size_t size = 0;
    members_[size++] = static_cast<std::uint8_t>(start);
    for (std::size_t next = 0; next < size; ++next) {  // those before `next` have been expanded
      for (const int step : steps) {
        const int place = members_[next] + step;
        std::uint8_t& cell = cells_[static_cast<std::size_t>(place)];
        if (cell != colour) continue;
        cell = 0;
        members_[size++] = static_cast<std::uint8_t>(place);
      }
    }
    return std::span{members_}.first(size);
  }

  /// The index of a place in a PerCell.
  static std::size_t index_of(std::uint8_t place) {
    return static_cast<std::size_t>((place / stride - 1) * Puyo::columns + place % stride - 1);
  }

 private:
  static constexpr int stride = Puyo::columns + 2;
  static constexpr int place_of(int row, int column) { return stride * (row + 1) + column + 1; }

  std::array<std::uint8_t, stride*(Puyo::rows + 2)> cells_{};
  std::array<std::uint8_t, cell_count> members_;
};

/// Calls see(places) for each group of the board until it returns false.
void each_group(Groups& groups, auto&& see) {
  for (int row = 0; row < Puyo::rows; ++row) {
    for (int column = 0; column < Puyo::columns; ++column) {
      if (const auto group = groups.take(row, column); !group.empty() && !see(group)) return;
    }
  }
}

}  // namespace

PerCell group_sizes(const Grid& board) {
  PerCell sizes{};
  Groups groups{board};
  each_group(groups, [&](std::span<const std::uint8_t> group) {
    for (const std::uint8_t place : group) sizes[Groups::index_of(place)] = static_cast<int>(group.size());
    return true;
  });
  return sizes;
}

int largest_group(const Grid& board) {
  std::size_t largest = 0;
  Groups groups{board};
  each_group(groups, [&](std::span<const std::uint8_t> group) {
    largest = std::max(largest, group.size());
    return true;
  });
  return static_cast<int>(largest);
}

bool vanishes_alone(const Grid& board, std::span<const std::pair<int, int>> cells) {
  Groups groups{board};
  const auto [row, column] = cells.front();
  const std::size_t size = groups.take(row, column).size();
  bool alone = size == cells.size() && size >= std::size_t{Puyo::group_min};
  if (alone) {
    each_group(groups, [&](std::span<const std::uint8_t> other) {
      return alone = other.size() < std::size_t{Puyo::group_min};
    });
  }
  return alone;
}

int height(const Grid& board, int column) {
  int row = 0;
  while (row < Puyo::rows && board.at(row, column) == 0) ++row;
  return Puyo::rows - row;
}

}  // namespace lockstep::puyo
