// Enumerates every action that a setup allows, from the described bounds.
//
// The visitor is an odometer: each number that it visits is a digit with bounds of its own, which may depend on the
// digits before it. Fields come in the described order; the last one changes fastest.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "lockstep/describe.hpp"

namespace lockstep {

/// Sets the fields that it visits to the values of its digits.
class Enumerate : public Visitor<Enumerate> {
 public:
  template <class T>
  void number(std::string_view, T& value, std::int64_t lo, std::int64_t hi) {
    value = static_cast<T>(digit(lo, hi));
  }
  void board(std::string_view, Grid& grid, int rows, int columns, const Alphabet& alphabet) {
    grid = Grid{rows, columns};
    for (auto& cell : grid.cells) cell = static_cast<std::uint8_t>(digit(0, alphabet.size - 1));
  }
  template <class T, class Item>
  void list(std::string_view, std::vector<T>& items, int lo, int hi, Item&& describe_item) {
    items.resize(static_cast<std::size_t>(digit(lo, hi)));
    for (auto& item : items) describe_item(*this, item);
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
    std::int64_t value;
    std::int64_t hi;
  };

  std::int64_t digit(std::int64_t lo, std::int64_t hi) {
    if (visited_ == digits_.size()) digits_.push_back({lo, hi});
    return digits_[visited_++].value;
  }

  std::vector<Digit> digits_;
  std::size_t visited_ = 0;
};

/// Exploration refuses a position with more actions than this.
inline constexpr std::size_t enumerated_actions_max = 1'000'000;

/// Appends all actions of one kind (its index in the variant). Throws std::length_error if there are too many.
template <System S>
void enumerate_kind(const typename S::Setup& setup, std::size_t kind, std::vector<typename S::Action>& out) {
  Enumerate odometer;
  do {
    if (out.size() == enumerated_actions_max) {
      throw std::length_error{"there are more than " + std::to_string(enumerated_actions_max) +
                              " actions in one position: leave the widest kind out"};
    }
    typename S::Action action = alternative<typename S::Action>(kind);
    visit_action<S>(odometer, setup, action);
    out.push_back(std::move(action));
  } while (odometer.advance());
}

/// Whether actions of this kind have no fields: they query the state or advance the system.
template <System S>
bool is_question(std::size_t kind) {
  const auto action = alternative<typename S::Action>(kind);
  return std::visit([](const auto& a) { return std::is_empty_v<std::remove_cvref_t<decltype(a)>>; }, action);
}

}  // namespace lockstep
