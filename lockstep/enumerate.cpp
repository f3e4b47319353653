#include "lockstep/enumerate.hpp"

#include <cmath>
#include <tuple>

#include "lockstep/error.hpp"

namespace lockstep {
namespace {

constexpr Number whole_max = Number{1} << 53;

}  // namespace

void Enumerate::visit_number(std::string_view name, Number& value, Number lo, Number hi, const NumberAs&) {
  if (const Digit* const digit = narrowed_digit(name, lo, hi)) value = digit->value;
}

void Enumerate::visit_real(std::string_view name, double& value, Bounds bounds, bool single) {
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

void Enumerate::visit_optional(std::string_view name, Items& value) {
  value.resize(0);
  const Digit* const given = next_digit(0, 1);
  if (given == nullptr || given->value == 0) return;
  around(name);
  value.resize(1);
  value.visit(0, *this);
}

void Enumerate::visit_variant(std::string_view name, Alternatives& value) {
  const Digit* const index = next_digit(0, static_cast<Number>(value.count()) - 1);
  if (index == nullptr) return;
  around(name);
  value.select(static_cast<std::size_t>(index->value));
  value.visit(*this);
}

void Enumerate::visit_record(std::string_view name, FunctionRef<void(Fields&)> fields) {
  around(name);
  fields(*this);
}

void Enumerate::board(std::string_view name, Grid& grid, int rows, int columns, const Alphabet& alphabet) {
  grid = Grid{rows, columns};
  for (auto& cell : grid.cells) {
    if (const Digit* const digit = narrowed_digit(name, 0, alphabet.size - 1)) {
      cell = static_cast<std::uint8_t>(digit->value);
    }
  }
}

void Enumerate::visit_list(std::string_view name, Items& items, int lo, int hi) {
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

bool Enumerate::advance() {
  visited_ = 0;
  while (!digits_.empty() && digits_.back().value == digits_.back().hi) digits_.pop_back();
  if (digits_.empty()) return false;
  ++digits_.back().value;
  return true;
}

std::pair<Number, Number> Enumerate::narrowed(std::string_view name, Number lo, Number hi) {
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

const Enumerate::Digit* Enumerate::narrowed_digit(std::string_view name, Number lo, Number hi) {
  if (!bounds_.empty()) std::tie(lo, hi) = narrowed(name, lo, hi);
  return next_digit(lo, hi);
}

const Enumerate::Digit* Enumerate::next_digit(Number lo, Number hi) {
  if (impossible() || empty_range(lo, hi)) return nullptr;
  if (visited_ == digits_.size()) digits_.push_back({lo, hi});
  return &digits_[visited_++];
}

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
