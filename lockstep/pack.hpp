// Packs setups into as few bytes as their description allows, for explorers that store millions of them.
//
// Unlike the bytes of codec.hpp, which engines mutate, packed bytes are exact: unpacking gives back the setup, and
// equal setups have equal bytes, so that a set of bytes is a set of setups. A number takes one bit if it is the simplest
// of its range, else one bit more than its bounds need. Each cell of a board takes as many bits as the largest one needs.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "lockstep/describe.hpp"
#include "lockstep/scenario.hpp"

namespace lockstep {

namespace packing {

/// The number of bits that hold 0 … last.
constexpr unsigned bits_for(std::uint64_t last) { return static_cast<unsigned>(std::bit_width(last)); }

class BitWriter {
 public:
  explicit BitWriter(std::vector<std::uint8_t>& out) : out_{out} {}
  void put(std::uint64_t value, unsigned bits) {
    while (bits > 0) {
      const unsigned taken = std::min(bits, 8 - used_);
      if (used_ == 0) out_.push_back(0);
      const auto low = static_cast<unsigned>(value & ((1u << taken) - 1));
      out_.back() = static_cast<std::uint8_t>(out_.back() | low << used_);
      value >>= taken;
      bits -= taken;
      used_ = (used_ + taken) % 8;
    }
  }

 private:
  std::vector<std::uint8_t>& out_;
  unsigned used_ = 0;  // used bits of the last byte
};

class BitReader {
 public:
  explicit BitReader(std::span<const std::uint8_t> bytes) : bytes_{bytes} {}
  std::uint64_t get(unsigned bits) {
    std::uint64_t value = 0;
    for (unsigned got = 0; got < bits;) {
      const unsigned taken = std::min(bits - got, 8 - used_);
      const unsigned byte = at_ < bytes_.size() ? bytes_[at_] : 0u;
      value |= static_cast<std::uint64_t>(byte >> used_ & ((1u << taken) - 1)) << got;
      got += taken;
      used_ = (used_ + taken) % 8;
      if (used_ == 0) ++at_;
    }
    return value;
  }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
  unsigned used_ = 0;
};

}  // namespace packing

class Pack final : public Fields {
 public:
  explicit Pack(std::vector<std::uint8_t>& out) : out_{out} {}

  void visit_number(std::string_view name, Number& value, Number lo, Number hi, const NumberAs& as) override;
  void board(std::string_view name, Grid& grid, int rows, int columns, const Alphabet& alphabet) override;
  void visit_list(std::string_view name, Items& items, int lo, int hi) override;

 private:
  packing::BitWriter out_;
};

class Unpack final : public Fields {
 public:
  explicit Unpack(std::span<const std::uint8_t> bytes) : in_{bytes} {}

  void visit_number(std::string_view name, Number& value, Number lo, Number hi, const NumberAs& as) override;
  void board(std::string_view name, Grid& grid, int rows, int columns, const Alphabet& alphabet) override;
  void visit_list(std::string_view name, Items& items, int lo, int hi) override;

 private:
  packing::BitReader in_;
};

/// Replaces `out` by the bytes of the scenario's setup.
void pack(const AnyScenario& scenario, std::vector<std::uint8_t>& out);

/// Writes the setup with these bytes to `out`, and reuses its memory.
void unpack(std::span<const std::uint8_t> bytes, AnyScenario& out);

}  // namespace lockstep
