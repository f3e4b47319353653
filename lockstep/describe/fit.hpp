// Edits a scenario and keeps it lawful: changes one field, then brings every field described after it back inside its
// bounds.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lockstep/describe/describe.hpp"
#include "lockstep/describe/scenario.hpp"

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
class Fit : public Fields {
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

  void visit_number(std::string_view name, Number& value, Number lo, Number hi, const NumberAs& as) override;
  void visit_real(std::string_view name, double& value, Bounds bounds, bool single) override;
  void board(std::string_view name, Grid& grid, int rows, int columns, const Alphabet& alphabet) override;
  void visit_list(std::string_view name, Items& items, int lo, int hi) override;

 private:
  Grid refitted(const Grid& old, int rows, int columns) const;

  Edit edit_{};
  Edit other_{};
  std::optional<EqualEdit> equal_;
  std::optional<Dropped> rows_;
  std::optional<Dropped> columns_;
  std::vector<Number> distances_;
  std::size_t index_ = 0;
};

/// Brings all actions back inside their bounds. `removed(i)` tells which ones are removed; those that refer to the result
/// of a removed action, or have become impossible, go too. `fit(i)` returns the visitor that fits action i.
void refit_actions(AnyScenario& scenario, FunctionRef<bool(std::size_t)> removed, FunctionRef<Fit(std::size_t)> fit);

/// Brings a whole scenario back inside its bounds and laws, and applies at most one edit to its setup.
void refit(AnyScenario& scenario, Edit setup_edit = {}, std::optional<Dropped> rows = {},
           std::optional<Dropped> columns = {});

/// Brings a whole scenario back inside its bounds and laws, and edits all equal numbers of one name.
void refit(AnyScenario& scenario, EqualEdit edit);

/// Applies a visitor to one action, and brings those after it that depend on it back inside their bounds. An action that
/// has become impossible is removed.
void refit_one(AnyScenario& scenario, std::size_t action, Fit fit = {});

/// Removes the actions of these kinds, and those that refer to their results: `fuzz --without`, when one kind runs into the
/// same mistake again and again.
void leave_out(AnyScenario& scenario, const std::vector<std::string>& kinds);

}  // namespace lockstep
