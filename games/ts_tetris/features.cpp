#include "games/ts_tetris/features.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "games/ts_tetris/directions.hpp"

namespace lockstep {

using ts_tetris::directions;

namespace {

/// The number of lines of four cells of one player, in all directions. Counted row by row without a branch.
int lines_of_four(const Grid& board) {
  constexpr int steps = TsTetris::run_min - 2;
  int lines = 0;
  for (const auto& [down, right] : directions) {
    const int left = right < 0 ? steps : 0;
    const int end = right > 0 ? board.columns - steps : board.columns;
    const std::ptrdiff_t next = std::ptrdiff_t{down} * board.columns + right;
    for (int row = 0; row < board.rows - steps * down; ++row) {
      const std::uint8_t* const cells = board.cells.data() + std::ptrdiff_t{row} * board.columns;
      std::uint8_t in_row = 0;  // a row has at most 200 cells
      for (int column = left; column < end; ++column) {
        std::uint8_t same = cells[column] != 0 ? 1 : 0;
        for (int i = 1; i <= steps; ++i) same &= cells[column] == cells[column + i * next] ? 1 : 0;
        in_row = static_cast<std::uint8_t>(in_row + same);
      }
      lines += in_row;
    }
  }
  return lines;
}
static_assert(TsTetris::side_max <= 255);

}  // namespace

TsTetris::Features::Shape TsTetris::Features::shape(const Snapshot& s) {
  const auto& all = s.board.cells;
  const auto occupied = [](std::uint8_t cell) { return cell != 0; };
  const auto highest = std::ranges::find_if(all, occupied) - all.begin();
  return {.tallest = s.height - static_cast<int>(highest / s.width),  // 0: `highest` is the end
          .full_columns = static_cast<int>(std::count_if(all.begin(), all.begin() + s.width, occupied)),
          .cells = static_cast<int>(std::ranges::count_if(all, occupied)),
          .near_runs = lines_of_four(s.board)};
}

namespace {

/// Drops the player's three cells into the columns from the given one on; these must have room.
void drop_into(Grid& board, int column, std::uint8_t player) {
  for (int c = column; c < column + 3; ++c) {
    int row = board.rows - 1;
    while (board.at(row, c) != 0) --row;
    board.at(row, c) = player;
  }
}

/// Gives the region of the cell to the player, when it is the other player's.
void change_region(Grid& board, int row, int column, std::uint8_t player) {
  const std::uint8_t other = static_cast<std::uint8_t>(3 - player);
  if (board.at(row, column) != other) return;
  std::vector<std::pair<int, int>> waiting = {{row, column}};
  board.at(row, column) = player;
  while (!waiting.empty()) {
    const auto [r, c] = waiting.back();
    waiting.pop_back();
    for (const auto& [down, right] : {std::pair{-1, 0}, {1, 0}, {0, -1}, {0, 1}}) {
      if (!board.contains(r + down, c + right) || board.at(r + down, c + right) != other) continue;
      board.at(r + down, c + right) = player;
      waiting.emplace_back(r + down, c + right);
    }
  }
}

}  // namespace

int TsTetris::Features::rows_left(const Snapshot& s, const Drop& drop) {
  int left = s.height;
  for (int column = drop.column; column < drop.column + 3; ++column) {
    int free = 0;
    while (free < s.height && s.board.at(free, column) == 0) ++free;
    left = std::min(left, free);
  }
  return left - 1;
}

TsTetris::Features::Run TsTetris::Features::longest_run(Snapshot s, const Action& action) {
  const auto player = static_cast<std::uint8_t>(s.to_move);
  if (const auto* drop = std::get_if<Drop>(&action)) drop_into(s.board, drop->column, player);
  if (const auto* change = std::get_if<Change>(&action)) change_region(s.board, s.height - 1, change->column, player);
  return longest_run(s.board);
}

TsTetris::Features::Run TsTetris::Features::longest_run(const Grid& board) {
  Run best;
  for (int row = 0; row < board.rows; ++row) {
    for (int column = 0; column < board.columns; ++column) {
      const std::uint8_t owner = board.at(row, column);
      if (owner == 0) continue;
      for (const auto& [down, right] : directions) {
        const auto mine = [&](int steps) {
          const int r = row + steps * down;
          const int c = column + steps * right;
          return board.contains(r, c) && board.at(r, c) == owner;
        };
        if (!mine(best.length) || mine(-1)) continue;  // not longer than the best, or not the start of a run
        int length = 1;
        while (mine(length)) ++length;
        if (length <= best.length) continue;
        const auto touched = [&](int r, int c) {
          return (r == 0) + (r == board.rows - 1) + (c == 0) + (c == board.columns - 1);
        };
        best = {length, touched(row, column) + touched(row + (length - 1) * down, column + (length - 1) * right)};
      }
    }
  }
  return best;
}

}  // namespace lockstep
