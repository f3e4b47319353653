// Values and memory of a symbolic execution.
//
// A value is a list of lanes: one for a number or a pointer, one for each element of a vector, a structure's members
// one after another. Each lane carries a literal that says when it is poison, LLVM's mark of a result that must not be
// used (an `add nsw` that overflowed). Memory that nothing was written to counts as poison too, which is stricter than
// LLVM.
//
// Memory is a set of objects, each an array of bytes. A pointer is an offset, and for each object that it may point
// into the condition under which it does. An address that is not known becomes a choice among all places that it can
// be.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "proof/words.hpp"

namespace lockstep::proof {

inline constexpr std::size_t pointer_bits = 64;
inline constexpr std::size_t pointer_bytes = 8;

/// Where a pointer points to: conditions that exclude one another, and objects. Object 0 is the null pointer's.
struct Target {
  Literal condition;
  int object = 0;
  bool operator==(const Target&) const = default;
};
using Targets = std::vector<Target>;
inline constexpr int null_object = 0;

struct Lane {
  Word bits;  // of a pointer: the offset inside of its object
  Literal poison = no;
  Targets targets = {};  // empty: a number

  bool points() const { return !targets.empty(); }
  bool operator==(const Lane&) const = default;
};
using Value = std::vector<Lane>;

/// Eight bits of a number, or one of the bytes of a stored pointer.
struct Byte {
  std::array<Literal, 8> bits{};
  Literal poison = yes;
  std::shared_ptr<const Lane> pointer = nullptr;
  std::uint8_t part = 0;  // which byte of the pointer

  bool operator==(const Byte&) const = default;
};
using Bytes = std::vector<Byte>;

struct Object {
  Bytes bytes;
  std::uint64_t alignment = 1;
  bool constant = false;
  Literal ended = no;  // its lifetime is over, or has not begun
};

/// The objects on one path of execution. Copies share what they do not change.
class Memory {
 public:
  using Objects = std::map<int, std::shared_ptr<const Object>>;

  const Object& operator[](int object) const { return *objects_.at(object); }
  bool contains(int object) const { return objects_.contains(object); }
  void set(int object, Object contents) { objects_[object] = std::make_shared<const Object>(std::move(contents)); }
  void remove(int object) { objects_.erase(object); }
  Object& change(int object);
  const Objects& objects() const { return objects_; }
  void replace(int object, std::shared_ptr<const Object> contents) { objects_[object] = std::move(contents); }

 private:
  Objects objects_;
};

/// A stored pointer and a number met in one place: a value that this model has no form for.
struct Unmergeable {};

/// Choices among values and memories, and access by offset. A choice of a value that is always poison is the other one.
class MemoryModel {
 public:
  explicit MemoryModel(Graph& graph) : g_{graph}, words_{graph} {}

  Lane choose(Literal condition, const Lane& then, const Lane& otherwise);
  Value choose(Literal condition, const Value& then, const Value& otherwise);
  Byte choose(Literal condition, const Byte& then, const Byte& otherwise);
  Bytes choose(Literal condition, const Bytes& then, const Bytes& otherwise);
  Memory choose(Literal condition, const Memory& then, const Memory& otherwise);

  /// `count` bytes from a symbolic offset; what lies outside of the object reads as poison.
  Bytes read(const Object& object, const Word& offset, std::size_t count);
  /// Writes where the condition holds; what would lie outside of the object is dropped.
  void write(Object& object, const Word& offset, const Bytes& bytes, Literal condition);

 private:
  Bytes read_below(const Object& object, const Word& offset, std::size_t count, std::size_t base, int bit);
  void write_below(Object& object, const Word& offset, const Bytes& bytes, Literal condition, std::size_t base,
                   int bit);
  std::shared_ptr<const Lane> choose_pointer(Literal condition, const Byte& then, const Byte& otherwise);

  Graph& g_;
  Words words_;
  struct Merged {  // the last choice among stored pointers: its eight bytes share one
    Literal condition;
    std::shared_ptr<const Lane> then, otherwise, result;
  };
  Merged last_;
};

}  // namespace lockstep::proof
