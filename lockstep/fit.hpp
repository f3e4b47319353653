// Edits a scenario and keeps it lawful: changes one field, then brings every field described after it back inside its
// bounds.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

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
  Number value = 0;
};

/// An edit of all numbers that have one name and one value. `exchange`: those that have the new value get the old one.
struct EqualEdit {
  std::string_view name;
  Number from = 0;
  Number to = 0;
  bool exchange = false;
};

/// Clamps every field into its bounds and gives boards and lists their described shape, and applies at most two edits. A
/// board that shrinks loses the given rows and columns, by default the top rows and the rightmost columns; a board that
/// grows gains empty ones in those places.
class Fit : public Visitor<Fit> {
 public:
  Fit() = default;
  explicit Fit(Edit edit, Edit other = {}) : edit_{edit}, other_{other} {}
  explicit Fit(EqualEdit edit) : equal_{edit} {}
  Fit(Edit edit, std::optional<Dropped> rows, std::optional<Dropped> columns)
      : edit_{edit}, rows_{rows}, columns_{columns} {}
  /// Gives each number, in the order visited, its distance from the simplest one of its bounds.
  explicit Fit(std::vector<Number> distances) : distances_{std::move(distances)} {}
  /// Likewise, but edits one number: those whose bounds it decides move along.
  Fit(Edit edit, std::vector<Number> distances) : edit_{edit}, distances_{std::move(distances)} {}

  template <class T>
  void number(std::string_view name, T& value, Number lo, Number hi) {
    if (this->empty_range(lo, hi)) return;
    Number wanted = static_cast<Number>(value);
    const std::size_t index = index_++;
    if (index == edit_.field) wanted = edit_.value;
    else if (index == other_.field) wanted = other_.value;
    else if (index < distances_.size()) wanted = simplest(lo, hi) + distances_[index];
    else if (equal_ && wanted == equal_->from && name == equal_->name) wanted = equal_->to;
    else if (equal_ && equal_->exchange && wanted == equal_->to && name == equal_->name) wanted = equal_->from;
    else if (rows_ && name == "row") wanted = rows_->moved(static_cast<int>(wanted));
    else if (columns_ && name == "column") wanted = columns_->moved(static_cast<int>(wanted));
    value = static_cast<T>(std::clamp(wanted, lo, hi));
  }

  /// The rank knows no bounds: a value whose rank stays may still be outside of them.
  template <class T>
  void any_real(std::string_view name, T& value, std::optional<std::pair<double, double>> bounds) {
    if (bounds && this->empty_range(bounds->first, bounds->second)) return;
    Visitor::any_real(name, value, bounds);
    value = static_cast<T>(floating::real_within(static_cast<double>(value), bounds));
  }

  void board(std::string_view, Grid& grid, int rows, int columns, const Alphabet& alphabet) {
    if (grid.rows != rows || grid.columns != columns) grid = refitted(grid, rows, columns);
    for (auto& cell : grid.cells) cell = std::min(cell, static_cast<std::uint8_t>(alphabet.size - 1));
  }

  template <class C, class Item>
  void list(std::string_view, C& items, int lo, int hi, Item&& describe_item) {
    if (this->empty_range(lo, hi)) return;
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
  Edit other_{};
  std::optional<EqualEdit> equal_;
  std::optional<Dropped> rows_;
  std::optional<Dropped> columns_;
  std::vector<Number> distances_;
  std::size_t index_ = 0;
};

/// The new index of each earlier result, per kind of action, while a scenario loses actions.
template <System S>
class Renumbering {
 public:
  /// Takes the next action of the old scenario: false if it refers to a lost result; else its references are renumbered.
  bool take(const Past<S>& past, typename S::Action& action) {
    Visit visit{*this};
    visit_action<S>(visit, past, action);
    return !visit.lost;
  }
  /// Records whether the action, with its old kind, is kept.
  void record(std::size_t kind, bool kept) { indices_[kind].push_back(kept ? kept_[kind]++ : gone); }

 private:
  static constexpr std::uint32_t gone = std::numeric_limits<std::uint32_t>::max();

  class Visit : public Visitor<Visit> {
   public:
    explicit Visit(const Renumbering& of) : of_{of} {}
    bool lost = false;

    template <class T>
    void number(std::string_view, T&, Number, Number) {}
    void board(std::string_view, Grid&, int, int, const Alphabet&) {}
    template <class C, class Item>
    void list(std::string_view, C& items, int, int, Item&& describe_item) {
      for (auto& item : items) describe_item(*this, item);
    }
    template <class T>
    void reference(std::string_view, std::string_view kind_name, T& index, Number) {
      for (std::size_t kind = 0; kind < action_kinds<typename S::Action>; ++kind) {
        if (action_name(alternative<typename S::Action>(kind)) != kind_name) continue;
        const auto& indices = of_.indices_[kind];
        if (index >= indices.size() || indices[index] == gone) lost = true;
        else index = indices[index];
      }
    }

   private:
    const Renumbering& of_;
  };

  std::array<std::vector<std::uint32_t>, action_kinds<typename S::Action>> indices_;
  std::array<std::uint32_t, action_kinds<typename S::Action>> kept_{};
};

/// Brings all actions back inside their bounds. `removed(i)` tells which ones are removed; those that refer to the result
/// of a removed action, or have become impossible, go too. `fit(i)` returns the visitor that fits action i.
template <System S, class Removed, class FitFor>
void refit_actions(Scenario<S>& scenario, Removed&& removed, FitFor&& fit) {
  Past<S> past{scenario.setup};
  std::size_t kept = 0;
  [[maybe_unused]] Renumbering<S> renumbering;
  for (std::size_t i = 0; i < scenario.actions.size(); ++i) {
    auto& action = scenario.actions[i];
    bool keep = !removed(i);
    if constexpr (has_results<S>) keep = keep && renumbering.take(past, action);
    if (keep) {
      Fit visitor = fit(i);
      keep = visit_action<S>(visitor, past, action);
    }
    if constexpr (has_results<S>) renumbering.record(action.index(), keep);
    if (!keep) continue;
    past.add(action);
    if (kept != i) scenario.actions[kept] = std::move(action);
    ++kept;
  }
  scenario.actions.resize(kept);
}

/// Brings a whole scenario back inside its bounds and laws, and applies at most one edit to its setup.
template <System S>
void refit(Scenario<S>& scenario, Edit setup_edit = {}, std::optional<Dropped> rows = {},
           std::optional<Dropped> columns = {}) {
  Fit setup_fit{setup_edit, rows, columns};
  visit_setup<S>(setup_fit, scenario.setup);
  normalise<S>(scenario.setup);
  refit_actions<S>(
      scenario, [](std::size_t) { return false; }, [&](std::size_t) { return Fit{Edit{}, rows, columns}; });
}

/// Brings a whole scenario back inside its bounds and laws, and edits all equal numbers of one name.
template <System S>
void refit(Scenario<S>& scenario, EqualEdit edit) {
  Fit setup_fit{edit};
  visit_setup<S>(setup_fit, scenario.setup);
  normalise<S>(scenario.setup);
  refit_actions<S>(scenario, [](std::size_t) { return false; }, [&](std::size_t) { return Fit{edit}; });
}

/// Brings one action back inside its bounds, with at most two edits, and then those after it that depend on it. An action
/// that has become impossible is removed.
template <System S>
void refit_one(Scenario<S>& scenario, std::size_t action, Edit edit, Edit other = {}) {
  if constexpr (depends_on_past<S>) {
    refit_actions<S>(
        scenario, [](std::size_t) { return false; },
        [&](std::size_t i) { return i == action ? Fit{edit, other} : Fit{}; });
  } else {
    Fit fit{edit, other};
    if (!visit_action<S>(fit, scenario.setup, scenario.actions[action])) {
      scenario.actions.erase(scenario.actions.begin() + static_cast<std::ptrdiff_t>(action));
    }
  }
}

}  // namespace lockstep
