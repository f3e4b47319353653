// The size of a scenario, by what a reader notices first: fewer actions, then fewer non-empty cells (list items count
// as cells), then a smaller board, then a smaller sum of fields.
#pragma once

#include <compare>
#include <cstdint>

#include "lockstep/describe.hpp"

namespace lockstep {

struct Size {
  std::uint64_t actions = 0;
  std::uint64_t occupied = 0;
  std::uint64_t area = 0;
  Number fields = 0;  // sum of ranks (numbers.hpp)
  auto operator<=>(const Size&) const = default;
};

class Measure : public Visitor<Measure> {
 public:
  Size total;

  template <class T>
  void number(std::string_view, const T& value, Number lo, Number hi) {
    total.fields += rank_of(static_cast<Number>(value), lo, hi);
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

}  // namespace lockstep
