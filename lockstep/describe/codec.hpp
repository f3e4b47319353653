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

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "lockstep/describe/describe.hpp"
#include "lockstep/describe/scenario.hpp"

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

/// Appends to the bytes, which are whole once the encoder is gone.
class Encoder final : public Fields {
 public:
  explicit Encoder(Bytes& out) : out_{out}, end_{out.size()} {}
  ~Encoder() { out_.resize(end_); }

  void visit_number(std::string_view name, Number& value, Number lo, Number hi, const NumberAs& as) override;
  void visit_small(std::string_view name, std::int64_t& value, std::int64_t lo, std::int64_t hi,
                   const NumberAs& as) override;
  void board(std::string_view name, Grid& grid, int rows, int columns, const Alphabet& alphabet) override;
  void visit_list(std::string_view name, Items& items, int lo, int hi) override;
  void visit_kind(std::size_t kind) override { put(kind, 0xff); }

 private:
  void put(std::uint64_t value, std::uint64_t span);
  Bytes& out_;
  std::size_t end_;  // of what is written; the bytes behind it are spare
};

class Decoder final : public Fields {
 public:
  explicit Decoder(std::span<const std::uint8_t> bytes) : bytes_{bytes} {}

  bool at_end() const { return position_ >= bytes_.size(); }
  std::uint8_t byte() {
    ++asked_;
    return at_end() ? std::uint8_t{0} : bytes_[position_++];
  }

  void visit_number(std::string_view name, Number& value, Number lo, Number hi, const NumberAs& as) override;
  void visit_small(std::string_view name, std::int64_t& value, std::int64_t lo, std::int64_t hi,
                   const NumberAs& as) override;
  void visit_real(std::string_view name, double& value, Bounds bounds, bool single) override;
  void board(std::string_view name, Grid& grid, int rows, int columns, const Alphabet& alphabet) override;
  void visit_list(std::string_view name, Items& items, int lo, int hi) override;

 private:
  /// Reads a number from 0 to span: the bytes modulo span + 1.
  std::uint64_t get(std::uint64_t span);

  std::span<const std::uint8_t> bytes_;
  std::size_t position_ = 0;
  std::size_t asked_ = 0;  // how many bytes were read, with those beyond the end
};

}  // namespace codec

/// Replaces `out` by the bytes of the scenario.
void encode(const AnyScenario& scenario, Bytes& out);
Bytes encoded(const AnyScenario& scenario);

/// Replaces the scenario by the one with these bytes.
void decode(std::span<const std::uint8_t> bytes, AnyScenario& out);
AnyScenario decoded(const Vocabulary& system, std::span<const std::uint8_t> bytes);

// The setup alone, for explorers that store millions of them. Equal setups have equal bytes, so that a set of bytes is a
// set of setups, and decoding gives back a lawful setup.
void encode_setup(const AnyScenario& scenario, Bytes& out);
void decode_setup(std::span<const std::uint8_t> bytes, AnyScenario& out);

}  // namespace lockstep
