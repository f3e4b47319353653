#include "lockstep/describe/fit.hpp"

#include "lockstep/describe/measure.hpp"

namespace lockstep {

void Fit::visit_number(std::string_view name, Number& value, Number lo, Number hi, const NumberAs&) {
  if (empty_range(lo, hi)) return;
  Number wanted = value;
  const std::size_t index = index_++;
  if (index == edit_.field) wanted = edit_.value;
  else if (index == other_.field) wanted = other_.value;
  else if (index < distances_.size()) wanted = simplest(lo, hi) + distances_[index];
  else if (equal_ && wanted == equal_->from && name == equal_->name) wanted = equal_->to;
  else if (equal_ && equal_->exchange && wanted == equal_->to && name == equal_->name) wanted = equal_->from;
  else if (rows_ && name == "row") wanted = rows_->moved(static_cast<int>(wanted));
  else if (columns_ && name == "column") wanted = columns_->moved(static_cast<int>(wanted));
  value = std::clamp(wanted, lo, hi);
}

/// The rank knows no bounds: a value whose rank stays may still be outside of them.
void Fit::visit_real(std::string_view name, double& value, Bounds bounds, bool single) {
  if (bounds && empty_range(bounds->first, bounds->second)) return;
  Fields::visit_real(name, value, bounds, single);
  value = floating::real_within(value, bounds);
}

void Fit::board(std::string_view, Grid& grid, int rows, int columns, const Alphabet& alphabet) {
  if (grid.rows != rows || grid.columns != columns) grid = refitted(grid, rows, columns);
  for (auto& cell : grid.cells) cell = std::min(cell, static_cast<std::uint8_t>(alphabet.size - 1));
}

void Fit::visit_list(std::string_view, Items& items, int lo, int hi) {
  if (empty_range(lo, hi)) return;
  const std::size_t size = std::clamp(items.size(), static_cast<std::size_t>(lo), static_cast<std::size_t>(hi));
  if (size != items.size()) items.resize(size);
  items.visit_all(*this);
}

Grid Fit::refitted(const Grid& old, int rows, int columns) const {
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

namespace {

/// The new index of each earlier result, per kind of action, while a scenario loses actions.
class Renumbering {
 public:
  explicit Renumbering(std::span<const ActionKind> kinds)
      : kinds_{kinds}, indices_(kinds.size()), kept_(kinds.size()) {}

  /// Takes the next action of the old scenario: false if it refers to a lost result; else its references are renumbered.
  bool take(const AnyScenario::VisitAction& action) const {
    bool lost = false;
    EachNumber renumber{[&](std::string_view, Number& index, Number, Number, const NumberAs& as) {
      if (as.role != Role::reference) return;
      for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
        if (kinds_[kind].name != as.of) continue;
        const auto& indices = indices_[kind];
        const auto old = static_cast<std::size_t>(index);
        if (old >= indices.size() || indices[old] == gone) lost = true;
        else index = indices[old];
      }
    }};
    action(renumber);
    return !lost;
  }
  /// Records whether the action, with its old kind, is kept.
  void record(std::size_t kind, bool kept) { indices_[kind].push_back(kept ? kept_[kind]++ : gone); }

 private:
  static constexpr std::uint32_t gone = std::numeric_limits<std::uint32_t>::max();

  std::span<const ActionKind> kinds_;
  std::vector<std::vector<std::uint32_t>> indices_;
  std::vector<std::uint32_t> kept_;
};

constexpr auto removes_none = [](std::size_t) { return false; };

}  // namespace

void refit_actions(AnyScenario& scenario, FunctionRef<bool(std::size_t)> removed, FunctionRef<Fit(std::size_t)> fit) {
  std::optional<Renumbering> renumbering;
  if (scenario.vocabulary().has_results()) renumbering.emplace(scenario.vocabulary().kinds());
  scenario.each_action([&](std::size_t i, const AnyScenario::VisitAction& visit) {
    bool keep = !removed(i);
    if (renumbering) keep = keep && renumbering->take(visit);
    if (keep) {
      Fit visitor = fit(i);
      keep = visit(visitor);
    }
    if (renumbering) renumbering->record(visit.kind(), keep);
    return keep;
  });
}

void refit(AnyScenario& scenario, Edit setup_edit, std::optional<Dropped> rows, std::optional<Dropped> columns) {
  Fit setup_fit{setup_edit, rows, columns};
  scenario.visit_setup(setup_fit);
  scenario.normalise();
  refit_actions(scenario, removes_none, [&](std::size_t) { return Fit{Edit{}, rows, columns}; });
}

void refit(AnyScenario& scenario, EqualEdit edit) {
  Fit setup_fit{edit};
  scenario.visit_setup(setup_fit);
  scenario.normalise();
  refit_actions(scenario, removes_none, [&](std::size_t) { return Fit{edit}; });
}

void refit_one(AnyScenario& scenario, std::size_t action, Fit fit) {
  if (scenario.vocabulary().depends_on_past()) {
    refit_actions(scenario, removes_none, [&](std::size_t i) { return i == action ? fit : Fit{}; });
  } else if (!scenario.visit_action(action, fit)) {
    scenario.erase(action, 1);
  }
}

void leave_out(AnyScenario& scenario, const std::vector<std::string>& kinds) {
  if (kinds.empty()) return;
  std::vector<bool> left_out(scenario.size());
  for (std::size_t i = 0; i < left_out.size(); ++i) {
    left_out[i] = std::ranges::find(kinds, scenario.action_name(i)) != kinds.end();
  }
  refit_actions(scenario, [&](std::size_t i) -> bool { return left_out[i]; }, [](std::size_t) { return Fit{}; });
}

}  // namespace lockstep
