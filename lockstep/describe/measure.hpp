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
#include <utility>
#include <vector>

#include "lockstep/describe/describe.hpp"
#include "lockstep/describe/scenario.hpp"

namespace lockstep {

struct Size {
  std::uint64_t actions = 0;
  std::uint64_t occupied = 0;
  std::uint64_t area = 0;
  Number spans = 0;   // sum of lengths
  Number fields = 0;  // sum of magnitudes
  auto operator<=>(const Size&) const = default;
};

/// Calls a function with each number of what is visited: its value, its bounds and what it stands for.
template <class Use>
class EachNumber final : public Fields {
 public:
  explicit EachNumber(Use use) : use_{std::move(use)} {}

  void visit_number(std::string_view name, Number& value, Number lo, Number hi, const NumberAs& as) override {
    use_(name, value, lo, hi, as);
  }
  void board(std::string_view, Grid&, int, int, const Alphabet&) override {}
  void visit_list(std::string_view, Items& items, int, int) override { items.visit_all(*this); }
  void visit_value(std::string_view name, FunctionRef<void(Fields&, std::string_view)> value) override {
    value(*this, name);
  }

 private:
  Use use_;
};

/// Which of the `count` numbers of the setup or of an action are spans. `visit` applies a visitor to a copy of it.
std::vector<bool> spans_among(std::size_t count, FunctionRef<void(Fields&)> visit);

Size size_of(const AnyScenario& scenario);

/// The number of cells of the setup's boards.
std::uint64_t area_of(const AnyScenario& scenario);

/// Whether a scenario is smaller than another one, whose size is given. A strict order without endless descents.
bool smaller(const AnyScenario& scenario, const AnyScenario& other, const Size& other_size);

}  // namespace lockstep
