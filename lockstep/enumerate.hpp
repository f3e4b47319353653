// Enumerates every action that a setup allows, from the described bounds and those that an exploration adds (bounds.hpp).
//
// The visitor is an odometer: each number that it visits is a digit with bounds of its own, which may depend on the
// digits before it. Fields come in the described order; the last one changes fastest.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "lockstep/bounds.hpp"
#include "lockstep/describe.hpp"
#include "lockstep/error.hpp"

namespace lockstep {

/// Sets the fields that it visits to the values of its digits. The bounds are those of actions of the kind.
class Enumerate : public Visitor<Enumerate> {
 public:
  explicit Enumerate(std::span<const Bound> bounds = {}, std::string_view kind = {}) : bounds_{bounds}, kind_{kind} {}

  template <class T>
  void number(std::string_view name, T& value, Number lo, Number hi) {
    if (const Digit* const digit = narrowed_digit(name, lo, hi)) value = static_cast<T>(digit->value);
  }
  /// With a bound: the whole numbers inside it.
  template <class T>
  void any_real(std::string_view name, T& value, std::optional<std::pair<double, double>> bounds) {
    auto [lo, hi] = narrowed(name, -whole_max, whole_max);
    if (lo == -whole_max && hi == whole_max) return Visitor::any_real(name, value, bounds);
    if (bounds) {
      const auto whole = [](double bound) {
        return static_cast<Number>(std::clamp(bound, -static_cast<double>(whole_max), static_cast<double>(whole_max)));
      };
      lo = std::max(lo, whole(std::ceil(bounds->first)));
      hi = std::min(hi, whole(std::floor(bounds->second)));
    }
    if (const Digit* const digit = next_digit(lo, hi)) value = static_cast<T>(digit->value);
  }
  template <class T, class Item>
  void optional(std::string_view name, std::optional<T>& value, Item&& item) {
    value.reset();
    const Digit* const given = next_digit(0, 1);
    if (given == nullptr || given->value == 0) return;
    around(name);
    item(*this, value.emplace());
  }
  template <class... T>
  void variant(std::string_view name, std::variant<T...>& value) {
    const Digit* const index = next_digit(0, static_cast<Number>(sizeof...(T)) - 1);
    if (index == nullptr) return;
    around(name);
    value = alternative<std::variant<T...>>(static_cast<std::size_t>(index->value));
    std::visit([&](auto& each) { contents(each); }, value);
  }
  template <class Fields>
  void record(std::string_view name, Fields&& fields) {
    around(name);
    fields(*this);
  }
  void board(std::string_view name, Grid& grid, int rows, int columns, const Alphabet& alphabet) {
    grid = Grid{rows, columns};
    for (auto& cell : grid.cells) number(name, cell, 0, alphabet.size - 1);
  }
  template <class C, class Item>
  void list(std::string_view name, C& items, int lo, int hi, Item&& describe_item) {
    const Digit* const size = narrowed_digit(name, lo, hi);
    items.resize(size == nullptr ? 0 : static_cast<std::size_t>(size->value));
    if (items.empty()) return;
    around(name);
    const std::string item_name = bounds_.empty() ? std::string{} : around_ + ".item";
    for (auto& item : items) {
      around_ = item_name;
      describe_item(*this, item);
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

  static constexpr Number whole_max = Number{1} << 53;

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

/// Exploration refuses a position with more actions than this.
inline constexpr std::size_t enumerated_actions_max = 1'000'000;

/// Appends all actions of one kind (its index in the variant) that are inside the bounds. Throws BadInput if there are
/// too many.
template <System S>
void enumerate_kind(const typename S::Setup& setup, std::size_t kind, std::vector<typename S::Action>& out,
                    std::span<const Bound> bounds = {}) {
  typename S::Action action = alternative<typename S::Action>(kind);
  const std::string_view name = action_name(action);
  Enumerate odometer{bounds, name};
  const Past<S> past{setup};
  std::size_t tried = 0;  // impossible ones too
  do {
    if (out.size() == enumerated_actions_max || tried++ == 16 * enumerated_actions_max) {
      throw BadInput{"there are more than " + std::to_string(enumerated_actions_max) +
                     " actions in one position: narrow the fields of '" + std::string{name} +
                     "', or leave that kind out"};
    }
    action = alternative<typename S::Action>(kind);
    if (visit_action<S>(odometer, past, action)) out.push_back(std::move(action));
  } while (odometer.advance());
}

/// Whether actions of this kind have no fields: they query the state or advance the system.
template <System S>
bool is_question(std::size_t kind) {
  const auto action = alternative<typename S::Action>(kind);
  return std::visit([](const auto& a) { return std::is_empty_v<std::remove_cvref_t<decltype(a)>>; }, action);
}

}  // namespace lockstep
