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

class Pack : public Visitor<Pack> {
 public:
  explicit Pack(std::vector<std::uint8_t>& out) : out_{out} {}

  template <class T>
  void number(std::string_view, const T& value, Number lo, Number hi) {
    const std::uint64_t above = rank_of(static_cast<Number>(value), lo, hi);
    out_.put(above != 0 ? 1 : 0, 1);
    if (above != 0) out_.put(above, packing::bits_for(static_cast<std::uint64_t>(hi - lo)));
  }
  void board(std::string_view, const Grid& grid, int, int, const Alphabet&) {
    std::uint8_t any = 0;
    for (const auto cell : grid.cells) any |= cell;
    const unsigned bits = packing::bits_for(any);
    out_.put(bits, 4);
    for (const auto cell : grid.cells) out_.put(cell, bits);
  }
  template <class C, class Item>
  void list(std::string_view name, C& items, int lo, int hi, Item&& describe_item) {
    number(name, items.size(), lo, hi);
    for (auto& item : items) describe_item(*this, item);
  }

 private:
  packing::BitWriter out_;
};

class Unpack : public Visitor<Unpack> {
 public:
  explicit Unpack(std::span<const std::uint8_t> bytes) : in_{bytes} {}

  template <class T>
  void number(std::string_view, T& value, Number lo, Number hi) {
    const bool above = in_.get(1) != 0;
    const std::uint64_t rank = above ? in_.get(packing::bits_for(static_cast<std::uint64_t>(hi - lo))) : 0;
    value = static_cast<T>(number_of_rank(rank, lo, hi));
  }
  void board(std::string_view, Grid& grid, int rows, int columns, const Alphabet&) {
    if (grid.rows != rows || grid.columns != columns) grid = Grid{rows, columns};
    const auto bits = static_cast<unsigned>(in_.get(4));
    for (auto& cell : grid.cells) cell = static_cast<std::uint8_t>(in_.get(bits));
  }
  template <class C, class Item>
  void list(std::string_view name, C& items, int lo, int hi, Item&& describe_item) {
    std::size_t count = 0;
    number(name, count, lo, hi);
    items.resize(count);
    for (auto& item : items) describe_item(*this, item);
  }

 private:
  packing::BitReader in_;
};

/// Replaces `out` by the bytes of the setup.
template <System S>
void pack(const typename S::Setup& setup, std::vector<std::uint8_t>& out) {
  out.clear();
  Pack visitor{out};
  read_setup<S>(visitor, setup);
}

/// Writes the setup with these bytes to `out`, and reuses its memory.
template <System S>
void unpack(std::span<const std::uint8_t> bytes, typename S::Setup& out) {
  Unpack visitor{bytes};
  visit_setup<S>(visitor, out);
}

}  // namespace lockstep
