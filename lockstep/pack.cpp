#include "lockstep/pack.hpp"

namespace lockstep {

void Pack::visit_number(std::string_view, Number& value, Number lo, Number hi, const NumberAs&) {
  const std::uint64_t above = rank_of(value, lo, hi);
  out_.put(above != 0 ? 1 : 0, 1);
  if (above != 0) out_.put(above, packing::bits_for(static_cast<std::uint64_t>(hi - lo)));
}

void Pack::board(std::string_view, Grid& grid, int, int, const Alphabet&) {
  std::uint8_t any = 0;
  for (const auto cell : grid.cells) any |= cell;
  const unsigned bits = packing::bits_for(any);
  out_.put(bits, 4);
  for (const auto cell : grid.cells) out_.put(cell, bits);
}

void Pack::visit_list(std::string_view name, Items& items, int lo, int hi) {
  std::size_t count = items.size();
  number(name, count, lo, hi);
  items.visit_all(*this);
}

void Unpack::visit_number(std::string_view, Number& value, Number lo, Number hi, const NumberAs&) {
  const bool above = in_.get(1) != 0;
  const std::uint64_t rank = above ? in_.get(packing::bits_for(static_cast<std::uint64_t>(hi - lo))) : 0;
  value = number_of_rank(rank, lo, hi);
}

void Unpack::board(std::string_view, Grid& grid, int rows, int columns, const Alphabet&) {
  if (grid.rows != rows || grid.columns != columns) grid = Grid{rows, columns};
  const auto bits = static_cast<unsigned>(in_.get(4));
  for (auto& cell : grid.cells) cell = static_cast<std::uint8_t>(in_.get(bits));
}

void Unpack::visit_list(std::string_view name, Items& items, int lo, int hi) {
  std::size_t count = 0;
  number(name, count, lo, hi);
  items.resize(count);
  items.visit_all(*this);
}

void pack(const AnyScenario& scenario, std::vector<std::uint8_t>& out) {
  out.clear();
  Pack visitor{out};
  scenario.read_setup(visitor);
}

void unpack(std::span<const std::uint8_t> bytes, AnyScenario& out) {
  Unpack visitor{bytes};
  out.visit_setup(visitor);
}

}  // namespace lockstep
