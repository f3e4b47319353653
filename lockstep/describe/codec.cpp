#include "lockstep/describe/codec.hpp"

#include <algorithm>

namespace lockstep {
namespace codec {

void Encoder::visit_number(std::string_view, Number& value, Number lo, Number hi, const NumberAs&) {
  put(rank_of(value, lo, hi), static_cast<std::uint64_t>(hi - lo));
}

void Encoder::visit_small(std::string_view, std::int64_t& value, std::int64_t lo, std::int64_t hi, const NumberAs&) {
  put(rank_of(value, lo, hi), static_cast<std::uint64_t>(hi - lo));
}

void Encoder::board(std::string_view, Grid& grid, int rows, int columns, const Alphabet& alphabet) {
  const std::size_t width = static_cast<std::size_t>(columns);
  std::size_t first = 0;
  while (first < grid.cells.size() && grid.cells[first] == 0) ++first;
  const std::size_t stored = static_cast<std::size_t>(rows) - (width == 0 ? 0 : first / width);
  put(stored, static_cast<std::uint64_t>(rows));
  const int per_byte = cells_per_byte(alphabet.size);
  for (std::size_t i = grid.cells.size() - stored * width; i < grid.cells.size();) {
    unsigned packed = 0;
    unsigned place = 1;
    for (int k = 0; k < per_byte && i < grid.cells.size(); ++k, ++i) {
      packed += grid.cells[i] * place;
      place *= static_cast<unsigned>(alphabet.size);
    }
    put(packed, 0xff);
  }
}

void Encoder::visit_list(std::string_view, Items& items, int lo, int hi) {
  put(items.size() - static_cast<std::size_t>(lo), static_cast<std::uint64_t>(hi - lo));
  items.visit_all(*this);
}

void Encoder::put(std::uint64_t value, std::uint64_t span) {
  if (out_.size() - end_ < 8) out_.resize(2 * end_ + 64);
  // Always eight bytes, which is one store; those that are not needed are overwritten.
  std::uint8_t* const to = out_.data() + end_;
  for (int i = 0; i < 8; ++i) to[i] = static_cast<std::uint8_t>(value >> (8 * i));
  end_ += static_cast<std::size_t>(byte_width(span));
}

void Decoder::visit_number(std::string_view, Number& value, Number lo, Number hi, const NumberAs&) {
  if (empty_range(lo, hi)) return;
  value = number_of_rank(get(static_cast<std::uint64_t>(hi - lo)), lo, hi);
}

void Decoder::visit_small(std::string_view, std::int64_t& value, std::int64_t lo, std::int64_t hi, const NumberAs&) {
  if (empty_range(lo, hi)) return;
  value = number_of_rank(get(static_cast<std::uint64_t>(hi - lo)), lo, hi);
}

/// The rank knows no bounds: a value whose rank stays may still be outside of them.
void Decoder::visit_real(std::string_view name, double& value, Bounds bounds, bool single) {
  if (bounds && empty_range(bounds->first, bounds->second)) return;
  Fields::visit_real(name, value, bounds, single);
  value = floating::real_within(value, bounds);
}

void Decoder::board(std::string_view, Grid& grid, int rows, int columns, const Alphabet& alphabet) {
  grid = Grid{rows, columns};
  const std::size_t stored = get(static_cast<std::uint64_t>(rows));
  const int per_byte = cells_per_byte(alphabet.size);
  const unsigned radix = static_cast<unsigned>(alphabet.size);
  for (std::size_t i = grid.cells.size() - stored * static_cast<std::size_t>(columns); i < grid.cells.size();) {
    unsigned packed = byte();
    for (int k = 0; k < per_byte && i < grid.cells.size(); ++k, ++i, packed /= radix) {
      grid.cells[i] = static_cast<std::uint8_t>(packed % radix);
    }
  }
}

void Decoder::visit_list(std::string_view, Items& items, int lo, int hi) {
  if (empty_range(lo, hi)) return;
  const std::size_t size = static_cast<std::size_t>(lo) + get(static_cast<std::uint64_t>(hi - lo));
  // A long list needs the bytes of its items, if they have any: a few bytes must not ask for gigabytes.
  constexpr std::size_t trusted = 4096;
  const std::size_t asked = asked_;
  items.resize(0);
  items.resize(std::min(size, std::max(trusted, static_cast<std::size_t>(lo))));
  items.visit_all(*this);
  while (items.size() < size && (!at_end() || asked_ == asked)) {
    items.resize(items.size() + 1);
    items.visit(items.size() - 1, *this);
  }
}

std::uint64_t Decoder::get(std::uint64_t span) {
  std::uint64_t raw = 0;
  for (int i = 0; i < byte_width(span); ++i) raw |= static_cast<std::uint64_t>(byte()) << (8 * i);
  return span == ~std::uint64_t{0} ? raw : raw % (span + 1);
}

}  // namespace codec

void encode(const AnyScenario& scenario, Bytes& out) {
  out.clear();
  codec::Encoder encoder{out};
  scenario.read_setup(encoder);
  scenario.read_actions(encoder);
}

void decode(std::span<const std::uint8_t> bytes, AnyScenario& out) {
  codec::Decoder decoder{bytes};
  out.visit_setup(decoder);
  out.normalise();
  out.truncate(0);
  const std::size_t kinds = out.vocabulary().kinds().size();
  out.grow([&](AnyScenario::TryAction try_one) {
    while (!decoder.at_end()) try_one(decoder.byte() % kinds, decoder);
  });
}

Bytes encoded(const AnyScenario& scenario) {
  Bytes out;
  encode(scenario, out);
  return out;
}

AnyScenario decoded(const Vocabulary& system, std::span<const std::uint8_t> bytes) {
  AnyScenario out = system.scenario();
  decode(bytes, out);
  return out;
}

void encode_setup(const AnyScenario& scenario, Bytes& out) {
  out.clear();
  codec::Encoder encoder{out};
  scenario.read_setup(encoder);
}

void decode_setup(std::span<const std::uint8_t> bytes, AnyScenario& out) {
  codec::Decoder decoder{bytes};
  out.visit_setup(decoder);
}

}  // namespace lockstep
