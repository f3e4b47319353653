// All one-step reductions of a scenario: the definition of "minimal".
//
// A scenario is 1-minimal for a failure if none of its reductions fails in the same way:
//   one action removed; one list item removed; one cell emptied or lowered by one; one number of the
//   setup or of an action lowered by one (for a dimension: with any row and any column removed).
// Each reduction is made lawful again (fit.hpp), so it may change more than it names. Only results that are smaller by
// measure.hpp count, so shrinking terminates.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "lockstep/fit.hpp"
#include "lockstep/measure.hpp"

namespace lockstep {

/// One number field: its value, its lowest value and whether it is a dimension of the board.
struct NumberField {
  std::int64_t value;
  std::int64_t lo;
  bool dimension;
};

/// Lists the numbers that Fit counts, in the same order.
class ListNumbers : public Visitor<ListNumbers> {
 public:
  std::vector<NumberField> fields;
  int rows = 0;     // of the largest board
  int columns = 0;  // likewise

  template <class T>
  void size(std::string_view, const T& value, std::int64_t lo, std::int64_t) {
    fields.push_back({static_cast<std::int64_t>(value), lo, true});
  }
  template <class T>
  void number(std::string_view, const T& value, std::int64_t lo, std::int64_t) {
    fields.push_back({static_cast<std::int64_t>(value), lo, false});
  }
  void board(std::string_view, const Grid& grid, int, int, const Alphabet&) {
    rows = std::max(rows, grid.rows);
    columns = std::max(columns, grid.columns);
  }
  template <class T, class Item>
  void list(std::string_view, std::vector<T>& items, int, int, Item&& describe_item) {
    for (auto& item : items) describe_item(*this, item);
  }
};

/// Edits the cells and list items of a setup, each by its running number.
class EditParts : public Visitor<EditParts> {
 public:
  /// Calls `cell` with the number and a reference for every cell, and removes the list items for which `drop` is true.
  EditParts(std::function<void(std::size_t, std::uint8_t&)> cell, std::function<bool(std::size_t)> drop)
      : cell_{std::move(cell)}, drop_{std::move(drop)} {}

  template <class T>
  void number(std::string_view, T&, std::int64_t, std::int64_t) {}
  void board(std::string_view, Grid& grid, int, int, const Alphabet&) {
    for (auto& value : grid.cells) cell_(cells_++, value);
  }
  template <class T, class Item>
  void list(std::string_view, std::vector<T>& items, int lo, int, Item&&) {
    for (std::size_t i = 0; i < items.size();) {
      if (drop_(items_++) && items.size() > static_cast<std::size_t>(lo)) {
        items.erase(items.begin() + static_cast<std::ptrdiff_t>(i));
      } else {
        ++i;
      }
    }
  }

  std::size_t cells() const { return cells_; }
  std::size_t items() const { return items_; }

 private:
  std::function<void(std::size_t, std::uint8_t&)> cell_;
  std::function<bool(std::size_t)> drop_;
  std::size_t cells_ = 0;
  std::size_t items_ = 0;
};

/// The parts of a setup that can be removed.
struct Parts {
  std::vector<std::pair<std::size_t, std::uint8_t>> occupied;  // running number and value of non-empty cells
  std::size_t items = 0;
};

template <System S>
Parts parts_of(const typename S::Setup& setup) {
  Parts out;
  EditParts list{[&](std::size_t i, std::uint8_t& value) {
                   if (value != 0) out.occupied.emplace_back(i, value);
                 },
                 [](std::size_t) { return false; }};
  read_setup<S>(list, setup);
  out.items = list.items();
  return out;
}

/// The scenario with some cells (numbered as in Parts) lowered by `lowered_by`, or emptied if that is 0; made lawful.
template <System S>
Scenario<S> with_cells(const Scenario<S>& scenario, std::span<const std::pair<std::size_t, std::uint8_t>> cells,
                       int lowered_by) {
  Scenario<S> out = scenario;
  std::size_t next = 0;
  EditParts edit{[&](std::size_t i, std::uint8_t& value) {
                   if (next == cells.size() || cells[next].first != i) return;
                   value = lowered_by == 0 ? std::uint8_t{0} : static_cast<std::uint8_t>(value - lowered_by);
                   ++next;
                 },
                 [](std::size_t) { return false; }};
  visit_setup<S>(edit, out.setup);
  refit<S>(out);
  return out;
}

template <System S>
Scenario<S> without_item(const Scenario<S>& scenario, std::size_t item) {
  Scenario<S> out = scenario;
  EditParts edit{[](std::size_t, std::uint8_t&) {}, [item](std::size_t i) { return i == item; }};
  visit_setup<S>(edit, out.setup);
  refit<S>(out);
  return out;
}

template <System S>
Scenario<S> without_actions(const Scenario<S>& scenario, std::size_t first, std::size_t count) {
  Scenario<S> out{.setup = scenario.setup, .actions = {}};
  out.actions.reserve(scenario.actions.size() - count);
  for (std::size_t i = 0; i < scenario.actions.size(); ++i) {
    if (i < first || i >= first + count) out.actions.push_back(scenario.actions[i]);
  }
  return out;
}

/// The scenario with one number of one action set.
template <System S>
Scenario<S> with_action_number(const Scenario<S>& scenario, std::size_t action, Edit edit) {
  Scenario<S> out = scenario;
  Fit fit{edit};
  visit_action<S>(fit, out.setup, out.actions[action]);
  return out;
}

template <System S>
ListNumbers setup_numbers(const typename S::Setup& setup) {
  ListNumbers list;
  read_setup<S>(list, setup);
  return list;
}

template <System S>
ListNumbers action_numbers(const typename S::Setup& setup, const typename S::Action& action) {
  ListNumbers list;
  read_action<S>(list, setup, action);
  return list;
}

/// Calls try_one on each one-step reduction that is smaller than the scenario, from number `first` on, until try_one
/// returns true. Returns the number of that reduction, or nullopt. The numbering changes little from a scenario to its
/// reductions, so that a caller that takes one can continue with the next number.
template <System S, class TryOne>
std::optional<std::size_t> reduction_from(const Scenario<S>& scenario, std::size_t first, TryOne&& try_one) {
  const Size size = size_of<S>(scenario);
  std::size_t number = 0;
  // Reductions before `first` are counted, not built.
  const auto taken = [&](auto&& build) {
    if (number++ < first) return false;
    const Scenario<S> candidate = build();
    return size_of<S>(candidate) < size && try_one(candidate);
  };

  for (std::size_t i = scenario.actions.size(); i-- > 0;) {
    if (taken([&] { return without_actions<S>(scenario, i, 1); })) return number - 1;
  }
  const Parts parts = parts_of<S>(scenario.setup);
  for (std::size_t i = 0; i < parts.items; ++i) {
    if (taken([&] { return without_item<S>(scenario, i); })) return number - 1;
  }
  for (const auto& cell : parts.occupied) {
    if (taken([&] { return with_cells<S>(scenario, {&cell, 1}, 0); })) return number - 1;
    if (cell.second > 1 && taken([&] { return with_cells<S>(scenario, {&cell, 1}, 1); })) return number - 1;
  }
  const ListNumbers numbers = setup_numbers<S>(scenario.setup);
  for (std::size_t i = 0; i < numbers.fields.size(); ++i) {
    const NumberField& field = numbers.fields[i];
    if (field.value == field.lo) continue;
    const Edit edit{i, field.value - 1};
    const auto edited = [&](std::optional<Dropped> rows, std::optional<Dropped> columns) {
      Scenario<S> candidate = scenario;
      refit<S>(candidate, edit, rows, columns);
      return candidate;
    };
    if (!field.dimension) {
      if (taken([&] { return edited(std::nullopt, std::nullopt); })) return number - 1;
      continue;
    }
    // A dimension: the board's new shape shows whether it governs rows, columns or both.
    const ListNumbers reshaped = setup_numbers<S>(edited(std::nullopt, std::nullopt).setup);
    const int rows = reshaped.rows < numbers.rows ? numbers.rows : 1;
    const int columns = reshaped.columns < numbers.columns ? numbers.columns : 1;
    for (int row = rows - 1; row >= 0; --row) {
      for (int column = columns - 1; column >= 0; --column) {
        const auto gone_row = rows > 1 ? std::optional{Dropped{row, 1}} : std::nullopt;
        const auto gone_column = columns > 1 ? std::optional{Dropped{column, 1}} : std::nullopt;
        if (taken([&] { return edited(gone_row, gone_column); })) return number - 1;
      }
    }
  }
  for (std::size_t a = 0; a < scenario.actions.size(); ++a) {
    const ListNumbers fields = action_numbers<S>(scenario.setup, scenario.actions[a]);
    for (std::size_t i = 0; i < fields.fields.size(); ++i) {
      if (fields.fields[i].value == fields.fields[i].lo) continue;
      const Edit edit{i, fields.fields[i].value - 1};
      if (taken([&] { return with_action_number<S>(scenario, a, edit); })) return number - 1;
    }
  }
  return std::nullopt;
}

/// Calls try_one on each one-step reduction that is smaller than the scenario, until it returns true. Returns whether
/// it did.
template <System S, class TryOne>
bool any_reduction(const Scenario<S>& scenario, TryOne&& try_one) {
  return reduction_from<S>(scenario, 0, try_one).has_value();
}

}  // namespace lockstep
