// Enumerates every action that a setup allows, from the described bounds and those that an exploration adds (bounds.hpp).
//
// The visitor is an odometer: each number that it visits is a digit with bounds of its own, which may depend on the
// digits before it. Fields come in the described order; the last one changes fastest.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/bounds.hpp"
#include "lockstep/describe.hpp"
#include "lockstep/scenario.hpp"

namespace lockstep {

/// Sets the fields that it visits to the values of its digits. The bounds are those of actions of the kind.
class Enumerate final : public Fields {
 public:
  explicit Enumerate(std::span<const Bound> bounds = {}, std::string_view kind = {}) : bounds_{bounds}, kind_{kind} {}

  void visit_number(std::string_view name, Number& value, Number lo, Number hi, const NumberAs& as) override;
  /// With a bound: the whole numbers inside it.
  void visit_real(std::string_view name, double& value, Bounds bounds, bool single) override;
  void visit_optional(std::string_view name, Items& value) override;
  void visit_variant(std::string_view name, Alternatives& value) override;
  void visit_record(std::string_view name, FunctionRef<void(Fields&)> fields) override;
  void board(std::string_view name, Grid& grid, int rows, int columns, const Alphabet& alphabet) override;
  void visit_list(std::string_view name, Items& items, int lo, int hi) override;

  /// Advances to the next values. False after the last ones.
  bool advance();

 private:
  struct Digit {
    Number value;
    Number hi;
  };

  /// Names the nameless values that follow.
  void around(std::string_view name) {
    if (!bounds_.empty() && !name.empty()) around_ = name;
  }
  std::pair<Number, Number> narrowed(std::string_view name, Number lo, Number hi);
  const Digit* narrowed_digit(std::string_view name, Number lo, Number hi);
  /// Null if the action is impossible with the digits so far: then the later ones don't matter.
  const Digit* next_digit(Number lo, Number hi);

  std::span<const Bound> bounds_;
  std::string_view kind_;
  std::string around_;  // the last name, if there are bounds
  std::vector<Digit> digits_;
  std::size_t visited_ = 0;
};

/// Exploration refuses a position with more actions than this.
inline constexpr std::size_t enumerated_actions_max = 1'000'000;

/// Appends all actions of one kind (its number in the vocabulary) that are possible after the setup and inside the bounds.
/// Throws BadInput if there are too many.
void enumerate_kind(std::size_t kind, AnyScenario& out, std::span<const Bound> bounds = {});

}  // namespace lockstep
