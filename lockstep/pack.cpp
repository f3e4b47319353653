#include "lockstep/pack.hpp"

#include <algorithm>
#include <bit>

#include "lockstep/describe.hpp"

namespace lockstep {
namespace {

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

class Pack final : public Fields {
 public:
  explicit Pack(std::vector<std::uint8_t>& out) : out_{out} {}

  void visit_number(std::string_view, Number& value, Number lo, Number hi, const NumberAs&) override {
    const std::uint64_t above = rank_of(value, lo, hi);
    out_.put(above != 0 ? 1 : 0, 1);
    if (above != 0) out_.put(above, bits_for(static_cast<std::uint64_t>(hi - lo)));
  }
  void board(std::string_view, Grid& grid, int, int, const Alphabet&) override {
    std::uint8_t any = 0;
    for (const auto cell : grid.cells) any |= cell;
    const unsigned bits = bits_for(any);
    out_.put(bits, 4);
    for (const auto cell : grid.cells) out_.put(cell, bits);
  }
  void visit_list(std::string_view name, Items& items, int lo, int hi) override {
    std::size_t count = items.size();
    number(name, count, lo, hi);
    items.visit_all(*this);
  }

 private:
  BitWriter out_;
};

class Unpack final : public Fields {
 public:
  explicit Unpack(std::span<const std::uint8_t> bytes) : in_{bytes} {}

  void visit_number(std::string_view, Number& value, Number lo, Number hi, const NumberAs&) override {
    const bool above = in_.get(1) != 0;
    const std::uint64_t rank = above ? in_.get(bits_for(static_cast<std::uint64_t>(hi - lo))) : 0;
    value = number_of_rank(rank, lo, hi);
  }
  void board(std::string_view, Grid& grid, int rows, int columns, const Alphabet&) override {
    if (grid.rows != rows || grid.columns != columns) grid = Grid{rows, columns};
    const auto bits = static_cast<unsigned>(in_.get(4));
    for (auto& cell : grid.cells) cell = static_cast<std::uint8_t>(in_.get(bits));
  }
  void visit_list(std::string_view name, Items& items, int lo, int hi) override {
    std::size_t count = 0;
    number(name, count, lo, hi);
    items.resize(count);
    items.visit_all(*this);
  }

 private:
  BitReader in_;
};

}  // namespace

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
