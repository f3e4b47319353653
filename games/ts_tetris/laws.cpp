#include "games/ts_tetris/laws.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "games/ts_tetris/directions.hpp"

namespace lockstep {

using ts_tetris::directions;

namespace {

using Setup = TsTetris::Setup;

/// The first cell, in reading order, that ends a run of five: (row, column), or nothing. It runs on every judged
/// position, and nearly none has a run, so each direction is first tested as a whole, without a branch inside a row.
std::optional<std::pair<int, int>> run_of_five(const Grid& board) {
  constexpr int steps = TsTetris::run_min - 1;
  std::optional<std::pair<int, int>> first;
  for (const auto& [down, right] : directions) {
    const int left = right > 0 ? steps : 0;
    const int end = right < 0 ? board.columns - steps : board.columns;
    const std::ptrdiff_t back = -(down * board.columns + right);
    for (int row = steps * down; row < board.rows; ++row) {
      const std::uint8_t* const cells = board.cells.data() + std::ptrdiff_t{row} * board.columns;
      const auto ends_run = [&](int column) {
        unsigned same = cells[column] != 0 ? 1 : 0;
        for (int i = 1; i <= steps; ++i) same &= cells[column] == cells[column + i * back] ? 1 : 0;
        return same;
      };
      unsigned any = 0;
      for (int column = left; column < end; ++column) any |= ends_run(column);
      if (any == 0) continue;
      int column = left;
      while (ends_run(column) == 0) ++column;
      first = std::min(first.value_or(std::pair{row, column}), std::pair{row, column});
      break;
    }
  }
  return first;
}

/// The first cell, in reading order, above an empty one: its index, or nothing.
std::optional<std::size_t> hanging_cell(const Grid& board) {
  const std::size_t width = static_cast<std::size_t>(board.columns);
  const auto hangs = [&](std::size_t i) { return board.cells[i] != 0 && board.cells[i + width] == 0; };
  const std::size_t end = board.cells.size() - std::min(width, board.cells.size());
  unsigned any = 0;
  for (std::size_t i = 0; i < end; ++i) any |= hangs(i) ? 1 : 0;
  if (any == 0) return std::nullopt;
  std::size_t first = 0;
  while (!hangs(first)) ++first;
  return first;
}

/// Gravity in one column.
void settle(Grid& board, int column) {
  int floor = board.rows - 1;
  for (int row = board.rows - 1; row >= 0; --row) {
    const std::uint8_t cell = board.at(row, column);
    if (cell == 0) continue;
    board.at(row, column) = 0;
    board.at(floor--, column) = cell;
  }
}

/// Makes drawn boards lawful: everything falls, every fifth cell of every run is removed, repeated until no run is
/// left. It runs on every drawn board, so it must cost less than a few steps.
///
/// The place of a cell in a run of a direction (1 … 5, then 1 again) follows from the place of the previous cell,
/// which for three directions lies in the row above. So the places of a row are computed from those of the row above,
/// all columns in parallel and without a branch; for runs across, from left to right.
///
///     row above   . 1 1 2 1        places along ↘, above   . 1 2 1 1
///     row         1 1 1 1 1                                1 1 2 3 1
///
/// Only a part of the rows is searched again. Five cells in line that stayed as they were are no run: of each five in a
/// run, one was removed. So a fifth cell is at most four rows below a cell that changed, and cells change at and above the
/// removed ones.
class RunBreaker {
 public:
  explicit RunBreaker(Grid& board)
      : board_{board}, width_{static_cast<std::size_t>(board.columns)}, goes_(board.cells.size()) {
    for (auto& places : places_) places.resize(2 * (width_ + 2));
  }

  void repair() {
    for (int column = 0; column < board_.columns; ++column) settle(board_, column);
    while (top_ < board_.rows && is_empty(top_)) ++top_;
    for (auto lowest = remove_fifths(board_.rows); lowest; lowest = remove_fifths(std::min(*lowest + 5, board_.rows))) {
      for (int column = 0; column < board_.columns; ++column) {
        if (loses_[static_cast<std::size_t>(column)] != 0) settle(board_, column);
      }
    }
  }

 private:
  bool is_empty(int row) const {
    const std::uint8_t* const cells = &board_.cells[static_cast<std::size_t>(row) * width_];
    return std::all_of(cells, cells + width_, [](std::uint8_t cell) { return cell == 0; });
  }

  /// Removes every fifth cell of every run, looking above row `end` only, and marks the columns that lose one. Returns the
  /// lowest row that loses one.
  std::optional<int> remove_fifths(int end) {
    loses_.assign(width_, 0);
    for (auto& places : places_) std::ranges::fill(places, std::uint8_t{0});
    std::optional<int> lowest;
    for (int row = top_; row < end; ++row) {
      const std::uint8_t* const cells = &board_.cells[static_cast<std::size_t>(row) * width_];
      std::uint8_t* const goes = &goes_[static_cast<std::size_t>(row) * width_];
      mark_across(cells, goes);
      for (int right = -1; right <= 1; ++right) mark_from_above(row, right, cells, goes);
      std::uint8_t any = 0;
      for (std::size_t column = 0; column < width_; ++column) any |= goes[column];
      if (any != 0) lowest = row;
    }
    if (!lowest) return lowest;
    for (int row = top_; row <= *lowest; ++row) {
      std::uint8_t* const cells = &board_.cells[static_cast<std::size_t>(row) * width_];
      const std::uint8_t* const goes = &goes_[static_cast<std::size_t>(row) * width_];
      for (std::size_t column = 0; column < width_; ++column) {
        cells[column] = goes[column] != 0 ? std::uint8_t{0} : cells[column];
        loses_[column] |= goes[column];
      }
    }
    return lowest;
  }

  void mark_across(const std::uint8_t* __restrict cells, std::uint8_t* __restrict goes) const {
    std::fill(goes, goes + width_, std::uint8_t{0});
    // Few rows have a run, so five equal cells are first tested at all places at once.
    unsigned any = 0;
    for (std::size_t column = TsTetris::run_min - 1; column < width_; ++column) {
      const std::uint8_t player = cells[column];
      any |= (player != 0) & (cells[column - 1] == player) & (cells[column - 2] == player) &
             (cells[column - 3] == player) & (cells[column - 4] == player);
    }
    if (any == 0) return;
    int place = 0;
    std::uint8_t player = 0;
    for (std::size_t column = 0; column < width_; ++column) {
      place = cells[column] == player && place < TsTetris::run_min ? place + 1 : 1;
      player = cells[column];
      goes[column] = player != 0 && place == TsTetris::run_min ? 1 : 0;
    }
  }

  /// Along the direction that goes down by one row and right by −1, 0 or 1 columns.
  void mark_from_above(int row, int right, const std::uint8_t* __restrict cells, std::uint8_t* __restrict goes) {
    // One extra place on either side stays 0: no run continues from beyond the board.
    const std::size_t stride = width_ + 2;
    std::uint8_t* const places = places_[static_cast<std::size_t>(right + 1)].data() + 1;
    std::uint8_t* __restrict const here = places + (row % 2 == 0 ? 0 : stride);
    std::fill(here, here + width_, std::uint8_t{1});
    if (row == top_) return;
    const std::uint8_t* __restrict const above = places + (row % 2 == 0 ? stride : 0) - right;
    const std::uint8_t* __restrict const before = cells - width_ - right;
    const std::size_t end = right < 0 ? width_ - 1 : width_;
    for (std::size_t column = right > 0 ? 1 : 0; column < end; ++column) {
      const std::uint8_t last = above[column] == TsTetris::run_min ? std::uint8_t{0} : above[column];
      const std::uint8_t place = cells[column] == before[column] ? last : std::uint8_t{0};
      here[column] = static_cast<std::uint8_t>(place + 1);
      const std::uint8_t fifth = place == TsTetris::run_min - 1 ? std::uint8_t{1} : std::uint8_t{0};
      goes[column] |= cells[column] == 0 ? std::uint8_t{0} : fifth;
    }
  }

  Grid& board_;
  std::size_t width_;
  int top_ = 0;                      // the first row that is not empty
  std::vector<std::uint8_t> goes_;   // 1 for every fifth cell of a run
  std::vector<std::uint8_t> loses_;  // by column
  std::array<std::vector<std::uint8_t>, 3> places_;
};

std::array<int, 2> count(const Grid& board) {
  return {static_cast<int>(std::ranges::count(board.cells, 1)), static_cast<int>(std::ranges::count(board.cells, 2))};
}

}  // namespace

std::optional<Flaw> TsTetris::Laws::flaw(const Setup& s) {
  if (const auto hanging = hanging_cell(s.board)) {
    const int index = static_cast<int>(*hanging);
    return Flaw{"board", index / s.width, index % s.width, "a settled board has no cell above an empty one"};
  }
  if (const auto run = run_of_five(s.board)) {
    return Flaw{"board", run->first, run->second, "this cell ends a run of five, which would have vanished"};
  }
  return std::nullopt;
}

void TsTetris::Laws::normalise(Setup& s) { RunBreaker{s.board}.repair(); }

namespace {

/// Whether the action is illegal in this state: only a drop into a full column is.
bool refused(const Setup& s, const TsTetris::Action& action) {
  const auto* drop = std::get_if<TsTetris::Drop>(&action);
  if (drop == nullptr) return false;
  return s.board.at(0, drop->column) != 0 || s.board.at(0, drop->column + 1) != 0 ||
         s.board.at(0, drop->column + 2) != 0;
}

std::string violation_of_result(const Setup& before, const TsTetris::Observation& o, const Setup& after) {
  if (before != after) return "asking for the result changed the state";
  if (o.left != count(after.board)) return "the counts of the result differ from a recount of the board";
  if (o.scores != std::array{after.score_1, after.score_2}) return "the scores of the result differ from the state's";
  const int leader = after.score_1 > after.score_2 ? 1 : after.score_1 < after.score_2 ? 2 : 0;
  return o.winner == leader ? "" : "the winner is not the player with more points";
}

/// Checks the turn and the points of a drop or a change.
std::string violation_of_turn(const Setup& before, const TsTetris::Observation& o, const Setup& after) {
  if (const auto broken = TsTetris::Laws::flaw(after)) return broken->what;
  if (after.to_move != 3 - before.to_move) return "the turn did not pass";
  const std::size_t mover = static_cast<std::size_t>(before.to_move - 1);
  if (o.points != o.vanished[mover]) return "the points are not the mover's vanished cells";
  std::array<int, 2> scores = {before.score_1, before.score_2};
  scores[mover] = std::min(scores[mover] + o.points, TsTetris::score_max);
  return scores == std::array{after.score_1, after.score_2} ? "" : "the scores did not grow by the points";
}

std::string violation_of_drop(const Setup& before, const TsTetris::Observation& o, const Setup& after) {
  std::array<int, 2> left = count(before.board);
  left[static_cast<std::size_t>(before.to_move - 1)] += 3;
  for (std::size_t player = 0; player < 2; ++player) left[player] -= o.vanished[player];
  return left == count(after.board) ? "" : "cells dropped − cells vanished is not the cells left";
}

std::string violation_of_change(const Setup& before, const TsTetris::Change& change, const TsTetris::Observation& o,
                                const Setup& after) {
  const bool flips = before.board.at(before.height - 1, change.column) == 3 - before.to_move;
  if (!flips && before.board != after.board)
    return "a change that starts on no cell of the opponent's changed the board";
  const auto was = count(before.board);
  const auto is = count(after.board);
  return was[0] + was[1] - o.vanished[0] - o.vanished[1] == is[0] + is[1]
             ? ""
             : "cells before − cells vanished is not the cells left";
}

}  // namespace

std::string TsTetris::Laws::violation(const Setup&, const Snapshot& before, const Action& action, const Observation& o,
                                      const Snapshot& after) {
  const auto shape = [](const Snapshot& s) { return std::array{s.width, s.height, s.board.columns, s.board.rows}; };
  if (shape(before) != shape(after)) return "the board changed its size";
  if (refused(before, action) != (o.says == Says::illegal)) {
    return "a drop is refused when one of its columns is full, and nothing else is";
  }
  if (o.says == Says::illegal) return before == after ? "" : "an illegal action changed the state";
  if (std::holds_alternative<Result>(action) != (o.says == Says::standing)) {
    return "asking for the result is answered by the standing, and nothing else is";
  }
  if (o.says == Says::standing) return violation_of_result(before, o, after);
  if (std::string broken = violation_of_turn(before, o, after); !broken.empty()) return broken;
  if (const auto* change = std::get_if<Change>(&action)) return violation_of_change(before, *change, o, after);
  return violation_of_drop(before, o, after);
}

// Symmetries -----------------------------------------------------------------------------------

namespace {

Setup mirrored(const Setup& s) {
  Setup image = s;
  for (int row = 0; row < s.height; ++row) {
    for (int column = 0; column < s.width; ++column)
      image.board.at(row, s.width - 1 - column) = s.board.at(row, column);
  }
  return image;
}

TsTetris::Action moved(const Setup& s, const TsTetris::Action& action) {
  if (const auto* drop = std::get_if<TsTetris::Drop>(&action)) return TsTetris::Drop{s.width - 3 - drop->column};
  if (const auto* change = std::get_if<TsTetris::Change>(&action))
    return TsTetris::Change{s.width - 1 - change->column};
  return action;
}

/// Swaps the names, cells, scores and turns of the players.
Setup traded(const Setup& s) {
  Setup image = s;
  for (auto& cell : image.board.cells) cell = cell == 0 ? cell : static_cast<std::uint8_t>(3 - cell);
  image.to_move = 3 - s.to_move;
  std::swap(image.score_1, image.score_2);
  return image;
}

TsTetris::Observation traded_answer(TsTetris::Observation o) {
  if (o.winner != 0) o.winner = static_cast<std::int8_t>(3 - o.winner);
  for (auto* pair : {&o.vanished, &o.scores, &o.left}) std::swap((*pair)[0], (*pair)[1]);
  return o;
}

}  // namespace

std::vector<Symmetry<TsTetris>> TsTetris::Laws::symmetries() {
  return {{.name = "mirror", .setup = mirrored, .action = moved, .observation = nullptr, .snapshot = nullptr},
          {.name = "trade players",
           .setup = traded,
           .action = [](const Setup&, const Action& action) { return action; },
           .observation = [](const Setup&, const Action&, const Observation& o,
                             const Snapshot&) -> std::optional<Observation> { return traded_answer(o); },
           .snapshot = nullptr}};
}

}  // namespace lockstep
