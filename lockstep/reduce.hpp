// All one-step reductions of a scenario: the definition of "minimal".
//
// A scenario is 1-minimal for a failure if none of its reductions fails in the same way:
//   one action removed; one item of a list or sequence, or one character of a text, removed; a sequence appended to the
//   one before it in a sequence of sequences; a value of a described type replaced by one of that type inside it, as an
//   expression by an operand; one cell emptied or lowered by one; one number of the setup or of an action moved by one
//   towards the simplest of its range, or a negative one negated (for a dimension: with any row and any column removed);
//   a number that a span (measure.hpp) follows moved by one with it, 8 9 becomes 7 8, or away from the simplest by one
//   without it, 0 9 becomes 1 9;
//   all equal numbers of one name moved by one together, as two actions on the same key need it, or exchanged with those
//   that have the next value: 1 0 1 becomes 0 1 0; all numbers from a value on lowered by one together: 2 5 6 with 5
//   becomes 2 4 5 (unless there are more than 64 different ones).
// Each reduction is made lawful again (fit.hpp), so it may change more than it names. Only results that are smaller by
// measure.hpp count, so shrinking terminates.
#pragma once

#include <algorithm>
#include <any>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include "lockstep/fit.hpp"
#include "lockstep/measure.hpp"

namespace lockstep {

/// One number field: its value, the simplest value of its range and whether it is a dimension of the board.
struct NumberField {
  Number value;
  Number simplest;
  Number lo, hi;
  bool dimension;
  bool negatable;  // negative, and its negation is in the range
  std::string name;
  bool span = false;          // measure.hpp
  bool decides_span = false;  // a span comes after it

  /// How far it is from the simplest value.
  Number distance() const { return value < simplest ? simplest - value : value - simplest; }
  /// The value moved towards the simplest one, by at most distance().
  Number nearer(Number by) const { return value < simplest ? value + by : value - by; }
  Number farther(Number by) const { return value < simplest ? value - by : value + by; }
  /// A value just out of bounds as integers of that range wrap: what follows the last is the first.
  Number wrapped(Number out) const { return out > hi ? out - (hi - lo + 1) : out < lo ? out + (hi - lo + 1) : out; }
};

/// Lists the numbers that Fit counts, in the same order.
class ListNumbers : public Visitor<ListNumbers> {
 public:
  std::vector<NumberField> fields;
  int rows = 0;     // of the largest board
  int columns = 0;  // likewise

  template <class T>
  void size(std::string_view name, const T& value, Number lo, Number hi) {
    add(name, static_cast<Number>(value), lo, hi, true);
  }
  template <class T>
  void number(std::string_view name, const T& value, Number lo, Number hi) {
    add(name, static_cast<Number>(value), lo, hi, false);
  }
  void board(std::string_view, const Grid& grid, int, int, const Alphabet&) {
    rows = std::max(rows, grid.rows);
    columns = std::max(columns, grid.columns);
  }
  template <class C, class Item>
  void list(std::string_view, C& items, int, int, Item&& describe_item) {
    for (auto& item : items) describe_item(*this, item);
  }

  void mark_spans(const std::vector<bool>& spans) {
    bool later = false;
    for (std::size_t i = fields.size(); i-- > 0;) {
      fields[i].decides_span = later && !fields[i].dimension;
      fields[i].span = spans[i];
      later = later || spans[i];
    }
  }

 private:
  void add(std::string_view name, Number value, Number lo, Number hi, bool dimension) {
    fields.push_back({.value = value,
                      .simplest = lockstep::simplest(lo, hi),
                      .lo = lo,
                      .hi = hi,
                      .dimension = dimension,
                      .negatable = value < 0 && -value <= hi,
                      .name = std::string{name}});
  }
};

/// Whether items are sequences, so that two neighbours can be joined.
template <class C>
inline constexpr bool holds_sequences = describing::Sequence<typename C::value_type> && requires(C& items) {
  items.erase(items.begin());
  items.begin()->insert(items.begin()->end(), items.begin()->begin(), items.begin()->end());
};

/// The running numbers of two compound values of one type, of which one is inside the other.
struct NestedValue {
  std::size_t outer = std::numeric_limits<std::size_t>::max();
  std::size_t inner = std::numeric_limits<std::size_t>::max();
};

/// Edits the cells, items and compound values of a setup or an action, each by its running number: an item or value comes
/// before those inside it.
class EditParts : public Visitor<EditParts> {
 public:
  /// Calls `cell` with the number and a reference for every cell, and removes the items for which `drop` is true.
  EditParts(std::function<void(std::size_t, std::uint8_t&)> cell, std::function<bool(std::size_t)> drop)
      : cell_{std::move(cell)}, drop_{std::move(drop)} {}
  /// Replaces the outer value by the inner one.
  explicit EditParts(NestedValue lifted)
      : EditParts{[](std::size_t, std::uint8_t&) {}, [](std::size_t) { return false; }} {
    lifted_ = lifted;
  }

  /// Appends a sequence to its neighbour in front of it: number `joined` of those that have one.
  static EditParts joining(std::size_t joined) {
    EditParts out{NestedValue{}};
    out.joined_ = joined;
    return out;
  }

  template <class T>
  void number(std::string_view, T&, Number, Number) {}
  void board(std::string_view, Grid& grid, int, int, const Alphabet&) {
    for (auto& value : grid.cells) cell_(cells_++, value);
  }
  template <class C, class Item>
  void list(std::string_view, C& items, int lo, int, Item&& describe_item) {
    if constexpr (holds_sequences<C>) {
      for (std::size_t i = 1; i < items.size(); ++i) {
        if (neighbours_++ != joined_ || items.size() == static_cast<std::size_t>(lo)) continue;
        const auto second = items.begin() + static_cast<std::ptrdiff_t>(i);
        const auto first = second - 1;
        first->insert(first->end(), second->begin(), second->end());
        items.erase(second);
      }
    }
    for (auto item = items.begin(); item != items.end();) {
      if (drop_(items_++) && items.size() > static_cast<std::size_t>(lo)) item = items.erase(item);
      else describe_item(*this, *item++);
    }
  }

  template <class T>
  void contents(T& value) {
    const std::size_t number = values_++;
    for (const auto& [outer, type] : around_) {
      if (*type == typeid(T)) nested_.push_back({outer, number});
    }
    around_.emplace_back(number, &typeid(T));
    Visitor<EditParts>::contents(value);
    around_.pop_back();
    if (number == lifted_.inner) inside_ = value;
    if (number == lifted_.outer) value = std::any_cast<T>(std::move(inside_));
  }

  std::size_t item_count() const { return items_; }
  std::size_t neighbours() const { return neighbours_; }
  const std::vector<NestedValue>& nested() const { return nested_; }

 private:
  std::function<void(std::size_t, std::uint8_t&)> cell_;
  std::function<bool(std::size_t)> drop_;
  std::size_t cells_ = 0;
  std::size_t items_ = 0;
  std::size_t values_ = 0;
  std::vector<std::pair<std::size_t, const std::type_info*>> around_;  // the values that are being visited
  std::vector<NestedValue> nested_;
  NestedValue lifted_;
  std::any inside_;
  std::size_t neighbours_ = 0;
  std::size_t joined_ = std::numeric_limits<std::size_t>::max();
};

/// The parts of a setup or an action that can be removed, or can take the place of others.
struct Parts {
  std::vector<std::pair<std::size_t, std::uint8_t>> occupied;  // running number and value of non-empty cells
  std::size_t items = 0;
  std::vector<NestedValue> nested;
  std::size_t neighbours = 0;  // sequences that another one in the same sequence precedes
};

template <System S>
Parts parts_of(const typename S::Setup& setup) {
  Parts out;
  EditParts list{[&](std::size_t i, std::uint8_t& value) {
                   if (value != 0) out.occupied.emplace_back(i, value);
                 },
                 [](std::size_t) { return false; }};
  read_setup<S>(list, setup);
  out.items = list.item_count();
  out.nested = list.nested();
  out.neighbours = list.neighbours();
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

/// A visitor that removes a range of items.
inline EditParts item_remover(std::size_t first, std::size_t count) {
  return {[](std::size_t, std::uint8_t&) {}, [=](std::size_t i) { return i >= first && i - first < count; }};
}

/// The scenario with the parts of its setup edited.
template <System S>
Scenario<S> with_parts(const Scenario<S>& scenario, EditParts edit) {
  Scenario<S> out = scenario;
  visit_setup<S>(edit, out.setup);
  refit<S>(out);
  return out;
}

/// The scenario with the parts of one action edited.
template <System S>
Scenario<S> with_action_parts(const Scenario<S>& scenario, std::size_t action, EditParts edit) {
  Scenario<S> out = scenario;
  visit_action<S>(edit, past_of<S>(out, action), out.actions[action]);
  refit_one<S>(out, action, Edit{});
  return out;
}

/// Lowers one cell by `lowered_by`, or empties it if that is 0.
inline EditParts cell_lowerer(std::size_t cell, int lowered_by) {
  return {[=](std::size_t i, std::uint8_t& value) {
            if (i == cell) value = static_cast<std::uint8_t>(lowered_by == 0 ? 0 : value - lowered_by);
          },
          [](std::size_t) { return false; }};
}

/// The parts of an action that can be removed.
template <System S>
Parts action_parts(const Scenario<S>& scenario, std::size_t action) {
  Parts out;
  EditParts list{[&](std::size_t i, std::uint8_t& value) {
                   if (value != 0) out.occupied.emplace_back(i, value);
                 },
                 [](std::size_t) { return false; }};
  read_action<S>(list, past_of<S>(scenario, action), scenario.actions[action]);
  out.items = list.item_count();
  out.nested = list.nested();
  out.neighbours = list.neighbours();
  return out;
}

template <System S>
Scenario<S> without_actions(const Scenario<S>& scenario, std::size_t first, std::size_t count) {
  if constexpr (depends_on_past<S>) {
    Scenario<S> out = scenario;
    refit_actions<S>(
        out, [=](std::size_t i) { return i >= first && i - first < count; }, [](std::size_t) { return Fit{}; });
    return out;
  }
  Scenario<S> out{.setup = scenario.setup, .actions = {}};
  out.actions.reserve(scenario.actions.size() - count);
  for (std::size_t i = 0; i < scenario.actions.size(); ++i) {
    if (i < first || i >= first + count) out.actions.push_back(scenario.actions[i]);
  }
  return out;
}

/// The scenario with one or two numbers of one action set.
template <System S>
Scenario<S> with_action_number(const Scenario<S>& scenario, std::size_t action, Edit edit, Edit other = {}) {
  Scenario<S> out = scenario;
  refit_one<S>(out, action, edit, other);
  return out;
}

/// The scenario with an action of another kind in place of one, with the kind's default values; made lawful. If these are
/// not possible there, the action is missing.
template <System S>
Scenario<S> with_action_kind(const Scenario<S>& scenario, std::size_t action, std::size_t kind) {
  Scenario<S> out = scenario;
  out.actions[action] = alternative<typename S::Action>(kind);
  refit_one<S>(out, action, Edit{});
  return out;
}

/// Lowers all numbers from a value on, or that value negated, by the same amount.
class LowerNumbers : public Visitor<LowerNumbers> {
 public:
  LowerNumbers(Number from, Number by) : from_{from}, by_{by} {}

  template <class T>
  void size(std::string_view, T&, Number, Number) {}
  template <class T>
  void number(std::string_view, T& value, Number, Number) {
    const auto now = static_cast<Number>(value);
    if (now >= from_) value = static_cast<T>(now - by_);
    else if (now <= -from_) value = static_cast<T>(now + by_);
  }
  void board(std::string_view, Grid&, int, int, const Alphabet&) {}
  template <class C, class Item>
  void list(std::string_view, C& items, int, int, Item&& describe_item) {
    for (auto& item : items) describe_item(*this, item);
  }

 private:
  Number from_, by_;
};

/// The scenario with all its numbers from `from` on lowered by `by`; dimensions stay. 0 < by ≤ from.
template <System S>
Scenario<S> with_numbers_lowered(const Scenario<S>& scenario, Number from, Number by) {
  Scenario<S> out = scenario;
  LowerNumbers lower{from, by};
  visit_setup<S>(lower, out.setup);
  Past<S> past{scenario.setup};
  for (std::size_t i = 0; i < out.actions.size(); ++i) {
    visit_action<S>(lower, past, out.actions[i]);
    past.add(scenario.actions[i]);
  }
  refit<S>(out);
  return out;
}

template <System S>
ListNumbers setup_numbers(const typename S::Setup& setup) {
  ListNumbers list;
  read_setup<S>(list, setup);
  list.mark_spans(spans_of_setup<S>(list.fields.size(), setup));
  return list;
}

template <System S>
ListNumbers action_numbers(const Scenario<S>& scenario, std::size_t action) {
  ListNumbers list;
  const Past<S> past = past_of<S>(scenario, action);
  read_action<S>(list, past, scenario.actions[action]);
  list.mark_spans(spans_of_action<S>(list.fields.size(), past, scenario.actions[action]));
  return list;
}

inline std::vector<Number> distances_of(const ListNumbers& numbers) {
  std::vector<Number> out;
  for (const NumberField& field : numbers.fields) out.push_back(field.value - field.simplest);
  return out;
}

/// The scenario with one number of the setup set, and the others at the same distances from the simplest ones of their
/// bounds: a range moves as a whole.
template <System S>
Scenario<S> with_setup_moved(const Scenario<S>& scenario, Edit edit) {
  Scenario<S> out = scenario;
  ListNumbers list;
  read_setup<S>(list, scenario.setup);
  Fit fit{edit, distances_of(list)};
  visit_setup<S>(fit, out.setup);
  refit<S>(out);
  return out;
}

/// The same for a number of an action.
template <System S>
Scenario<S> with_action_moved(const Scenario<S>& scenario, std::size_t action, Edit edit) {
  Scenario<S> out = scenario;
  ListNumbers list;
  read_action<S>(list, past_of<S>(scenario, action), scenario.actions[action]);
  refit_actions<S>(
      out, [](std::size_t) { return false; },
      [&](std::size_t i) { return i == action ? Fit{edit, distances_of(list)} : Fit{}; });
  return out;
}

/// The scenario with one number of the setup set, and the numbers of actions at the same distances from the simplest ones
/// of their bounds, which may depend on the setup.
template <System S>
Scenario<S> with_origin(const Scenario<S>& scenario, Edit edit) {
  std::vector<std::vector<Number>> distances;
  Past<S> past{scenario.setup};
  for (const auto& action : scenario.actions) {
    ListNumbers list;
    read_action<S>(list, past, action);
    past.add(action);
    distances.push_back(distances_of(list));
  }
  Scenario<S> out = scenario;
  Fit setup_fit{edit};
  visit_setup<S>(setup_fit, out.setup);
  normalise<S>(out.setup);
  refit_actions<S>(out, [](std::size_t) { return false; }, [&](std::size_t i) { return Fit{distances[i]}; });
  return out;
}

/// The numbers that occur more than once with the same name and value, in the order of their second occurrence. They may
/// have to stay equal for the failure: lowered one at a time, none of them moves.
template <System S>
std::vector<NumberField> equal_numbers(const Scenario<S>& scenario) {
  ListNumbers list;
  read_setup<S>(list, scenario.setup);
  read_actions<S>(list, scenario);
  std::vector<NumberField> out;
  std::map<std::pair<std::string_view, Number>, int> occurrences;
  for (const NumberField& field : list.fields) {
    if (field.distance() == 0 || field.dimension) continue;
    if (++occurrences[{field.name, field.value}] == 2) out.push_back(field);
  }
  return out;
}

/// The scenario with all numbers that equal a field in name and value set.
template <System S>
Scenario<S> with_equal_numbers(const Scenario<S>& scenario, const NumberField& field, Number value,
                               bool exchange = false) {
  Scenario<S> out = scenario;
  refit<S>(out, EqualEdit{field.name, field.value, value, exchange});
  return out;
}

/// The distinct magnitudes of all numbers but dimensions and zeros, increasing. Empty if there are more than 64.
template <System S>
std::vector<Number> magnitudes_of(const Scenario<S>& scenario) {
  constexpr std::size_t many = 64;
  ListNumbers list;
  read_setup<S>(list, scenario.setup);
  read_actions<S>(list, scenario);
  std::vector<Number> out;
  for (const NumberField& field : list.fields) {
    if (!field.dimension && field.value != 0) out.push_back(field.value < 0 ? -field.value : field.value);
  }
  std::ranges::sort(out);
  out.erase(std::ranges::unique(out).begin(), out.end());
  if (out.size() > many) out.clear();
  return out;
}

/// Numbers the one-step reductions of a scenario, and calls try_one on those that are smaller than it, from number `first`
/// on, until try_one returns true. Each function returns whether it did.
template <System S, class TryOne>
class OneStepReductions {
 public:
  OneStepReductions(const Scenario<S>& scenario, std::size_t first, TryOne& try_one)
      : scenario_{scenario}, size_{size_of<S>(scenario)}, first_{first}, try_one_{try_one} {}

  bool any() {
    for (std::size_t i = scenario_.actions.size(); i-- > 0;) {
      if (taken([&] { return without_actions<S>(scenario_, i, 1); })) return true;
    }
    if (setup_part() || setup_number()) return true;
    for (std::size_t a = 0; a < scenario_.actions.size(); ++a) {
      if (action_part(a) || action_number(a)) return true;
    }
    return several_numbers();
  }

  /// The number of the reduction that was taken.
  std::size_t number() const { return number_ - 1; }

 private:
  /// Reductions before `first` are counted, not built.
  bool taken(auto&& build) {
    if (number_++ < first_) return false;
    const Scenario<S> candidate = build();
    return smaller<S>(candidate, scenario_, size_) && try_one_(candidate);
  }

  bool setup_part() {
    const Parts parts = parts_of<S>(scenario_.setup);
    for (std::size_t i = 0; i < parts.items; ++i) {
      if (taken([&] { return with_parts<S>(scenario_, item_remover(i, 1)); })) return true;
    }
    for (const NestedValue nested : parts.nested) {
      if (taken([&] { return with_parts<S>(scenario_, EditParts{nested}); })) return true;
    }
    for (std::size_t i = 0; i < parts.neighbours; ++i) {
      if (taken([&] { return with_parts<S>(scenario_, EditParts::joining(i)); })) return true;
    }
    for (const auto& cell : parts.occupied) {
      if (taken([&] { return with_cells<S>(scenario_, {&cell, 1}, 0); })) return true;
      if (cell.second > 1 && taken([&] { return with_cells<S>(scenario_, {&cell, 1}, 1); })) return true;
    }
    return false;
  }

  bool setup_number() {
    const ListNumbers numbers = setup_numbers<S>(scenario_.setup);
    for (std::size_t i = 0; i < numbers.fields.size(); ++i) {
      const NumberField& field = numbers.fields[i];
      if (field.decides_span) {
        if (taken([&] { return with_setup_moved<S>(scenario_, {i, field.nearer(1)}); })) return true;
        if (taken([&] { return edited({i, field.farther(1)}); })) return true;
      }
      if (field.distance() == 0) continue;
      const Edit edit{i, field.nearer(1)};
      if (field.dimension) {
        if (dimension(edit, numbers)) return true;
        continue;
      }
      if (taken([&] { return edited(edit); })) return true;
      if (field.negatable && taken([&] { return edited({i, -field.value}); })) return true;
    }
    return false;
  }

  /// A dimension is lowered. The board's new shape shows whether it governs rows, columns or both.
  bool dimension(Edit edit, const ListNumbers& numbers) {
    const ListNumbers reshaped = setup_numbers<S>(edited(edit).setup);
    const int rows = reshaped.rows < numbers.rows ? numbers.rows : 1;
    const int columns = reshaped.columns < numbers.columns ? numbers.columns : 1;
    for (int row = rows - 1; row >= 0; --row) {
      for (int column = columns - 1; column >= 0; --column) {
        const auto gone_row = rows > 1 ? std::optional{Dropped{row, 1}} : std::nullopt;
        const auto gone_column = columns > 1 ? std::optional{Dropped{column, 1}} : std::nullopt;
        if (taken([&] { return edited(edit, gone_row, gone_column); })) return true;
      }
    }
    return false;
  }

  Scenario<S> edited(Edit edit, std::optional<Dropped> row = {}, std::optional<Dropped> column = {}) const {
    Scenario<S> out = scenario_;
    refit<S>(out, edit, row, column);
    return out;
  }

  bool action_part(std::size_t a) {
    const Parts parts = action_parts<S>(scenario_, a);
    const auto taken_with = [&](auto&& edit) {
      return taken([&] { return with_action_parts<S>(scenario_, a, edit()); });
    };
    for (std::size_t i = 0; i < parts.items; ++i) {
      if (taken_with([&] { return item_remover(i, 1); })) return true;
    }
    for (const NestedValue nested : parts.nested) {
      if (taken_with([&] { return EditParts{nested}; })) return true;
    }
    for (std::size_t i = 0; i < parts.neighbours; ++i) {
      if (taken_with([&] { return EditParts::joining(i); })) return true;
    }
    for (const auto& [cell, value] : parts.occupied) {
      if (taken_with([&] { return cell_lowerer(cell, 0); })) return true;
      if (value > 1 && taken_with([&] { return cell_lowerer(cell, 1); })) return true;
    }
    return false;
  }

  bool action_number(std::size_t a) {
    const ListNumbers numbers = action_numbers<S>(scenario_, a);
    for (std::size_t i = 0; i < numbers.fields.size(); ++i) {
      const NumberField& field = numbers.fields[i];
      if (field.decides_span) {
        if (taken([&] { return with_action_moved<S>(scenario_, a, {i, field.nearer(1)}); })) return true;
        if (taken([&] { return with_action_number<S>(scenario_, a, {i, field.farther(1)}); })) return true;
      }
      if (field.distance() == 0) continue;
      if (taken([&] { return with_action_number<S>(scenario_, a, {i, field.nearer(1)}); })) return true;
      if (field.negatable && taken([&] { return with_action_number<S>(scenario_, a, {i, -field.value}); })) return true;
    }
    return false;
  }

  /// Numbers that change together.
  bool several_numbers() {
    for (const NumberField& field : equal_numbers<S>(scenario_)) {
      for (const bool exchange : {false, true}) {
        if (taken([&] { return with_equal_numbers<S>(scenario_, field, field.nearer(1), exchange); })) return true;
      }
    }
    for (const Number magnitude : magnitudes_of<S>(scenario_)) {
      if (taken([&] { return with_numbers_lowered<S>(scenario_, magnitude, 1); })) return true;
    }
    return false;
  }

  const Scenario<S>& scenario_;
  Size size_;
  std::size_t first_;
  TryOne& try_one_;
  std::size_t number_ = 0;
};

/// Calls try_one on each one-step reduction that is smaller than the scenario, from number `first` on, until try_one
/// returns true. Returns the number of that reduction, or nullopt. The numbering changes little from a scenario to its
/// reductions, so that a caller that takes one can continue with the next number.
template <System S, class TryOne>
std::optional<std::size_t> reduction_from(const Scenario<S>& scenario, std::size_t first, TryOne&& try_one) {
  OneStepReductions<S, std::remove_reference_t<TryOne>> reductions{scenario, first, try_one};
  if (!reductions.any()) return std::nullopt;
  return reductions.number();
}

/// Calls try_one on each one-step reduction that is smaller than the scenario, until it returns true. Returns whether
/// it did.
template <System S, class TryOne>
bool any_reduction(const Scenario<S>& scenario, TryOne&& try_one) {
  return reduction_from<S>(scenario, 0, try_one).has_value();
}

}  // namespace lockstep
