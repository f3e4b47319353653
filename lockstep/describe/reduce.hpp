// All one-step reductions of a scenario: the definition of "minimal".
//
// A scenario is 1-minimal for a failure if none of its reductions fails in the same way:
//   one action removed; one item of a list or sequence, or one character of a text, removed; a sequence or set appended to
//   the one before it in a sequence of these; a value of a described type replaced by one of that type inside it, as an
//   expression by an operand; one cell emptied or lowered by one; one number of the setup or of an action moved by one
//   towards the simplest of its range, or a negative one negated (for a dimension: with any row and any column removed);
//   a real replaced by the next one of fewer digits or bits on either side;
//   a number that a span (measure.hpp) follows moved by one with it, 8 9 becomes 7 8, or away from the simplest by one
//   without it, 0 9 becomes 1 9;
//   all equal numbers of one name moved by one together, as two actions on the same key need it, or exchanged with those
//   that have the next value: 1 0 1 becomes 0 1 0; all numbers from a value on lowered by one together: 2 5 6 with 5
//   becomes 2 4 5 (unless there are more than 64 different ones).
// Each reduction is made lawful again (fit.hpp), so it may change more than it names. Only results that are smaller by
// measure.hpp count, so shrinking terminates.
#pragma once

#include <any>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <vector>

#include "lockstep/base/random.hpp"
#include "lockstep/describe/fit.hpp"
#include "lockstep/describe/measure.hpp"

namespace lockstep {

/// One number field: its value, the simplest value of its range and whether it is a dimension of the board.
struct NumberField {
  Number value;
  Number simplest;
  Number lo, hi;
  bool dimension;
  bool real;       // the rank of a real's magnitude
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
class ListNumbers : public Fields {
 public:
  std::vector<NumberField> fields;
  int rows = 0;     // of the largest board
  int columns = 0;  // likewise

  void visit_number(std::string_view name, Number& value, Number lo, Number hi, const NumberAs& as) override;
  void board(std::string_view name, Grid& grid, int rows, int columns, const Alphabet& alphabet) override;
  void visit_list(std::string_view, Items& items, int, int) override { items.visit_all(*this); }

  void mark_spans(const std::vector<bool>& spans);
};

/// The indices of two compound values of one type, the second of which is inside the first.
struct NestedValue {
  std::size_t outer = std::numeric_limits<std::size_t>::max();
  std::size_t inner = std::numeric_limits<std::size_t>::max();
};

/// Edits the cells, items and compound values of a setup or an action, each by its running number: an item or value comes
/// before those inside it.
class EditParts final : public Fields {
 public:
  /// Calls `cell` with the number and a reference for every cell, and removes the items for which `drop` is true. Null: no
  /// cell, no item. Sets a number first, which may decide how many items there are.
  explicit EditParts(std::function<void(std::size_t, std::uint8_t&)> cell,
                     std::function<bool(std::size_t)> drop = nullptr, Edit edit = {})
      : cell_{std::move(cell)}, drop_{std::move(drop)}, edit_{edit} {}
  /// Replaces the outer value by the inner one.
  explicit EditParts(NestedValue lifted) : lifted_{lifted} {}

  /// Appends a sequence to its neighbour in front of it: number `joined` of those that have one.
  static EditParts joining(std::size_t joined) {
    EditParts out{NestedValue{}};
    out.joined_ = joined;
    return out;
  }

  void visit_number(std::string_view, Number& value, Number lo, Number hi, const NumberAs&) override {
    if (numbers_++ == edit_.field) value = std::clamp(edit_.value, lo, hi);
  }
  void board(std::string_view name, Grid& grid, int rows, int columns, const Alphabet& alphabet) override;
  void visit_list(std::string_view name, Items& items, int lo, int hi) override;
  void visit_variant(std::string_view name, Alternatives& value) override {
    compound(value, [&] { Fields::visit_variant(name, value); });
  }
  void visit_contents(Contents& value) override {
    compound(value, [&] { value.visit(*this); });
  }

  std::size_t item_count() const { return items_; }
  std::size_t neighbours() const { return neighbours_; }
  const std::vector<NestedValue>& nested() const { return nested_; }

 private:
  void compound(Contents& value, FunctionRef<void()> visit_inside);

  std::function<void(std::size_t, std::uint8_t&)> cell_;
  std::function<bool(std::size_t)> drop_;
  Edit edit_;
  std::size_t numbers_ = 0;
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

/// The number of an action; none: the setup.
using Place = std::optional<std::size_t>;

/// The running number and value of a cell that is not empty.
using OccupiedCell = std::pair<std::size_t, std::uint8_t>;

/// The parts of a setup or an action that can be removed, or can take the place of others.
struct Parts {
  std::vector<OccupiedCell> occupied;
  std::size_t items = 0;
  std::vector<NestedValue> nested;
  std::size_t neighbours = 0;  // sequences that another one in the same sequence precedes
};

Parts parts_at(const AnyScenario& scenario, Place place);
ListNumbers numbers_at(const AnyScenario& scenario, Place place);

/// A visitor that removes a range of items, and sets a number.
EditParts item_remover(std::size_t first, std::size_t count, Edit edit = {});
/// A visitor that sets a cell.
EditParts cell_setter(std::size_t cell, std::uint8_t value);

/// The scenario with some cells of the setup emptied; made lawful.
AnyScenario with_cells_emptied(const AnyScenario& scenario, std::span<const OccupiedCell> cells);

/// The scenario with the parts of one place edited; made lawful, as is what follows.
AnyScenario with_parts(const AnyScenario& scenario, Place place, EditParts edit);

/// The scenario with one or two numbers of one place set.
AnyScenario with_numbers(const AnyScenario& scenario, Place place, Edit edit, Edit other = {});

/// The scenario with a dimension of its setup lowered. A board that has fewer rows then loses `gone`, or likewise columns.
AnyScenario with_dimension(const AnyScenario& scenario, Edit edit, Dropped gone);

/// The scenario with one number set, and the others in the same place at the same distances from the simplest ones of their
/// bounds: a range moves as a whole.
AnyScenario with_moved(const AnyScenario& scenario, Place place, Edit edit);

/// The scenario with the simplest values in place of `count` numbers of one place.
AnyScenario with_simplest(const AnyScenario& scenario, Place place, std::size_t first, std::size_t count);

AnyScenario without_actions(const AnyScenario& scenario, std::size_t first, std::size_t count);

/// The scenario with an action of another kind in place of one, with the kind's default values; made lawful. If these are
/// not possible there, the action is missing.
AnyScenario with_action_kind(const AnyScenario& scenario, std::size_t action, std::size_t kind);

/// The scenario with all its numbers from `from` on, or those negated, lowered by `by`; dimensions stay. 0 < by ≤ from.
AnyScenario with_numbers_lowered(const AnyScenario& scenario, Number from, Number by);

/// The scenario with one number of the setup set, and the numbers of actions at the same distances from the simplest ones
/// of their bounds, which may depend on the setup.
AnyScenario with_origin(const AnyScenario& scenario, Edit edit);

/// The numbers that occur more than once with the same name and value, in the order of their second occurrence. They may
/// have to stay equal for the failure: lowered one at a time, none of them moves.
std::vector<NumberField> equal_numbers(const AnyScenario& scenario);

/// The scenario with all numbers that equal a field in name and value set.
AnyScenario with_equal_numbers(const AnyScenario& scenario, const NumberField& field, Number value,
                               bool exchange = false);

/// The distinct magnitudes of all numbers but dimensions and zeros, increasing. Empty if there are more than 64.
std::vector<Number> magnitudes_of(const AnyScenario& scenario);

/// The scenario with one change: an action or item removed, a number changed, equal numbers renamed, all numbers from a
/// value on lowered by one, or two actions exchanged. It may be larger, or the same.
AnyScenario with_drawn_change(Random& random, const AnyScenario& scenario);

/// Calls try_one on each one-step reduction that is smaller than the scenario, from number `first` on, until try_one
/// returns true. Returns the number of that reduction, or nullopt. The numbering changes little from a scenario to its
/// reductions, so that a caller that takes one can continue with the next number.
std::optional<std::size_t> reduction_from(const AnyScenario& scenario, std::size_t first,
                                          FunctionRef<bool(const AnyScenario&)> try_one);

}  // namespace lockstep
