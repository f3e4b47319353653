#include "games/puyo/groups.hpp"

#include <algorithm>

namespace lockstep::puyo {

PerCell group_sizes(const Grid& board) {
  PerCell sizes{};
  std::array<std::uint8_t, cell_count> members;  // of the current group; those before `next` have been expanded
  for (std::uint8_t start = 0; start < cell_count; ++start) {
    if (board.cells[start] == 0 || sizes[start] != 0) continue;
    std::size_t size = 0;
    members[size++] = start;
    sizes[start] = 1;
    for (std::size_t next = 0; next < size; ++next) {
      for (const auto& [down, right] : neighbours) {
        const int row = members[next] / Puyo::columns + down;
        const int column = members[next] % Puyo::columns + right;
        if (!board.contains(row, column) || board.at(row, column) != board.cells[start]) continue;
        const auto cell = static_cast<std::uint8_t>(row * Puyo::columns + column);
        if (sizes[cell] != 0) continue;
        sizes[cell] = 1;
        members[size++] = cell;
      }
    }
    for (std::size_t i = 0; i < size; ++i) sizes[members[i]] = static_cast<int>(size);
  }
  return sizes;
}

int largest_group(const Grid& board) { return std::ranges::max(group_sizes(board)); }

int height(const Grid& board, int column) {
  int row = 0;
  while (row < Puyo::rows && board.at(row, column) == 0) ++row;
  return Puyo::rows - row;
}

}  // namespace lockstep::puyo
