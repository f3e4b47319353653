#include "games/ts_tetris/features.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "games/ts_tetris/directions.hpp"

namespace lockstep {

using ts_tetris::directions;

namespace {

bool one_player_along(const Grid& board, int row, int column, int down, int right, int length) {
  const std::uint8_t player = board.at(row, column);
  for (int i = 1; i < length; ++i) {
    const int r = row + i * down;
    const int c = column + i * right;
    if (!board.contains(r, c) || board.at(r, c) != player) return false;
  }
  return true;
}

}  // namespace

TsTetris::Features::Shape TsTetris::Features::shape(const Snapshot& s) {
  Shape out;
  for (int row = 0; row < s.height; ++row) {
    for (int column = 0; column < s.width; ++column) {
      if (s.board.at(row, column) == 0) continue;
      ++out.cells;
      out.tallest = std::max(out.tallest, s.height - row);
      if (row == 0) ++out.full_columns;
      for (const auto& [down, right] : directions) {
        if (one_player_along(s.board, row, column, down, right, run_min - 1)) ++out.near_runs;
      }
    }
  }
  return out;
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
