// Scenarios as bytes, for byte-oriented engines.
//
// Decoding is total: every byte string, including the empty one, is a valid scenario. Missing bytes read as 0, and 0 is
// the simplest value of every field. encode(decode(b)) decodes to the same scenario. Bytes carry no version and are
// no storage format: they are valid inside one campaign of one build.
//
//   number  its rank (numbers.hpp; value − lo if lo ≥ 0), little endian, in the fewest of 1, 2, 4 or 8 bytes that hold
//           hi − lo
//   board   the number of stored rows, counted from the bottom (a number), then the cells of those rows,
//           several to a byte in radix alphabet.size
//   list    its length (a number), then its items
//   action  its kind (one byte), then its fields; actions continue to the end of the bytes. Actions that cannot occur
//           in their place are left out.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "lockstep/describe.hpp"

namespace lockstep {

using Bytes = std::vector<std::uint8_t>;

/// Bytes as they are written to a file, and those that were read from one. Views: nothing is copied.
inline std::string_view as_chars(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
inline std::span<const std::uint8_t> bytes_in(std::string_view chars) {
  return {reinterpret_cast<const std::uint8_t*>(chars.data()), chars.size()};
}

namespace codec {

constexpr int byte_width(std::uint64_t span) {
  return span <= 0xff ? 1 : span <= 0xffff ? 2 : span <= 0xffff'ffff ? 4 : 8;
}

/// The number of cells that fit into one byte: the largest k with radixᵏ ≤ 256.
constexpr int cells_per_byte(int radix) {
  int k = 1;
  for (int power = radix; power * radix <= 256; power *= radix) ++k;
  return k;
}

class Encoder : public Visitor<Encoder> {
 public:
  explicit Encoder(Bytes& out) : out_{out} {}

  template <class T>
  void number(std::string_view, const T& value, Number lo, Number hi) {
    put(rank_of(static_cast<Number>(value), lo, hi), static_cast<std::uint64_t>(hi - lo));
  }

  void board(std::string_view, const Grid& grid, int rows, int columns, const Alphabet& alphabet) {
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
      out_.push_back(static_cast<std::uint8_t>(packed));
    }
  }

  template <class C, class Item>
  void list(std::string_view, C& items, int lo, int hi, Item&& describe_item) {
    put(items.size() - static_cast<std::size_t>(lo), static_cast<std::uint64_t>(hi - lo));
    for (auto& item : items) describe_item(*this, item);
  }

 private:
  void put(std::uint64_t value, std::uint64_t span) {
    for (int i = 0; i < byte_width(span); ++i) out_.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  }
  Bytes& out_;
};

class Decoder : public Visitor<Decoder> {
 public:
  explicit Decoder(std::span<const std::uint8_t> bytes) : bytes_{bytes} {}

  bool at_end() const { return position_ >= bytes_.size(); }
  std::uint8_t byte() {
    ++asked_;
    return at_end() ? std::uint8_t{0} : bytes_[position_++];
  }

  template <class T>
  void number(std::string_view, T& value, Number lo, Number hi) {
    if (empty_range(lo, hi)) return;
    value = static_cast<T>(number_of_rank(get(static_cast<std::uint64_t>(hi - lo)), lo, hi));
  }

  /// The rank knows no bounds: a value whose rank stays may still be outside of them.
  template <class T>
  void any_real(std::string_view name, T& value, std::optional<std::pair<double, double>> bounds) {
    if (bounds && this->empty_range(bounds->first, bounds->second)) return;
    Visitor::any_real(name, value, bounds);
    value = static_cast<T>(floating::real_within(static_cast<double>(value), bounds));
  }

  void board(std::string_view, Grid& grid, int rows, int columns, const Alphabet& alphabet) {
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

  template <class C, class Item>
  void list(std::string_view, C& items, int lo, int hi, Item&& describe_item) {
    if (empty_range(lo, hi)) return;
    const std::size_t size = static_cast<std::size_t>(lo) + get(static_cast<std::uint64_t>(hi - lo));
    // A long list needs the bytes of its items, if they have any: a few bytes must not ask for gigabytes.
    constexpr std::size_t trusted = 4096;
    const std::size_t asked = asked_;
    items.clear();
    items.resize(std::min(size, std::max(trusted, static_cast<std::size_t>(lo))));
    for (auto& item : items) describe_item(*this, item);
    while (items.size() < size && (!at_end() || asked_ == asked)) {
      items.resize(items.size() + 1);
      describe_item(*this, items.back());
    }
  }

 private:
  /// Reads a number from 0 to span: the bytes modulo span + 1.
  std::uint64_t get(std::uint64_t span) {
    std::uint64_t raw = 0;
    for (int i = 0; i < byte_width(span); ++i) raw |= static_cast<std::uint64_t>(byte()) << (8 * i);
    return span == ~std::uint64_t{0} ? raw : raw % (span + 1);
  }

  std::span<const std::uint8_t> bytes_;
  std::size_t position_ = 0;
  std::size_t asked_ = 0;  // how many bytes were read, with those beyond the end
};

}  // namespace codec

template <System S>
void encode(const Scenario<S>& scenario, Bytes& out) {
  static_assert(action_kinds<typename S::Action> <= 256);
  out.clear();
  codec::Encoder encoder{out};
  read_setup<S>(encoder, scenario.setup);
  Past<S> past{scenario.setup};
  for (const auto& action : scenario.actions) {
    out.push_back(static_cast<std::uint8_t>(action.index()));
    read_action<S>(encoder, past, action);
    past.add(action);
  }
}

template <System S>
Bytes encode(const Scenario<S>& scenario) {
  Bytes out;
  encode<S>(scenario, out);
  return out;
}

template <System S>
void decode(std::span<const std::uint8_t> bytes, Scenario<S>& out) {
  codec::Decoder decoder{bytes};
  visit_setup<S>(decoder, out.setup);
  normalise<S>(out.setup);
  out.actions.clear();
  Past<S> past{out.setup};
  while (!decoder.at_end()) {
    auto& action =
        out.actions.emplace_back(alternative<typename S::Action>(decoder.byte() % action_kinds<typename S::Action>));
    if (visit_action<S>(decoder, past, action)) past.add(action);
    else out.actions.pop_back();
  }
}

template <System S>
Scenario<S> decode(std::span<const std::uint8_t> bytes) {
  Scenario<S> out;
  decode<S>(bytes, out);
  return out;
}

}  // namespace lockstep
