#include "lockstep/describe/measure.hpp"

#include <algorithm>
#include <ranges>

#include "lockstep/describe/fit.hpp"

namespace lockstep {

namespace {

class Measure final : public Fields {
 public:
  Size total;

  void visit_number(std::string_view, Number& value, Number, Number, const NumberAs&) override {
    total.fields += value < 0 ? -value : value;
  }
  void board(std::string_view, Grid& grid, int, int, const Alphabet&) override {
    total.area += grid.cells.size();
    for (const auto cell : grid.cells) {
      total.occupied += cell != 0 ? 1 : 0;
      total.fields += cell;
    }
  }
  void visit_list(std::string_view, Items& items, int, int) override {
    total.occupied += items.size();
    items.visit_all(*this);
  }
};

/// Lists the name and the simplest value of each number, in the order in which they are described, after it has moved all
/// numbers described before it by `distance` from their own simplest values, as far as their bounds allow. Dimensions,
/// choices and flags stay.
class NumbersMoved final : public Fit {
 public:
  explicit NumbersMoved(Number distance) : distance_{distance} {}
  std::vector<std::size_t> names;  // their hashes
  std::vector<Number> simplest;

  void visit_number(std::string_view name, Number& value, Number lo, Number hi, const NumberAs& as) override {
    const Number from = lo <= hi ? lockstep::simplest(lo, hi) : lo;
    names.push_back(std::hash<std::string_view>{}(name));
    simplest.push_back(from);
    if (as.role == Role::size || as.role == Role::choice || as.role == Role::tag || empty_range(lo, hi)) return;
    value = std::clamp(from + distance_, lo, hi);
  }
  void visit_real(std::string_view name, double& value, Bounds bounds, bool single) override {
    Fields::visit_real(name, value, bounds, single);  // also if the bounds are empty
  }
  void board(std::string_view, Grid& grid, int rows, int columns, const Alphabet&) override {
    if (grid.rows != rows || grid.columns != columns) grid = Grid{rows, columns};
  }

 private:
  Number distance_;
};

}  // namespace

/// If the numbers decide which fields there are, no spans are seen: another field may stand in the place of one. Each number
/// is moved up and down: the simplest value of the bounds first..100 changes only while `first` is above 0, that of
/// −100..last only while `last` is below.
std::vector<bool> spans_among(std::size_t count, FunctionRef<void(Fields&)> visit) {
  std::vector<bool> out(count);
  if (count < 2) return out;
  NumbersMoved simple{0};
  visit(simple);
  if (simple.simplest.size() != count) return out;
  for (const Number distance : {2, -2}) {
    NumbersMoved moved{distance};
    visit(moved);
    if (moved.names != simple.names) continue;
    for (std::size_t i = 0; i < count; ++i) out[i] = out[i] || simple.simplest[i] != moved.simplest[i];
  }
  return out;
}

namespace {

/// The sum of the lengths of a scenario's spans.
Number length_of_spans(const AnyScenario& scenario) {
  Number out = 0;
  // The first number is never a span, and a span of length 0 does not count: then nothing needs to be copied.
  const auto add = [&](const std::vector<Number>& distances, FunctionRef<void(Fields&)> visit) {
    if (std::ranges::all_of(distances | std::views::drop(1), [](Number each) { return each == 0; })) return;
    const std::vector<bool> is_span = spans_among(distances.size(), visit);
    for (std::size_t i = 0; i < distances.size(); ++i) out += is_span[i] ? distances[i] : 0;
  };
  std::vector<Number> distances;  // from the simplest values, in the order in which numbers are described
  EachNumber list{[&](std::string_view, Number value, Number lo, Number hi, const NumberAs&) {
    const Number apart = value - simplest(lo, hi);
    distances.push_back(apart < 0 ? -apart : apart);
  }};
  scenario.read_setup(list);
  add(distances, [&](Fields& io) { scenario.visit_copy_of_setup(io); });
  scenario.read_each([&](std::size_t, const AnyScenario::VisitAction& visit) {
    distances.clear();
    visit(list);
    add(distances, [&](Fields& io) { visit.copy(io); });
  });
  return out;
}

/// All numbers in the order in which they are described, by how simple they are: 0, 1, −1, 2, −2, …
std::vector<Number> ranks_of(const AnyScenario& scenario) {
  std::vector<Number> out;
  EachNumber list{[&](std::string_view, Number value, Number, Number, const NumberAs&) {
    out.push_back(value > 0 ? 2 * value - 1 : -2 * value);
  }};
  scenario.read_setup(list);
  scenario.read_actions(list);
  return out;
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

std::uint64_t area_of(const AnyScenario& scenario) {
  Measure measure;
  scenario.read_setup(measure);
  return measure.total.area;
}

bool smaller(const AnyScenario& scenario, const AnyScenario& other, const Size& other_size) {
  const Size size = size_of(scenario);
  if (size != other_size) return size < other_size;
  const auto order = ranks_of(scenario) <=> ranks_of(other);
  if (order != 0) return order < 0;
  for (std::size_t i = 0; i < scenario.size(); ++i) {  // both have as many actions
    if (scenario.kind(i) != other.kind(i)) return scenario.kind(i) < other.kind(i);
  }
  return false;
}

}  // namespace lockstep
