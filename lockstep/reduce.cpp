#include "lockstep/reduce.hpp"

#include <map>

namespace lockstep {

void ListNumbers::visit_number(std::string_view name, Number& value, Number lo, Number hi, const NumberAs& as) {
  fields.push_back({.value = value,
                    .simplest = lockstep::simplest(lo, hi),
                    .lo = lo,
                    .hi = hi,
                    .dimension = as.role == Role::size,
                    .negatable = value < 0 && -value <= hi,
                    .name = std::string{name}});
}

void ListNumbers::board(std::string_view, Grid& grid, int, int, const Alphabet&) {
  rows = std::max(rows, grid.rows);
  columns = std::max(columns, grid.columns);
}

void ListNumbers::mark_spans(const std::vector<bool>& spans) {
  bool later = false;
  for (std::size_t i = fields.size(); i-- > 0;) {
    fields[i].decides_span = later && !fields[i].dimension;
    fields[i].span = spans[i];
    later = later || spans[i];
  }
}

void EditParts::board(std::string_view, Grid& grid, int, int, const Alphabet&) {
  for (auto& value : grid.cells) cell_(cells_++, value);
}

void EditParts::visit_list(std::string_view, Items& items, int lo, int) {
  const auto least = static_cast<std::size_t>(lo);
  if (items.holds_sequences()) {
    for (std::size_t i = 1; i < items.size(); ++i) {
      if (neighbours_++ == joined_ && items.size() != least) items.join(i);
    }
  }
  for (std::size_t i = 0; i < items.size();) {
    if (drop_(items_++) && items.size() > least) items.erase(i);
    else items.visit(i++, *this);
  }
}

void EditParts::visit_contents(Contents& value) {
  const std::size_t number = values_++;
  for (const auto& [outer, type] : around_) {
    if (*type == value.type()) nested_.push_back({outer, number});
  }
  around_.emplace_back(number, &value.type());
  value.visit(*this);
  around_.pop_back();
  if (number == lifted_.inner) inside_ = value.copy();
  if (number == lifted_.outer) value.assign(std::move(inside_));
}

EditParts item_remover(std::size_t first, std::size_t count) {
  return {[](std::size_t, std::uint8_t&) {}, [=](std::size_t i) { return i >= first && i - first < count; }};
}

namespace {

/// Lowers one cell by `lowered_by`, or empties it if that is 0.
EditParts cell_lowerer(std::size_t cell, int lowered_by) {
  return {[=](std::size_t i, std::uint8_t& value) {
            if (i == cell) value = static_cast<std::uint8_t>(lowered_by == 0 ? 0 : value - lowered_by);
          },
          [](std::size_t) { return false; }};
}

Parts parts_by(FunctionRef<void(Fields&)> read) {
  Parts out;
  EditParts list{[&](std::size_t i, std::uint8_t& value) {
                   if (value != 0) out.occupied.emplace_back(i, value);
                 },
                 [](std::size_t) { return false; }};
  read(list);
  out.items = list.item_count();
  out.nested = list.nested();
  out.neighbours = list.neighbours();
  return out;
}

std::vector<Number> distances_of(const ListNumbers& numbers) {
  std::vector<Number> out;
  for (const NumberField& field : numbers.fields) out.push_back(field.value - field.simplest);
  return out;
}

ListNumbers all_numbers(const AnyScenario& scenario) {
  ListNumbers list;
  scenario.read_setup(list);
  scenario.read_actions(list);
  return list;
}

constexpr auto removes_nothing = [](std::size_t) { return false; };

}  // namespace

Parts parts_of(const AnyScenario& scenario) {
  return parts_by([&](Fields& io) { scenario.read_setup(io); });
}

Parts action_parts(const AnyScenario& scenario, std::size_t action) {
  return parts_by([&](Fields& io) { scenario.read_action(action, io); });
}

AnyScenario with_cells(const AnyScenario& scenario, std::span<const std::pair<std::size_t, std::uint8_t>> cells,
                       int lowered_by) {
  std::size_t next = 0;
  return with_parts(scenario, {[&](std::size_t i, std::uint8_t& value) {
                                 if (next == cells.size() || cells[next].first != i) return;
                                 value = static_cast<std::uint8_t>(lowered_by == 0 ? 0 : value - lowered_by);
                                 ++next;
                               },
                               removes_nothing});
}

AnyScenario with_parts(const AnyScenario& scenario, EditParts edit) {
  AnyScenario out = scenario;
  out.visit_setup(edit);
  refit(out);
  return out;
}

AnyScenario with_action_parts(const AnyScenario& scenario, std::size_t action, EditParts edit) {
  AnyScenario out = scenario;
  out.visit_action(action, edit);
  refit_one(out, action, Edit{});
  return out;
}

AnyScenario without_actions(const AnyScenario& scenario, std::size_t first, std::size_t count) {
  AnyScenario out = scenario;
  if (!scenario.vocabulary().depends_on_past()) {
    first = std::min(first, out.size());
    out.erase(first, std::min(count, out.size() - first));
    return out;
  }
  refit_actions(out, [=](std::size_t i) { return i >= first && i - first < count; }, [](std::size_t) { return Fit{}; });
  return out;
}

AnyScenario with_action_number(const AnyScenario& scenario, std::size_t action, Edit edit, Edit other) {
  AnyScenario out = scenario;
  refit_one(out, action, edit, other);
  return out;
}

AnyScenario with_action_kind(const AnyScenario& scenario, std::size_t action, std::size_t kind) {
  AnyScenario out = scenario;
  out.set_action(action, kind);
  refit_one(out, action, Edit{});
  return out;
}

AnyScenario with_numbers_lowered(const AnyScenario& scenario, Number from, Number by) {
  AnyScenario out = scenario;
  EachNumber lower{[=](std::string_view, Number& value, Number, Number, const NumberAs& as) {
    if (as.role == Role::size) return;
    if (value >= from) value -= by;
    else if (value <= -from) value += by;
  }};
  out.visit_setup(lower);
  out.visit_actions(lower, scenario);
  refit(out);
  return out;
}

ListNumbers setup_numbers(const AnyScenario& scenario) {
  ListNumbers list;
  scenario.read_setup(list);
  list.mark_spans(spans_of_setup(list.fields.size(), scenario));
  return list;
}

ListNumbers action_numbers(const AnyScenario& scenario, std::size_t action) {
  ListNumbers list;
  scenario.at_action(action, [&](const AnyScenario::VisitAction& visit) {
    visit(list);
    list.mark_spans(spans_of_action(list.fields.size(), visit));
  });
  return list;
}

AnyScenario with_setup_moved(const AnyScenario& scenario, Edit edit) {
  AnyScenario out = scenario;
  ListNumbers list;
  scenario.read_setup(list);
  Fit fit{edit, distances_of(list)};
  out.visit_setup(fit);
  refit(out);
  return out;
}

AnyScenario with_action_moved(const AnyScenario& scenario, std::size_t action, Edit edit) {
  AnyScenario out = scenario;
  ListNumbers list;
  scenario.read_action(action, list);
  refit_actions(out, removes_nothing,
                [&](std::size_t i) { return i == action ? Fit{edit, distances_of(list)} : Fit{}; });
  return out;
}

AnyScenario with_origin(const AnyScenario& scenario, Edit edit) {
  std::vector<std::vector<Number>> distances;
  scenario.read_each([&](std::size_t, const AnyScenario::VisitAction& visit) {
    ListNumbers list;
    visit(list);
    distances.push_back(distances_of(list));
  });
  AnyScenario out = scenario;
  Fit setup_fit{edit};
  out.visit_setup(setup_fit);
  out.normalise();
  refit_actions(out, removes_nothing, [&](std::size_t i) { return Fit{distances[i]}; });
  return out;
}

std::vector<NumberField> equal_numbers(const AnyScenario& scenario) {
  const ListNumbers list = all_numbers(scenario);
  std::vector<NumberField> out;
  std::map<std::pair<std::string_view, Number>, int> occurrences;
  for (const NumberField& field : list.fields) {
    if (field.distance() == 0 || field.dimension) continue;
    if (++occurrences[{field.name, field.value}] == 2) out.push_back(field);
  }
  return out;
}

AnyScenario with_equal_numbers(const AnyScenario& scenario, const NumberField& field, Number value, bool exchange) {
  AnyScenario out = scenario;
  refit(out, EqualEdit{field.name, field.value, value, exchange});
  return out;
}

std::vector<Number> magnitudes_of(const AnyScenario& scenario) {
  constexpr std::size_t many = 64;
  std::vector<Number> out;
  for (const NumberField& field : all_numbers(scenario).fields) {
    if (!field.dimension && field.value != 0) out.push_back(field.value < 0 ? -field.value : field.value);
  }
  std::ranges::sort(out);
  out.erase(std::ranges::unique(out).begin(), out.end());
  if (out.size() > many) out.clear();
  return out;
}

namespace {

/// Numbers the one-step reductions of a scenario, and calls try_one on those that are smaller than it, from number `first`
/// on, until try_one returns true. Each function returns whether it did.
class OneStepReductions {
 public:
  OneStepReductions(const AnyScenario& scenario, std::size_t first, FunctionRef<bool(const AnyScenario&)> try_one)
      : scenario_{scenario}, size_{size_of(scenario)}, first_{first}, try_one_{try_one} {}

  bool any() {
    for (std::size_t i = scenario_.size(); i-- > 0;) {
      if (taken([&] { return without_actions(scenario_, i, 1); })) return true;
    }
    if (in_setup()) return true;
    for (std::size_t a = 0; a < scenario_.size(); ++a) {
      if (in_action(a)) return true;
    }
    return several_numbers();
  }

  /// The number of the reduction that was taken.
  std::size_t number() const { return number_ - 1; }

 private:
  /// Reductions before `first` are counted, not built.
  bool taken(auto&& build) {
    if (number_++ < first_) return false;
    const AnyScenario candidate = build();
    return smaller(candidate, scenario_, size_) && try_one_(candidate);
  }

  /// Of a setup or an action. `with(edit)` returns the scenario with its parts edited.
  bool part(const Parts& parts, FunctionRef<AnyScenario(EditParts)> with) {
    for (std::size_t i = 0; i < parts.items; ++i) {
      if (taken([&] { return with(item_remover(i, 1)); })) return true;
    }
    for (const NestedValue nested : parts.nested) {
      if (taken([&] { return with(EditParts{nested}); })) return true;
    }
    for (std::size_t i = 0; i < parts.neighbours; ++i) {
      if (taken([&] { return with(EditParts::joining(i)); })) return true;
    }
    for (const auto& [cell, value] : parts.occupied) {
      if (taken([&] { return with(cell_lowerer(cell, 0)); })) return true;
      if (value > 1 && taken([&] { return with(cell_lowerer(cell, 1)); })) return true;
    }
    return false;
  }

  /// Likewise. `moved(edit)` moves a span along. Dimensions are those of boards in the setup.
  bool number(const ListNumbers& numbers, bool of_setup, FunctionRef<AnyScenario(Edit)> with,
              FunctionRef<AnyScenario(Edit)> moved) {
    for (std::size_t i = 0; i < numbers.fields.size(); ++i) {
      const NumberField& field = numbers.fields[i];
      if (field.decides_span) {
        if (taken([&] { return moved({i, field.nearer(1)}); })) return true;
        if (taken([&] { return with({i, field.farther(1)}); })) return true;
      }
      if (field.distance() == 0) continue;
      const Edit edit{i, field.nearer(1)};
      if (field.dimension && of_setup) {
        if (dimension(edit, numbers)) return true;
        continue;
      }
      if (taken([&] { return with(edit); })) return true;
      if (field.negatable && taken([&] { return with({i, -field.value}); })) return true;
    }
    return false;
  }

  /// A dimension is lowered. The board's new shape shows whether it governs rows, columns or both.
  bool dimension(Edit edit, const ListNumbers& numbers) {
    const ListNumbers reshaped = setup_numbers(edited(edit));
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

  AnyScenario edited(Edit edit, std::optional<Dropped> row = {}, std::optional<Dropped> column = {}) const {
    AnyScenario out = scenario_;
    refit(out, edit, row, column);
    return out;
  }

  bool in_setup() {
    return part(parts_of(scenario_), [&](EditParts edit) { return with_parts(scenario_, std::move(edit)); }) ||
           number(
               setup_numbers(scenario_), true, [&](Edit edit) { return edited(edit); },
               [&](Edit edit) { return with_setup_moved(scenario_, edit); });
  }

  bool in_action(std::size_t a) {
    return part(action_parts(scenario_, a),
                [&](EditParts edit) { return with_action_parts(scenario_, a, std::move(edit)); }) ||
           number(
               action_numbers(scenario_, a), false, [&](Edit edit) { return with_action_number(scenario_, a, edit); },
               [&](Edit edit) { return with_action_moved(scenario_, a, edit); });
  }

  /// Numbers that change together.
  bool several_numbers() {
    for (const NumberField& field : equal_numbers(scenario_)) {
      for (const bool exchange : {false, true}) {
        if (taken([&] { return with_equal_numbers(scenario_, field, field.nearer(1), exchange); })) return true;
      }
    }
    for (const Number magnitude : magnitudes_of(scenario_)) {
      if (taken([&] { return with_numbers_lowered(scenario_, magnitude, 1); })) return true;
    }
    return false;
  }

  const AnyScenario& scenario_;
  Size size_;
  std::size_t first_;
  FunctionRef<bool(const AnyScenario&)> try_one_;
  std::size_t number_ = 0;
};

}  // namespace

std::optional<std::size_t> reduction_from(const AnyScenario& scenario, std::size_t first,
                                          FunctionRef<bool(const AnyScenario&)> try_one) {
  OneStepReductions reductions{scenario, first, try_one};
  if (!reductions.any()) return std::nullopt;
  return reductions.number();
}

}  // namespace lockstep
