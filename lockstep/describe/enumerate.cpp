#include "lockstep/describe/enumerate.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "lockstep/base/error.hpp"
#include "lockstep/describe/describe.hpp"

namespace lockstep {
namespace {

constexpr Number whole_max = Number{1} << 53;

/// Sets the fields that it visits to the values of its digits: an odometer. Each number that it visits is a digit with bounds
/// of its own, which may depend on the digits before it. The bounds are those of actions of the kind.
class Enumerate final : public Fields {
 public:
  Enumerate(std::span<const Bound> bounds, std::string_view kind) : bounds_{bounds}, kind_{kind} {}

  void visit_number(std::string_view name, Number& value, Number lo, Number hi, const NumberAs&) override {
    if (const Digit* const digit = narrowed_digit(name, lo, hi)) value = digit->value;
  }
  /// With a bound: the whole numbers inside it.
  void visit_real(std::string_view name, double& value, Bounds bounds, bool single) override {
    auto [lo, hi] = narrowed(name, -whole_max, whole_max);
    if (lo == -whole_max && hi == whole_max) return Fields::visit_real(name, value, bounds, single);
    if (bounds) {
      const auto whole = [](double bound) {
        return static_cast<Number>(std::clamp(bound, -static_cast<double>(whole_max), static_cast<double>(whole_max)));
      };
      lo = std::max(lo, whole(std::ceil(bounds->first)));
      hi = std::min(hi, whole(std::floor(bounds->second)));
    }
    if (const Digit* const digit = next_digit(lo, hi)) value = static_cast<double>(digit->value);
  }
  void visit_optional(std::string_view name, Items& value) override {
    value.resize(0);
    const Digit* const given = next_digit(0, 1);
    if (given == nullptr || given->value == 0) return;
    around(name);
    value.resize(1);
    value.visit(0, *this);
  }
  void visit_variant(std::string_view name, Alternatives& value) override {
    const Digit* const index = next_digit(0, static_cast<Number>(value.count()) - 1);
    if (index == nullptr) return;
    around(name);
    value.select(static_cast<std::size_t>(index->value));
    value.visit(*this);
  }
  void visit_record(std::string_view name, FunctionRef<void(Fields&)> fields) override {
    around(name);
    fields(*this);
  }
  void board(std::string_view name, Grid& grid, int rows, int columns, const Alphabet& alphabet) override {
    grid = Grid{rows, columns};
    for (auto& cell : grid.cells) {
      if (const Digit* const digit = narrowed_digit(name, 0, alphabet.size - 1)) {
        cell = static_cast<std::uint8_t>(digit->value);
      }
    }
  }
  void visit_list(std::string_view name, Items& items, int lo, int hi) override {
    const Digit* const size = narrowed_digit(name, lo, hi);
    items.resize(size == nullptr ? 0 : static_cast<std::size_t>(size->value));
    if (items.size() == 0) return;
    around(name);
    const std::string item_name = bounds_.empty() ? std::string{} : around_ + ".item";
    for (std::size_t i = 0; i < items.size(); ++i) {
      around_ = item_name;
      items.visit(i, *this);
    }
  }

  /// Advances to the next values. False after the last ones.
  bool advance() {
    visited_ = 0;
    while (!digits_.empty() && digits_.back().value == digits_.back().hi) digits_.pop_back();
    if (digits_.empty()) return false;
    ++digits_.back().value;
    return true;
  }

 private:
  struct Digit {
    Number value;
    Number hi;
  };

  /// Names the nameless values that follow.
  void around(std::string_view name) {
    if (!bounds_.empty() && !name.empty()) around_ = name;
  }
  std::pair<Number, Number> narrowed(std::string_view name, Number lo, Number hi) {
    around(name);
    for (const Bound& bound : bounds_) {
      const std::string_view of = bound.name;
      const bool of_kind = of.size() == kind_.size() + 1 + around_.size() && of.starts_with(kind_) &&
                           of[kind_.size()] == '.' && of.ends_with(around_);
      if (of != around_ && !of_kind) continue;
      lo = std::max(lo, bound.lo);
      hi = std::min(hi, bound.hi);
    }
    return {lo, hi};
  }
  const Digit* narrowed_digit(std::string_view name, Number lo, Number hi) {
    if (!bounds_.empty()) std::tie(lo, hi) = narrowed(name, lo, hi);
    return next_digit(lo, hi);
  }
  /// Null if the action is impossible with the digits so far: then the later ones don't matter.
  const Digit* next_digit(Number lo, Number hi) {
    if (impossible() || empty_range(lo, hi)) return nullptr;
    if (visited_ == digits_.size()) digits_.push_back({lo, hi});
    return &digits_[visited_++];
  }

  std::span<const Bound> bounds_;
  std::string_view kind_;
  std::string around_;  // the last name, if there are bounds
  std::vector<Digit> digits_;
  std::size_t visited_ = 0;
};

}  // namespace

void enumerate_kind(std::size_t kind, AnyScenario& out, std::span<const Bound> bounds) {
  const std::string_view name = out.vocabulary().kinds()[kind].name;
  Enumerate odometer{bounds, name};
  out.grow_alternatives([&](AnyScenario::TryAction try_one) {
    std::size_t size = out.size();
    std::size_t tried = 0;  // impossible ones too
    do {
      if (size == enumerated_actions_max || tried++ == 16 * enumerated_actions_max) {
        throw BadInput{"there are more than " + std::to_string(enumerated_actions_max) +
                       " actions in one position: narrow the fields of '" + std::string{name} +
                       "', or leave that kind out"};
      }
      if (try_one(kind, odometer)) ++size;
    } while (odometer.advance());
  });
}

}  // namespace lockstep
