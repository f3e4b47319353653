// A set of byte strings in insertion order: the positions of a walk.
//
// The strings are stored in full, one after the other in one block of memory, so membership is exact: equal hashes
// never merge two positions. An open-addressing hash table finds them: a slot holds the start of a string and 16 bits
// of its hash, which avoid most comparisons of strings. At most half of the slots are in use, so a lookup ends after a
// slot or two.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "lockstep/base/random.hpp"

namespace lockstep {

class PositionSet {
 public:
  using Bytes = std::span<const std::uint8_t>;

  PositionSet() : table_(1u << 10, empty) {}

  std::uint64_t size() const { return size_; }
  /// Bytes of memory held.
  std::size_t memory() const { return strings_.capacity() + table_.capacity() * sizeof(table_[0]); }
  /// An upper bound of the memory held, in bytes, while `count` strings of `bytes` bytes in total are added.
  std::size_t memory_to_add(std::size_t count, std::size_t bytes) const {
    std::size_t table = table_.size();
    std::size_t peak = table;
    while (2 * (size_ + count) > table) {
      peak = 3 * table;  // the old table and one twice as large
      table *= 2;
    }
    const std::size_t needed = room_for(count, bytes);
    const bool moves = needed > strings_.capacity();
    return std::max(peak, table) * sizeof(table_[0]) + strings_.capacity() + (moves ? std::max(needed, grown()) : 0);
  }
  /// Reserves memory, so that adding that many moves the strings at most once.
  void make_room(std::size_t count, std::size_t bytes) {
    const std::size_t needed = room_for(count, bytes);
    if (needed > strings_.capacity()) strings_.reserve(std::max(needed, grown()));
  }

  static std::uint64_t hash(Bytes bytes) {
    std::uint64_t h = 0x9e3779b97f4a7c15u ^ bytes.size();
    std::size_t i = 0;
    for (; i + 8 <= bytes.size(); i += 8) {
      std::uint64_t word;
      std::memcpy(&word, bytes.data() + i, 8);
      h = mixed(h ^ word);
    }
    std::uint64_t rest = 0;
    for (; i < bytes.size(); ++i) rest = rest << 8 | bytes[i];
    return mixed(h ^ rest);
  }

  /// Threads may call this at the same time, but not during an insert.
  bool contains(Bytes bytes, std::uint64_t hash) const { return table_[slot_of(bytes, hash)] != empty; }

  /// False if the set contains it already.
  bool insert(Bytes bytes, std::uint64_t hash) {
    if (2 * (size_ + 1) > table_.size()) grow();
    std::uint64_t& slot = table_[slot_of(bytes, hash)];
    if (slot != empty) return false;
    slot = slot_for(strings_.size(), hash);
    append(bytes);
    ++size_;
    return true;
  }

  /// Offsets of strings: 0 for the first, next(at) after each, end() behind the last.
  std::size_t end() const { return strings_.size(); }
  Bytes at(std::size_t start) const { return first_of(Bytes{strings_}.subspan(start)); }
  std::size_t next(std::size_t start) const {
    const Bytes here = at(start);
    return static_cast<std::size_t>(here.data() - strings_.data()) + here.size();
  }

  /// All strings as one block, for a file; and the set rebuilt from such a block, which must be well formed (a checksum
  /// of the file guarantees it).
  Bytes stretch() const { return strings_; }
  static PositionSet of(Bytes stretch) {
    PositionSet out;
    out.strings_.reserve(stretch.size());
    for_each(stretch, [&](Bytes bytes) { out.insert(bytes, hash(bytes)); });
    return out;
  }
  /// Calls `visit` with each string of such a block.
  static void for_each(Bytes stretch, auto&& visit) {
    while (!stretch.empty()) {
      const Bytes bytes = first_of(stretch);
      visit(bytes);
      stretch = {bytes.data() + bytes.size(), stretch.data() + stretch.size()};
    }
  }

 private:
  static constexpr std::uint64_t empty = ~std::uint64_t{0};

  static Bytes first_of(Bytes stretch) {
    std::size_t length = 0;
    std::size_t start = 0;
    for (unsigned shift = 0;; shift += 7) {
      const std::uint8_t byte = stretch[start++];
      length |= static_cast<std::size_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return stretch.subspan(start, length);
    }
  }

  static std::uint64_t slot_for(std::size_t start, std::uint64_t hash) {
    return static_cast<std::uint64_t>(start) << 16 | (hash >> 48);
  }

  /// The slot of the string, or the slot where it would be inserted.
  std::size_t slot_of(Bytes bytes, std::uint64_t hash) const {
    const std::size_t mask = table_.size() - 1;
    for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
      const std::uint64_t slot = table_[i];
      if (slot == empty) return i;
      if ((slot & 0xffff) != hash >> 48) continue;
      const Bytes known = at(slot >> 16);
      if (std::ranges::equal(known, bytes)) return i;
    }
  }

  void append(Bytes bytes) {
    make_room(1, bytes.size());
    for (std::size_t length = bytes.size();; length >>= 7) {
      strings_.push_back(static_cast<std::uint8_t>((length & 0x7f) | (length > 0x7f ? 0x80 : 0)));
      if (length <= 0x7f) break;
    }
    strings_.insert(strings_.end(), bytes.begin(), bytes.end());
  }

  std::size_t room_for(std::size_t count, std::size_t bytes) const {
    constexpr std::size_t length_max = 5;  // bytes of a length
    return strings_.size() + bytes + length_max * count;
  }

  /// Growth by one half: doubling would hold three times the needed memory at its worst.
  std::size_t grown() const { return strings_.capacity() + strings_.capacity() / 2; }

  void grow() {
    table_.assign(table_.size() * 2, empty);
    for (std::size_t start = 0; start < end(); start = next(start)) {
      const std::uint64_t h = hash(at(start));
      table_[slot_of(at(start), h)] = slot_for(start, h);
    }
  }

  std::vector<std::uint8_t> strings_;  // each: its length in groups of 7 bits, lowest first, then itself
  std::vector<std::uint64_t> table_;   // start of a string and 16 bits of its hash; a power of two
  std::uint64_t size_ = 0;
};

}  // namespace lockstep
