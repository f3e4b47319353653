#include "lockstep/describe/describe.hpp"

#include <cmath>

namespace lockstep {

void Fields::visit_small(std::string_view name, std::int64_t& value, std::int64_t lo, std::int64_t hi,
                         const NumberAs& as) {
  Number wide = value;
  visit_number(name, wide, lo, hi, as);
  // Half of `wide` is compared: all 16 bytes would be loaded before the two halves are stored.
  if (const auto now = static_cast<std::int64_t>(wide); now != value) value = now;
}

void Fields::visit_real(std::string_view name, double& value, Bounds bounds, bool single) {
  int sign = std::signbit(value) ? 1 : 0;
  std::uint64_t rank = floating::rank_of(std::abs(value), single);
  const auto before = std::pair{sign, rank};
  number(name, sign, 0, 1);
  any_number(name, rank, 0, std::numeric_limits<std::uint64_t>::max(), plain<std::uint64_t, Role::rank>);
  if (before == std::pair{sign, rank}) return;  // always for a reading visitor
  value = floating::real_within(sign != 0 ? -floating::of_rank(rank) : floating::of_rank(rank), bounds);
}

void Fields::visit_text(std::string_view name, std::string& value, int lo, int hi, const Text& of) {
  auto symbols = of.symbols_of(value);
  list(name, symbols, lo, hi,
       [&of](Fields& io, std::uint32_t& symbol) { io.number("", symbol, 0, static_cast<Number>(of.size()) - 1); });
  std::string next = of.text_of(symbols);
  if (next != value) value = std::move(next);
}

void Fields::visit_optional(std::string_view name, Items& value) {
  const bool before = value.size() != 0;
  bool given = before;
  flag(name, given);
  if (given != before) value.resize(given ? 1 : 0);
  if (given) value.visit(0, *this);
}

void Fields::visit_variant(std::string_view name, Alternatives& value) {
  std::size_t index = value.index();
  const Number last = too_deep() ? 0 : static_cast<Number>(value.count()) - 1;
  any_number(name, index, 0, last, plain<std::size_t, Role::tag>);
  if (index != value.index()) value.select(index);
  value.visit(*this);
}

void Fields::visit_record(std::string_view, FunctionRef<void(Fields&)> fields) { fields(*this); }

void Fields::sequence_of(std::string_view name, Items& items, int lo, int hi) {
  lo = std::max(lo, 0);
  ++depth_;
  visit_items(name, items, lo, too_deep() ? std::min(lo, hi) : hi);
  --depth_;
}

}  // namespace lockstep
