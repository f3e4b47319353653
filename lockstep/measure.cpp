#include "lockstep/measure.hpp"

#include <algorithm>
#include <utility>

namespace lockstep {

void Measure::visit_number(std::string_view, Number& value, Number, Number, const NumberAs&) {
  total.fields += value < 0 ? -value : value;
}

void Measure::board(std::string_view, Grid& grid, int, int, const Alphabet&) {
  total.area += grid.cells.size();
  for (const auto cell : grid.cells) {
    total.occupied += cell != 0 ? 1 : 0;
    total.fields += cell;
  }
}

void Measure::visit_list(std::string_view, Items& items, int, int) {
  total.occupied += items.size();
  items.visit_all(*this);
}

void NumbersMoved::visit_number(std::string_view, Number& value, Number lo, Number hi, const NumberAs& as) {
  const Number from = lo <= hi ? lockstep::simplest(lo, hi) : lo;
  simplest.push_back(from);
  if (as.role == Role::size || as.role == Role::choice || as.role == Role::tag || empty_range(lo, hi)) return;
  value = std::clamp(from + distance_, lo, hi);
}

void NumbersMoved::board(std::string_view, Grid& grid, int rows, int columns, const Alphabet&) {
  if (grid.rows != rows || grid.columns != columns) grid = Grid{rows, columns};
}

void NumbersMoved::visit_list(std::string_view, Items& items, int lo, int hi) {
  if (empty_range(lo, hi)) return;
  const std::size_t size = std::clamp(items.size(), static_cast<std::size_t>(lo), static_cast<std::size_t>(hi));
  if (size != items.size()) items.resize(size);
  items.visit_all(*this);
}

void Distances::visit_number(std::string_view, Number& value, Number lo, Number hi, const NumberAs&) {
  const Number apart = value - simplest(lo, hi);
  list_of.push_back(apart < 0 ? -apart : apart);
}

void RankNumbers::visit_number(std::string_view, Number& value, Number, Number, const NumberAs&) {
  ranks.push_back(value > 0 ? 2 * value - 1 : -2 * value);
}

std::vector<bool> spans_among(std::size_t count, FunctionRef<void(NumbersMoved&)> visit) {
  std::vector<bool> out(count);
  if (count < 2) return out;
  NumbersMoved simple{0};
  visit(simple);
  if (simple.simplest.size() != count) return out;
  for (const Number distance : {2, -2}) {
    NumbersMoved moved{distance};
    visit(moved);
    if (moved.simplest.size() != count) continue;
    for (std::size_t i = 0; i < count; ++i) out[i] = out[i] || simple.simplest[i] != moved.simplest[i];
  }
  return out;
}

std::vector<bool> spans_of_setup(std::size_t count, const AnyScenario& scenario) {
  return spans_among(count, [&](NumbersMoved& moved) { scenario.visit_copy_of_setup(moved); });
}

std::vector<bool> spans_of_action(std::size_t count, const AnyScenario::VisitAction& action) {
  return spans_among(count, [&](NumbersMoved& moved) { action.copy(moved); });
}

namespace {

/// The sum of the lengths of a scenario's spans.
Number length_of_spans(const AnyScenario& scenario) {
  Number out = 0;
  // The first number is never a span, and a span of length 0 does not count: then nothing needs to be copied.
  const auto add = [&](const std::vector<Number>& distances, FunctionRef<void(NumbersMoved&)> visit) {
    if (std::ranges::find_if(distances.begin() + (distances.empty() ? 0 : 1), distances.end(),
                             [](Number each) { return each != 0; }) == distances.end()) {
      return;
    }
    const std::vector<bool> is_span = spans_among(distances.size(), visit);
    for (std::size_t i = 0; i < distances.size(); ++i) out += is_span[i] ? distances[i] : 0;
  };
  Distances of_setup;
  scenario.read_setup(of_setup);
  add(of_setup.list_of, [&](NumbersMoved& moved) { scenario.visit_copy_of_setup(moved); });
  Distances of_action;
  scenario.read_each([&](std::size_t, const AnyScenario::VisitAction& visit) {
    of_action.list_of.clear();
    visit(of_action);
    add(of_action.list_of, [&](NumbersMoved& moved) { visit.copy(moved); });
  });
  return out;
}

std::vector<Number> ranks_of(const AnyScenario& scenario) {
  RankNumbers numbers;
  scenario.read_setup(numbers);
  scenario.read_actions(numbers);
  return std::move(numbers.ranks);
}

}  // namespace

Size size_of(const AnyScenario& scenario) {
  Measure measure;
  scenario.read_setup(measure);
  scenario.read_actions(measure);
  measure.total.actions = scenario.size();
  measure.total.spans = length_of_spans(scenario);
  return measure.total;
}

bool smaller(const AnyScenario& scenario, const AnyScenario& other, const Size& other_size) {
  const Size size = size_of(scenario);
  if (size != other_size) return size < other_size;
  const auto order = ranks_of(scenario) <=> ranks_of(other);
  if (order != 0) return order < 0;
  const std::size_t common = std::min(scenario.size(), other.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (scenario.kind(i) != other.kind(i)) return scenario.kind(i) < other.kind(i);
  }
  return scenario.size() < other.size();
}

}  // namespace lockstep
