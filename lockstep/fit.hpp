// Edits a scenario and keeps it lawful: changes one field, then brings every field described after it back inside its
// bounds.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "lockstep/describe.hpp"

namespace lockstep {

/// Rows or columns that leave the board when it shrinks: `count` of them, starting at `first`.
struct Dropped {
  int first = 0;
  int count = 0;

  /// The index on the smaller board of an index on the old board.
  int moved(int index) const { return index >= first + count ? index - count : std::min(index, first); }
};

/// An edit of one number, by its position among the numbers visited (cells of boards do not count).
struct Edit {
  std::size_t field = std::numeric_limits<std::size_t>::max();
  std::int64_t value = 0;
};

/// Clamps every field into its bounds and gives boards and lists their described shape, and applies at most one edit. A
/// board that shrinks loses the given rows and columns, by default the top rows and the rightmost columns; a board that
/// grows gains empty ones in those places.
class Fit : public Visitor<Fit> {
 public:
  Fit() = default;
  explicit Fit(Edit edit) : edit_{edit} {}
  Fit(Edit edit, std::optional<Dropped> rows, std::optional<Dropped> columns)
      : edit_{edit}, rows_{rows}, columns_{columns} {}

  template <class T>
  void number(std::string_view name, T& value, std::int64_t lo, std::int64_t hi) {
    std::int64_t wanted = static_cast<std::int64_t>(value);
    if (index_++ == edit_.field) wanted = edit_.value;
    else if (rows_ && name == "row") wanted = rows_->moved(static_cast<int>(wanted));
    else if (columns_ && name == "column") wanted = columns_->moved(static_cast<int>(wanted));
    value = static_cast<T>(std::clamp(wanted, lo, hi));
  }

  void board(std::string_view, Grid& grid, int rows, int columns, const Alphabet& alphabet) {
    if (grid.rows != rows || grid.columns != columns) grid = refitted(grid, rows, columns);
    for (auto& cell : grid.cells) cell = std::min(cell, static_cast<std::uint8_t>(alphabet.size - 1));
  }

  template <class T, class Item>
  void list(std::string_view, std::vector<T>& items, int lo, int hi, Item&& describe_item) {
    items.resize(std::clamp(items.size(), static_cast<std::size_t>(lo), static_cast<std::size_t>(hi)));
    for (auto& item : items) describe_item(*this, item);
  }

 private:
  Grid refitted(const Grid& old, int rows, int columns) const {
    const Dropped gone_rows = rows_.value_or(Dropped{0, old.rows - rows});
    const Dropped gone_columns = columns_.value_or(Dropped{columns, old.columns - columns});
    Grid out{rows, columns};
    for (int row = 0; row < rows; ++row) {
      for (int column = 0; column < columns; ++column) {
        const int from_row = row < gone_rows.first ? row : row + gone_rows.count;
        const int from_column = column < gone_columns.first ? column : column + gone_columns.count;
        if (old.contains(from_row, from_column)) out.at(row, column) = old.at(from_row, from_column);
      }
    }
    return out;
  }

  Edit edit_{};
  std::optional<Dropped> rows_;
  std::optional<Dropped> columns_;
  std::size_t index_ = 0;
};

/// Brings a whole scenario back inside its bounds and laws, and applies at most one edit to its setup.
template <System S>
void refit(Scenario<S>& scenario, Edit setup_edit = {}, std::optional<Dropped> rows = {},
           std::optional<Dropped> columns = {}) {
  Fit setup_fit{setup_edit, rows, columns};
  visit_setup<S>(setup_fit, scenario.setup);
  normalise<S>(scenario.setup);
  for (auto& action : scenario.actions) {
    Fit action_fit{Edit{}, rows, columns};
    visit_action<S>(action_fit, scenario.setup, action);
  }
}

}  // namespace lockstep
