// The size of a scenario, by what a reader notices first: fewer actions, then fewer non-empty cells (list items count
// as cells), then a smaller board, then a smaller sum of magnitudes; at last, of the first numbers that differ, the one
// nearer to 0, and of n and −n the positive one.
//
// Magnitudes do not depend on bounds. A rank inside them would: of two numbers lo ≤ hi, lowering lo raises hi's rank.
#pragma once

#include <compare>
#include <cstdint>
#include <utility>
#include <vector>

#include "lockstep/describe.hpp"

namespace lockstep {

struct Size {
  std::uint64_t actions = 0;
  std::uint64_t occupied = 0;
  std::uint64_t area = 0;
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

template <System S>
Size size_of(const Scenario<S>& scenario) {
  Measure measure;
  read_setup<S>(measure, scenario.setup);
  read_actions<S>(measure, scenario);
  measure.total.actions = scenario.actions.size();
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
  return size != other_size ? size < other_size : ranks_of<S>(scenario) < ranks_of<S>(other);
}

}  // namespace lockstep
