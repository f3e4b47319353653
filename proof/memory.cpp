#include "proof/memory.hpp"

#include <algorithm>
#include <bit>

namespace lockstep::proof {

Object& Memory::change(int object) {
  auto copy = std::make_shared<Object>((*this)[object]);
  Object& out = *copy;
  objects_[object] = std::move(copy);
  return out;
}

Lane MemoryModel::choose(Literal condition, const Lane& then, const Lane& otherwise) {
  if (condition == yes || then == otherwise) return then;
  if (condition == no) return otherwise;
  Lane out{.bits = {}, .poison = g_.choose(condition, then.poison, otherwise.poison)};
  if (then.poison == yes || otherwise.poison == yes) {
    const Lane& defined = then.poison == yes ? otherwise : then;
    out.bits = defined.bits;
    out.targets = defined.targets;
    return out;
  }
  if (then.points() != otherwise.points()) throw Unmergeable{};
  out.bits = words_.choose(condition, then.bits, otherwise.bits);
  const auto add = [&](const Targets& targets, Literal when) {
    for (const Target& target : targets) {
      const Literal holds = g_.both(when, target.condition);
      const auto same = std::ranges::find(out.targets, target.object, &Target::object);
      if (same != out.targets.end()) {
        same->condition = g_.either(same->condition, holds);
      } else if (holds != no) {
        out.targets.push_back({holds, target.object});
      }
    }
  };
  add(then.targets, condition);
  add(otherwise.targets, !condition);
  return out;
}

Value MemoryModel::choose(Literal condition, const Value& then, const Value& otherwise) {
  Value out(then.size());
  for (std::size_t i = 0; i < then.size(); ++i) out[i] = choose(condition, then[i], otherwise[i]);
  return out;
}

std::shared_ptr<const Lane> MemoryModel::choose_pointer(Literal condition, const Byte& then, const Byte& otherwise) {
  if (then.pointer == otherwise.pointer && (!then.pointer || then.part == otherwise.part)) return then.pointer;
  if (then.poison == yes) return otherwise.pointer;
  if (otherwise.poison == yes) return then.pointer;
  if (!then.pointer || !otherwise.pointer || then.part != otherwise.part) throw Unmergeable{};
  if (last_.condition != condition || last_.then != then.pointer || last_.otherwise != otherwise.pointer) {
    last_ = {condition, then.pointer, otherwise.pointer,
             std::make_shared<const Lane>(choose(condition, *then.pointer, *otherwise.pointer))};
  }
  return last_.result;
}

Byte MemoryModel::choose(Literal condition, const Byte& then, const Byte& otherwise) {
  if (condition == yes || then == otherwise) return then;
  if (condition == no) return otherwise;
  Byte out;
  out.poison = g_.choose(condition, then.poison, otherwise.poison);
  out.pointer = choose_pointer(condition, then, otherwise);
  if (then.poison == yes || otherwise.poison == yes) {
    const Byte& defined = then.poison == yes ? otherwise : then;
    out.bits = defined.bits;
    out.part = defined.part;
    return out;
  }
  out.part = then.part;
  for (std::size_t i = 0; i < 8; ++i) out.bits[i] = g_.choose(condition, then.bits[i], otherwise.bits[i]);
  return out;
}

Bytes MemoryModel::choose(Literal condition, const Bytes& then, const Bytes& otherwise) {
  Bytes out(then.size());
  for (std::size_t i = 0; i < then.size(); ++i) out[i] = choose(condition, then[i], otherwise[i]);
  return out;
}

Memory MemoryModel::choose(Literal condition, const Memory& then, const Memory& otherwise) {
  if (condition == yes) return then;
  if (condition == no) return otherwise;
  Memory out = otherwise;
  for (const auto& [number, object] : then.objects()) {
    if (!otherwise.contains(number)) {  // made on one path: nothing on the other can point to it
      out.replace(number, object);
      continue;
    }
    const Object& other = otherwise[number];
    if (object.get() == &other) continue;
    Object& merged = out.change(number);
    merged.bytes = choose(condition, object->bytes, other.bytes);
    merged.ended = g_.choose(condition, object->ended, other.ended);
  }
  return out;
}

namespace {

int highest_bit(std::size_t size) { return static_cast<int>(std::bit_width(size)) - 1; }

}  // namespace

Bytes MemoryModel::read(const Object& object, const Word& offset, std::size_t count) {
  return read_below(object, offset, count, 0, highest_bit(object.bytes.size()));
}

/// Offsets whose bits above `bit` are those of `base`, one bit after the other.
Bytes MemoryModel::read_below(const Object& object, const Word& offset, std::size_t count, std::size_t base, int bit) {
  if (base + count > object.bytes.size()) return Bytes(count);
  if (bit < 0) {
    const auto first = object.bytes.begin() + static_cast<std::ptrdiff_t>(base);
    return {first, first + static_cast<std::ptrdiff_t>(count)};
  }
  const Literal digit = offset[static_cast<std::size_t>(bit)];
  const std::size_t beyond = base + (std::size_t{1} << bit);
  if (digit == yes) return read_below(object, offset, count, beyond, bit - 1);
  if (digit == no) return read_below(object, offset, count, base, bit - 1);
  return choose(digit, read_below(object, offset, count, beyond, bit - 1),
                read_below(object, offset, count, base, bit - 1));
}

void MemoryModel::write(Object& object, const Word& offset, const Bytes& bytes, Literal condition) {
  write_below(object, offset, bytes, condition, 0, highest_bit(object.bytes.size()));
}

void MemoryModel::write_below(Object& object, const Word& offset, const Bytes& bytes, Literal condition,
                              std::size_t base, int bit) {
  if (condition == no || base + bytes.size() > object.bytes.size()) return;
  if (bit < 0) {
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      object.bytes[base + i] = choose(condition, bytes[i], object.bytes[base + i]);
    }
    return;
  }
  const Literal digit = offset[static_cast<std::size_t>(bit)];
  write_below(object, offset, bytes, g_.both(condition, digit), base + (std::size_t{1} << bit), bit - 1);
  write_below(object, offset, bytes, g_.both(condition, !digit), base, bit - 1);
}

}  // namespace lockstep::proof
