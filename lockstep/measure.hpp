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

#include <compare>
#include <cstdint>
#include <string_view>
#include <vector>

#include "lockstep/describe.hpp"
#include "lockstep/scenario.hpp"

namespace lockstep {

struct Size {
  std::uint64_t actions = 0;
  std::uint64_t occupied = 0;
  std::uint64_t area = 0;
  Number spans = 0;   // sum of lengths
  Number fields = 0;  // sum of magnitudes
  auto operator<=>(const Size&) const = default;
};

class Measure final : public Fields {
 public:
  Size total;

  void visit_number(std::string_view name, Number& value, Number lo, Number hi, const NumberAs& as) override;
  void board(std::string_view name, Grid& grid, int rows, int columns, const Alphabet& alphabet) override;
  void visit_list(std::string_view name, Items& items, int lo, int hi) override;
};

/// Lists the simplest value of each number, in the order in which they are described, after it has moved all numbers
/// described before it by `distance` from their own simplest values, as far as their bounds allow. Dimensions, choices and
/// flags stay.
class NumbersMoved final : public Fields {
 public:
  explicit NumbersMoved(Number distance) : distance_{distance} {}
  std::vector<Number> simplest;

  void visit_number(std::string_view name, Number& value, Number lo, Number hi, const NumberAs& as) override;
  void board(std::string_view name, Grid& grid, int rows, int columns, const Alphabet& alphabet) override;
  void visit_list(std::string_view name, Items& items, int lo, int hi) override;

 private:
  Number distance_;
};

/// How far each number is from the simplest value of its bounds, in the order in which they are described.
class Distances final : public Fields {
 public:
  std::vector<Number> list_of;

  void visit_number(std::string_view name, Number& value, Number lo, Number hi, const NumberAs& as) override;
  void board(std::string_view, Grid&, int, int, const Alphabet&) override {}
  void visit_list(std::string_view, Items& items, int, int) override { items.visit_all(*this); }
};

/// Which of `count` numbers are spans. `visit` applies a visitor to a copy of the setup or the action. If the numbers
/// decide which fields there are, none are seen. Each number is moved up and down: the simplest value of the bounds
/// first..100 changes only while `first` is above 0, that of −100..last only while `last` is below.
std::vector<bool> spans_among(std::size_t count, FunctionRef<void(NumbersMoved&)> visit);

std::vector<bool> spans_of_setup(std::size_t count, const AnyScenario& scenario);
std::vector<bool> spans_of_action(std::size_t count, const AnyScenario::VisitAction& action);

Size size_of(const AnyScenario& scenario);

/// Lists all numbers in the order in which they are described, by how simple they are: 0, 1, −1, 2, −2, …
class RankNumbers final : public Fields {
 public:
  std::vector<Number> ranks;

  void visit_number(std::string_view name, Number& value, Number lo, Number hi, const NumberAs& as) override;
  void board(std::string_view, Grid&, int, int, const Alphabet&) override {}
  void visit_list(std::string_view, Items& items, int, int) override { items.visit_all(*this); }
};

/// Whether a scenario is smaller than another one, whose size is given. A strict order without endless descents.
bool smaller(const AnyScenario& scenario, const AnyScenario& other, const Size& other_size);

}  // namespace lockstep
