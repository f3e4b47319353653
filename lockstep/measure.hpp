// The size of a scenario, by what a reader notices first: fewer actions, then fewer non-empty cells (list items count
// as cells), then a smaller board, then shorter spans, then a smaller sum of magnitudes; then, of the first numbers that
// differ, the one nearer to 0, and of n and −n the positive one; at last, of the first kinds of actions that differ, the
// one that the system names first.
//
// A span is a number whose bound another number of the same action (or of the setup) decides, as the end of a range that
// its first number decides. Its length is its distance from the simplest value of its bounds. Spans count before
// magnitudes: in a sum of both, lo + (hi − lo) is hi, so that lo could be anything up to hi. All other numbers count by
// their magnitudes, which do not depend on bounds: if times of actions never decrease, each counts by itself.
//
// The order has no endless descents. Actions, cells, area, lengths and magnitudes are natural numbers, and only finitely
// many scenarios have the same ones: the ranks, then the kinds, are compared among these.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "lockstep/describe.hpp"

namespace lockstep {

struct Size {
  std::uint64_t actions = 0;
  std::uint64_t occupied = 0;
  std::uint64_t area = 0;
  Number spans = 0;   // sum of lengths
  Number fields = 0;  // sum of magnitudes
  auto operator<=>(const Size&) const = default;
};

class Measure : public Visitor<Measure> {
 public:
  Size total;

  template <class T>
  void number(std::string_view, const T& value, Number, Number) {
    const auto number = static_cast<Number>(value);
    total.fields += number < 0 ? -number : number;
  }
  void board(std::string_view, const Grid& grid, int, int, const Alphabet&) {
    total.area += grid.cells.size();
    for (const auto cell : grid.cells) {
      total.occupied += cell != 0 ? 1 : 0;
      total.fields += cell;
    }
  }
  template <class C, class Item>
  void list(std::string_view, C& items, int, int, Item&& describe_item) {
    total.occupied += items.size();
    for (auto& item : items) describe_item(*this, item);
  }
};

/// Lists the simplest value of each number, in the order in which they are described, after it has moved all numbers
/// described before it by `distance` from their own simplest values, as far as their bounds allow. Dimensions, choices and
/// flags stay.
class NumbersMoved : public Visitor<NumbersMoved> {
 public:
  explicit NumbersMoved(Number distance) : distance_{distance} {}
  std::vector<Number> simplest;

  template <class T>
  void number(std::string_view, T& value, Number lo, Number hi) {
    const Number from = kept(lo, hi);
    if (this->empty_range(lo, hi)) return;
    value = static_cast<T>(std::clamp(from + distance_, lo, hi));
  }
  template <class T>
  void size(std::string_view, const T&, Number lo, Number hi) {
    kept(lo, hi);
  }
  template <class T>
  void choice(std::string_view, const T&, std::int64_t first, Names names) {
    kept(first, first + static_cast<Number>(names.size()) - 1);
  }
  void flag(std::string_view, bool) { kept(0, 1); }
  template <class... T>
  void variant(std::string_view, std::variant<T...>& value) {
    kept(0, 0);
    std::visit([&](auto& each) { this->contents(each); }, value);
  }
  void board(std::string_view, Grid& grid, int rows, int columns, const Alphabet&) {
    if (grid.rows != rows || grid.columns != columns) grid = Grid{rows, columns};
  }
  template <class C, class Item>
  void list(std::string_view, C& items, int lo, int hi, Item&& describe_item) {
    if (this->empty_range(lo, hi)) return;
    items.resize(std::clamp(items.size(), static_cast<std::size_t>(lo), static_cast<std::size_t>(hi)));
    for (auto& item : items) describe_item(*this, item);
  }

 private:
  Number kept(Number lo, Number hi) {
    simplest.push_back(lo <= hi ? lockstep::simplest(lo, hi) : lo);
    return simplest.back();
  }

  Number distance_;
};

/// How far each number is from the simplest value of its bounds, in the order in which they are described.
class Distances : public Visitor<Distances> {
 public:
  std::vector<Number> list_of;

  template <class T>
  void number(std::string_view, const T& value, Number lo, Number hi) {
    const Number apart = static_cast<Number>(value) - simplest(lo, hi);
    list_of.push_back(apart < 0 ? -apart : apart);
  }
  void board(std::string_view, const Grid&, int, int, const Alphabet&) {}
  template <class C, class Item>
  void list(std::string_view, C& items, int, int, Item&& describe_item) {
    for (auto& item : items) describe_item(*this, item);
  }
};

/// Which of `count` numbers are spans. `visit` applies a visitor to a copy of the setup or the action. If the numbers
/// decide which fields there are, none are seen. Each number is moved up and down: the simplest value of the bounds
/// first..100 changes only while `first` is above 0, that of −100..last only while `last` is below.
template <class Visit>
std::vector<bool> spans_among(std::size_t count, Visit&& visit) {
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
template <System S>
std::vector<bool> spans_of_setup(std::size_t count, const typename S::Setup& setup) {
  return spans_among(count, [&](NumbersMoved& moved) {
    typename S::Setup copy = setup;
    visit_setup<S>(moved, copy);
  });
}
template <System S>
std::vector<bool> spans_of_action(std::size_t count, const Past<S>& past, const typename S::Action& action) {
  return spans_among(count, [&](NumbersMoved& moved) {
    typename S::Action copy = action;
    visit_action<S>(moved, past, copy);
  });
}

/// The sum of the lengths of a scenario's spans.
template <System S>
Number length_of_spans(const Scenario<S>& scenario) {
  Number out = 0;
  // The first number is never a span, and a span of length 0 does not count: then nothing needs to be copied.
  const auto add = [&](const std::vector<Number>& distances, auto&& spans) {
    if (std::ranges::find_if(distances.begin() + (distances.empty() ? 0 : 1), distances.end(),
                             [](Number each) { return each != 0; }) == distances.end()) {
      return;
    }
    const std::vector<bool> is_span = spans(distances.size());
    for (std::size_t i = 0; i < distances.size(); ++i) out += is_span[i] ? distances[i] : 0;
  };
  Distances of_setup;
  read_setup<S>(of_setup, scenario.setup);
  add(of_setup.list_of, [&](std::size_t count) { return spans_of_setup<S>(count, scenario.setup); });
  Past<S> past{scenario.setup};
  for (const auto& action : scenario.actions) {
    Distances of_action;
    read_action<S>(of_action, past, action);
    add(of_action.list_of, [&](std::size_t count) { return spans_of_action<S>(count, past, action); });
    past.add(action);
  }
  return out;
}

template <System S>
Size size_of(const Scenario<S>& scenario) {
  Measure measure;
  read_setup<S>(measure, scenario.setup);
  read_actions<S>(measure, scenario);
  measure.total.actions = scenario.actions.size();
  measure.total.spans = length_of_spans<S>(scenario);
  return measure.total;
}

/// Lists all numbers in the order in which they are described, by how simple they are: 0, 1, −1, 2, −2, …
class RankNumbers : public Visitor<RankNumbers> {
 public:
  std::vector<Number> ranks;

  template <class T>
  void number(std::string_view, const T& value, Number, Number) {
    const auto number = static_cast<Number>(value);
    ranks.push_back(number > 0 ? 2 * number - 1 : -2 * number);
  }
  void board(std::string_view, const Grid&, int, int, const Alphabet&) {}
  template <class C, class Item>
  void list(std::string_view, C& items, int, int, Item&& describe_item) {
    for (auto& item : items) describe_item(*this, item);
  }
};

template <System S>
std::vector<Number> ranks_of(const Scenario<S>& scenario) {
  RankNumbers numbers;
  read_setup<S>(numbers, scenario.setup);
  read_actions<S>(numbers, scenario);
  return std::move(numbers.ranks);
}

/// Whether a scenario is smaller than another one, whose size is given. A strict order without endless descents.
template <System S>
bool smaller(const Scenario<S>& scenario, const Scenario<S>& other, const Size& other_size) {
  const Size size = size_of<S>(scenario);
  if (size != other_size) return size < other_size;
  const auto order = ranks_of<S>(scenario) <=> ranks_of<S>(other);
  if (order != 0) return order < 0;
  const auto kind = [](const typename S::Action& action) { return action.index(); };
  return std::ranges::lexicographical_compare(scenario.actions, other.actions, {}, kind, kind);
}

}  // namespace lockstep
