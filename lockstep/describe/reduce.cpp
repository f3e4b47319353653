#include "lockstep/describe/reduce.hpp"

#include <map>

namespace lockstep {

void ListNumbers::visit_number(std::string_view name, Number& value, Number lo, Number hi, const NumberAs& as) {
  fields.push_back({.value = value,
                    .simplest = lockstep::simplest(lo, hi),
                    .lo = lo,
                    .hi = hi,
                    .dimension = as.role == Role::size,
                    .real = as.role == Role::rank,
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
  if (!cell_) return;
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
    const std::size_t number = items_++;
    if (drop_ && drop_(number) && items.size() > least) items.erase(i);
    else items.visit(i++, *this);
  }
}

void EditParts::compound(Contents& value, FunctionRef<void()> visit_inside) {
  const std::size_t number = values_++;
  for (const auto& [outer, type] : around_) {
    if (*type == value.type()) nested_.push_back({outer, number});
  }
  around_.emplace_back(number, &value.type());
  visit_inside();
  around_.pop_back();
  if (number == lifted_.inner) inside_ = value.copy();
  if (number == lifted_.outer) value.assign(std::move(inside_));
}

EditParts item_remover(std::size_t first, std::size_t count, Edit edit) {
  return EditParts{nullptr, [=](std::size_t i) { return i >= first && i - first < count; }, edit};
}

EditParts cell_setter(std::size_t cell, std::uint8_t value) {
  return EditParts{[=](std::size_t i, std::uint8_t& at) {
    if (i == cell) at = value;
  }};
}

namespace {

void read_at(const AnyScenario& scenario, Place place, Fields& io) {
  if (place) scenario.read_action(*place, io);
  else scenario.read_setup(io);
}

constexpr auto removes_nothing = [](std::size_t) { return false; };

/// The scenario with a visitor applied to one place, and all others back inside their bounds and laws.
AnyScenario refitted(AnyScenario scenario, Place place, Fit fit = {}) {
  if (place) {
    refit_one(scenario, *place, std::move(fit));
  } else {
    scenario.visit_setup(fit);
    scenario.normalise();
    refit_actions(scenario, removes_nothing, [](std::size_t) { return Fit{}; });
  }
  return scenario;
}

std::vector<Number> distances_of(const ListNumbers& numbers) {
  std::vector<Number> out;
  for (const NumberField& field : numbers.fields) out.push_back(field.value - field.simplest);
  return out;
}

std::vector<Number> distances_at(const AnyScenario& scenario, Place place) {
  ListNumbers list;
  read_at(scenario, place, list);
  return distances_of(list);
}

ListNumbers all_numbers(const AnyScenario& scenario) {
  ListNumbers list;
  scenario.read_setup(list);
  scenario.read_actions(list);
  return list;
}

}  // namespace

Parts parts_at(const AnyScenario& scenario, Place place) {
  Parts out;
  EditParts list{[&](std::size_t i, std::uint8_t& value) {
    if (value != 0) out.occupied.emplace_back(i, value);
  }};
  read_at(scenario, place, list);
  out.items = list.item_count();
  out.nested = list.nested();
  out.neighbours = list.neighbours();
  return out;
}

ListNumbers numbers_at(const AnyScenario& scenario, Place place) {
  ListNumbers list;
  if (!place) {
    scenario.read_setup(list);
    list.mark_spans(spans_among(list.fields.size(), [&](Fields& io) { scenario.visit_copy_of_setup(io); }));
    return list;
  }
  scenario.at_action(*place, [&](const AnyScenario::VisitAction& visit) {
    visit(list);
    list.mark_spans(spans_among(list.fields.size(), [&](Fields& io) { visit.copy(io); }));
  });
  return list;
}

AnyScenario with_cells_emptied(const AnyScenario& scenario, std::span<const OccupiedCell> cells) {
  std::size_t next = 0;
  return with_parts(scenario, {}, EditParts{[&](std::size_t i, std::uint8_t& value) {
                      if (next == cells.size() || cells[next].first != i) return;
                      value = 0;
                      ++next;
                    }});
}

AnyScenario with_parts(const AnyScenario& scenario, Place place, EditParts edit) {
  AnyScenario out = scenario;
  if (place) out.visit_action(*place, edit);
  else out.visit_setup(edit);
  return refitted(std::move(out), place);
}

AnyScenario with_numbers(const AnyScenario& scenario, Place place, Edit edit, Edit other) {
  return refitted(scenario, place, Fit{edit, other});
}

AnyScenario with_dimension(const AnyScenario& scenario, Edit edit, Dropped gone) {
  const ListNumbers was = numbers_at(scenario, {});
  const ListNumbers is = numbers_at(with_numbers(scenario, {}, edit), {});
  AnyScenario out = scenario;
  refit(out, edit, is.rows < was.rows ? std::optional{gone} : std::nullopt,
        is.columns < was.columns ? std::optional{gone} : std::nullopt);
  return out;
}

AnyScenario with_moved(const AnyScenario& scenario, Place place, Edit edit) {
  return refitted(scenario, place, Fit{edit, distances_at(scenario, place)});
}

AnyScenario with_simplest(const AnyScenario& scenario, Place place, std::size_t first, std::size_t count) {
  std::vector<Number> distances = distances_at(scenario, place);
  std::ranges::fill(std::span{distances}.subspan(first, count), Number{0});
  return refitted(scenario, place, Fit{std::move(distances)});
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

AnyScenario with_action_kind(const AnyScenario& scenario, std::size_t action, std::size_t kind) {
  AnyScenario out = scenario;
  out.set_action(action, kind);
  refit_one(out, action);
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

/// Another value of a number: the simplest, a neighbour, one of the scenario's other numbers, or a small one.
Number drawn_value(Random& random, const NumberField& field, const std::vector<NumberField>& all) {
  switch (random.below(4)) {
    case 0: return field.simplest;
    case 1: return field.value + random.between(-1, 1);
    case 2: return random.pick(all).value;
    default: return field.lo <= 0 && field.hi >= 0 ? random.between(-4, 4) : field.simplest + random.between(-4, 4);
  }
}

}  // namespace

AnyScenario with_drawn_change(Random& random, const AnyScenario& scenario) {
  const std::size_t size = scenario.size();
  // Most systems have a setup that is empty or small.
  Place place;
  if (const std::uint64_t at = random.below(2 + size); at < size) place = at;
  else if (size > 0 && at == size) place = random.below(size);
  ListNumbers numbers;
  read_at(scenario, place, numbers);
  const std::vector<NumberField>& fields = numbers.fields;
  switch (random.below(6)) {
    case 0:
    case 1: {
      const std::size_t items = parts_at(scenario, place).items;
      if (items > 0 && (size < 2 || random.chance(1, 2)))
        return with_parts(scenario, place, item_remover(random.below(items), 1));
      return place && size > 1 ? without_actions(scenario, *place, 1) : scenario;
    }
    case 2:
    case 3: {
      if (fields.empty()) return scenario;
      const std::size_t i = random.below(fields.size());
      return with_numbers(scenario, place, {i, drawn_value(random, fields[i], all_numbers(scenario).fields)});
    }
    case 4: {
      if (fields.empty()) return scenario;
      const NumberField& field = random.pick(fields);
      if (random.chance(1, 2) && field.value != 0) {
        return with_numbers_lowered(scenario, field.value < 0 ? -field.value : field.value, 1);
      }
      const Number value = drawn_value(random, field, all_numbers(scenario).fields);
      return with_equal_numbers(scenario, field, value, random.chance(1, 2));
    }
    default: {
      if (size < 2) return scenario;
      AnyScenario out = scenario;
      const std::size_t one = random.below(size);
      out.swap(one, random.below(size));
      refit(out);
      return out;
    }
  }
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
    if (at({})) return true;
    for (std::size_t a = 0; a < scenario_.size(); ++a) {
      if (at(a)) return true;
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

  /// Of the setup or an action.
  bool at(Place place) { return part(place) || number(place); }

  bool part(Place place) {
    const Parts parts = parts_at(scenario_, place);
    const auto edited = [&](const auto& edit) { return taken([&] { return with_parts(scenario_, place, edit()); }); };
    for (std::size_t i = 0; i < parts.items; ++i) {
      if (edited([&] { return item_remover(i, 1); })) return true;
    }
    for (const NestedValue nested : parts.nested) {
      if (edited([&] { return EditParts{nested}; })) return true;
    }
    for (std::size_t i = 0; i < parts.neighbours; ++i) {
      if (edited([&] { return EditParts::joining(i); })) return true;
    }
    for (const auto& [cell, value] : parts.occupied) {
      if (edited([&] { return cell_setter(cell, 0); })) return true;
      if (value > 1 && edited([&] { return cell_setter(cell, static_cast<std::uint8_t>(value - 1)); })) return true;
    }
    return false;
  }

  bool number(Place place) {
    const ListNumbers numbers = numbers_at(scenario_, place);
    for (std::size_t i = 0; i < numbers.fields.size(); ++i) {
      const NumberField& field = numbers.fields[i];
      const auto set = [&](Number value) { return taken([&] { return with_numbers(scenario_, place, {i, value}); }); };
      if (field.decides_span) {
        if (taken([&] { return with_moved(scenario_, place, {i, field.nearer(1)}); })) return true;
        if (set(field.farther(1))) return true;
      }
      if (field.distance() == 0) continue;
      // Dimensions are those of boards in the setup.
      if (field.dimension && !place) {
        if (dimension({i, field.nearer(1)}, numbers)) return true;
        continue;
      }
      if (field.real) {
        for (const std::uint64_t rank : floating::simpler_ranks(static_cast<std::uint64_t>(field.value))) {
          if (set(rank)) return true;
        }
      }
      if (set(field.nearer(1))) return true;
      if (field.negatable && set(-field.value)) return true;
    }
    return false;
  }

  /// A dimension is lowered. The board's new shape shows whether it governs rows, columns or both.
  bool dimension(Edit edit, const ListNumbers& numbers) {
    const ListNumbers reshaped = numbers_at(with_numbers(scenario_, {}, edit), {});
    const int rows = reshaped.rows < numbers.rows ? numbers.rows : 1;
    const int columns = reshaped.columns < numbers.columns ? numbers.columns : 1;
    for (int row = rows - 1; row >= 0; --row) {
      for (int column = columns - 1; column >= 0; --column) {
        const auto gone_row = rows > 1 ? std::optional{Dropped{row, 1}} : std::nullopt;
        const auto gone_column = columns > 1 ? std::optional{Dropped{column, 1}} : std::nullopt;
        const auto without = [&] {
          AnyScenario out = scenario_;
          refit(out, edit, gone_row, gone_column);
          return out;
        };
        if (taken(without)) return true;
      }
    }
    return false;
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
