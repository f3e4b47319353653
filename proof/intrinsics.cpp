// The executor's intrinsics: functions whose meaning LLVM's reference gives. An intrinsic that is not listed here is
// not covered.
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IntrinsicsX86.h>

#include <algorithm>
#include <bit>

#include "proof/executor.hpp"

namespace lockstep::proof {

namespace ids = llvm::Intrinsic;

namespace {

Word bytes_reversed(const Word& word) {
  Word out;
  for (std::size_t byte = word.size() / 8; byte-- > 0;) {
    const Word eight = Words::slice(word, 8 * byte, 8);
    out.insert(out.end(), eight.begin(), eight.end());
  }
  return out;
}

}  // namespace

Value Executor::intrinsic(Frame& frame, const llvm::IntrinsicInst& call) {
  if (memory_intrinsic(frame, call)) return {};
  const auto id = call.getIntrinsicID();
  if (id == ids::trap || id == ids::ubsantrap) {
    undefined(yes, "a trap is reached");
    guard_ = no;
    throw Stop{Obligation::Kind::defined, {}};
  }
  const std::string name = "the intrinsic " + call.getCalledFunction()->getName().str();
  std::vector<Value> arguments;
  for (const llvm::Use& argument : call.args()) {
    arguments.push_back(operand(frame, argument));
    for (const Lane& lane : arguments.back()) {
      if (lane.points()) not_covered(name + " of an address");
    }
  }
  if (call.hasOperandBundles()) not_covered(name + " with operand bundles");
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    arguments[i] = kept(promises_of(call.getAttributes().getParamAttrs(i)), std::move(arguments[i]), "an argument");
  }
  return kept(promises_of(call.getAttributes().getRetAttrs()), value_of(call, arguments), "a result");
}

Value Executor::value_of(const llvm::IntrinsicInst& call, const std::vector<Value>& arguments) {
  const auto id = call.getIntrinsicID();
  const std::string name = "the intrinsic " + call.getCalledFunction()->getName().str();
  if (arguments.size() == 1) {
    if (auto out = reduction(id, arguments.front())) return {std::move(*out)};
  }
  if (llvm::isa<llvm::WithOverflowInst>(call)) return overflow_intrinsic(id, arguments[0], arguments[1]);
  if (arguments.empty()) not_covered(name);
  Value out;
  for (std::size_t i = 0; i < lanes_of(call.getType()); ++i) {
    std::vector<Lane> lanes;
    for (const Value& argument : arguments) lanes.push_back(argument[argument.size() == 1 ? 0 : i]);
    auto lane = lane_intrinsic(id, lanes);
    if (!lane) not_covered(name);
    out.push_back(std::move(*lane));
  }
  return out;
}

/// Intrinsics that do the same to each lane.
std::optional<Lane> Executor::lane_intrinsic(ids::ID id, const std::vector<Lane>& arguments) {
  const Lane& a = arguments.front();
  const Lane& b = arguments[arguments.size() > 1 ? 1 : 0];
  const std::size_t width = a.bits.size();
  Lane out{.bits = {}, .poison = g_.either(a.poison, b.poison)};
  const auto chosen = [&](Literal first) { out.bits = words_.choose(first, a.bits, b.bits); };
  const auto lowest = [&] {
    Word word = Words::constant(0, width);
    word.back() = yes;
    return word;
  };
  const auto saturated = [&](const Words::Sum& sum) {  // towards the sign that the exact result has
    const Word bound = words_.choose(sum.bits.back(), words_.complement(lowest()), lowest());
    out.bits = words_.choose(sum.overflow, bound, sum.bits);
  };
  switch (id) {
    case ids::ctpop: out.bits = words_.ones(a.bits); break;
    case ids::cttz:
      out.bits = words_.trailing_zeros(a.bits);
      poison_if(out, g_.both(b.bits.front(), !words_.any(a.bits)));
      break;
    case ids::ctlz:
      out.bits = words_.leading_zeros(a.bits);
      poison_if(out, g_.both(b.bits.front(), !words_.any(a.bits)));
      break;
    case ids::bswap: out.bits = bytes_reversed(a.bits); break;
    case ids::bitreverse: out.bits = {a.bits.rbegin(), a.bits.rend()}; break;
    case ids::fshl:
    case ids::fshr:
      poison_if(out, arguments[2].poison);
      out.bits = funnel_shifted(id, a.bits, b.bits, arguments[2].bits);
      break;
    case ids::abs:
      out.bits = words_.choose(a.bits.back(), words_.negated(a.bits), a.bits);
      poison_if(out, g_.both(b.bits.front(), words_.equal(a.bits, lowest())));
      break;
    case ids::umin: chosen(words_.less(a.bits, b.bits)); break;
    case ids::umax: chosen(words_.less(b.bits, a.bits)); break;
    case ids::smin: chosen(words_.less_signed(a.bits, b.bits)); break;
    case ids::smax: chosen(words_.less_signed(b.bits, a.bits)); break;
    case ids::uadd_sat: {
      const Words::Sum sum = words_.add(a.bits, b.bits);
      out.bits = words_.disjunction(sum.bits, Word(width, sum.carry));
      break;
    }
    case ids::usub_sat: {
      const Words::Sum sum = words_.subtract(a.bits, b.bits);
      out.bits = words_.conjunction(sum.bits, Word(width, sum.carry));
      break;
    }
    case ids::sadd_sat: saturated(words_.add(a.bits, b.bits)); break;
    case ids::ssub_sat: saturated(words_.subtract(a.bits, b.bits)); break;
    case ids::x86_bmi_pext_64: out.bits = words_.extracted(a.bits, b.bits); break;
    case ids::x86_bmi_pdep_64: out.bits = words_.deposited(a.bits, b.bits); break;
    case ids::expect: out = a; break;
    default: return std::nullopt;
  }
  return out;
}

/// The two words side by side, shifted by the amount modulo the width of one word: the upper half for fshl, the lower one for
/// fshr.
Word Executor::funnel_shifted(ids::ID id, const Word& high, const Word& low, const Word& amount) {
  const std::size_t width = high.size();
  const Word modulo = std::has_single_bit(width)
                          ? Words::truncated(amount, static_cast<std::size_t>(std::countr_zero(width)))
                          : words_.divide(amount, Words::constant(width, width)).remainder;
  Word wide = low;
  wide.insert(wide.end(), high.begin(), high.end());
  return id == ids::fshl ? Words::slice(words_.shift_left(wide, modulo), width, width)
                         : Words::slice(words_.shift_right(wide, modulo), 0, width);
}

/// Results with a second part that says whether they wrapped; for vectors all results come first.
Value Executor::overflow_intrinsic(ids::ID id, const Value& a, const Value& b) {
  Value results;
  Value wrapped;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::size_t width = a[i].bits.size();
    Lane result{.bits = {}, .poison = g_.either(a[i].poison, b[i].poison)};
    Literal wraps = no;
    const auto take = [&](const Words::Sum& sum, Literal when) {
      result.bits = sum.bits;
      wraps = when;
    };
    const auto multiply = [&](auto&& extended) {
      const Word wide = words_.multiply(extended(a[i].bits, 2 * width), extended(b[i].bits, 2 * width));
      result.bits = Words::truncated(wide, width);
      wraps = !words_.equal(wide, extended(result.bits, 2 * width));
    };
    const Words::Sum sum = words_.add(a[i].bits, b[i].bits);
    const Words::Sum rest = words_.subtract(a[i].bits, b[i].bits);
    switch (id) {
      case ids::uadd_with_overflow: take(sum, sum.carry); break;
      case ids::sadd_with_overflow: take(sum, sum.overflow); break;
      case ids::usub_with_overflow: take(rest, !rest.carry); break;
      case ids::ssub_with_overflow: take(rest, rest.overflow); break;
      case ids::umul_with_overflow:
        multiply([](const Word& word, std::size_t to) { return Words::extended(word, to); });
        break;
      case ids::smul_with_overflow:
        multiply([](const Word& word, std::size_t to) { return Words::extended_signed(word, to); });
        break;
      default: not_covered("arithmetic with an overflow flag");
    }
    wrapped.push_back({.bits = {wraps}, .poison = result.poison});
    results.push_back(std::move(result));
  }
  results.insert(results.end(), wrapped.begin(), wrapped.end());
  return results;
}

std::optional<Lane> Executor::reduction(ids::ID id, const Value& vector) {
  const auto reduced = [&](auto&& operation) {
    Lane out = vector.front();
    for (std::size_t i = 1; i < vector.size(); ++i) {
      out.bits = operation(out.bits, vector[i].bits);
      out.poison = g_.either(out.poison, vector[i].poison);
    }
    return out;
  };
  const auto first_if = [&](auto&& is_first) {
    return reduced([&](const Word& a, const Word& b) { return words_.choose(is_first(a, b), a, b); });
  };
  switch (id) {
    case ids::vector_reduce_add: return reduced([&](const Word& a, const Word& b) { return words_.add(a, b).bits; });
    case ids::vector_reduce_mul: return reduced([&](const Word& a, const Word& b) { return words_.multiply(a, b); });
    case ids::vector_reduce_and: return reduced([&](const Word& a, const Word& b) { return words_.conjunction(a, b); });
    case ids::vector_reduce_or: return reduced([&](const Word& a, const Word& b) { return words_.disjunction(a, b); });
    case ids::vector_reduce_xor: return reduced([&](const Word& a, const Word& b) { return words_.difference(a, b); });
    case ids::vector_reduce_umin: return first_if([&](const Word& a, const Word& b) { return words_.less(a, b); });
    case ids::vector_reduce_umax: return first_if([&](const Word& a, const Word& b) { return words_.less(b, a); });
    case ids::vector_reduce_smin:
      return first_if([&](const Word& a, const Word& b) { return words_.less_signed(a, b); });
    case ids::vector_reduce_smax:
      return first_if([&](const Word& a, const Word& b) { return words_.less_signed(b, a); });
    default: return std::nullopt;
  }
}

/// A copy between places that overlap, but are not the same, is undefined.
void Executor::overlapping(const Lane& to, const Lane& from, std::size_t count) {
  const Word distance = words_.subtract(to.bits, from.bits).bits;
  const auto near = [&](const Word& word) { return words_.less(word, Words::constant(count, pointer_bits)); };
  const Literal overlap = g_.both(words_.any(distance), g_.either(near(distance), near(words_.negated(distance))));
  for (const Target& a : to.targets) {
    for (const Target& b : from.targets) {
      if (a.object != b.object) continue;
      undefined(g_.both(overlap, g_.both(a.condition, b.condition)), "a copy to a place that overlaps its source");
    }
  }
}

void Executor::masked_store(Frame& frame, const llvm::IntrinsicInst& call) {
  if (operand(frame, call.getArgOperand(2)).front().bits != Words::constant(1, 32)) {
    not_covered("a masked store that is aligned");
  }
  const Value values = operand(frame, call.getArgOperand(0));
  const Lane to = argument_of(frame, call, 1).front();
  const Value mask = operand(frame, call.getArgOperand(3));
  not_poison(mask, "the mask of a store is poison");
  llvm::Type* const type = call.getArgOperand(0)->getType()->getScalarType();
  const std::size_t size = stored_size(type);
  if (layout_.getTypeSizeInBits(type) != 8 * size) not_covered("a masked store of lanes that are no whole bytes");
  for (std::size_t i = 0; i < values.size(); ++i) {
    // A lane that the mask leaves out accesses nothing. Its pointer says so, not the guard: what is not covered
    // ends the path for all lanes.
    const Literal stored = mask[i].bits.front();
    Lane place = moved(to, Words::constant(i * size, pointer_bits));
    place.poison = g_.both(place.poison, stored);
    for (Target& target : place.targets) target.condition = g_.both(target.condition, stored);
    write(place, to_bytes(type, {values[i]}), 1);
  }
}

/// Intrinsics without a result; false if it is another one.
bool Executor::memory_intrinsic(Frame& frame, const llvm::IntrinsicInst& call) {
  const auto lane = [&](unsigned i) { return argument_of(frame, call, i).front(); };
  const auto alignment = [&](unsigned i) { return call.getParamAlign(i).valueOrOne().value(); };
  const auto length = [&] {
    const Lane count = operand(frame, call.getArgOperand(2)).front();
    std::size_t out = 0;
    for (std::size_t bit = 0; bit < count.bits.size(); ++bit) {
      if (!is_constant(count.bits[bit])) not_covered("a copy whose length depends on the input");
      if (count.bits[bit] == yes) out |= std::size_t{1} << bit;
    }
    undefined(count.poison, "the length of a copy is poison");
    return out;
  };
  if (const auto* copy = llvm::dyn_cast<llvm::MemIntrinsic>(&call); copy != nullptr && copy->isVolatile()) {
    not_covered("a volatile or atomic access");
  }
  switch (call.getIntrinsicID()) {
    case ids::lifetime_start:
    case ids::lifetime_end:
      for (const Target& target : lane(1).targets) {
        if (target.condition != yes || !memory_.contains(target.object))
          not_covered("the lifetime of one of several objects");
        Object& object = memory_.change(target.object);
        object.ended = truth(call.getIntrinsicID() == ids::lifetime_end);
        object.bytes.assign(object.bytes.size(), Byte{});
      }
      return true;
    case ids::memcpy:
    case ids::memcpy_inline:
    case ids::memmove: {
      const Lane to = lane(0);
      const Lane from = lane(1);
      if (call.getIntrinsicID() != ids::memmove) overlapping(to, from, length());
      if (length() > 0) write(to, read(from, length(), alignment(1)), alignment(0));
      return true;
    }
    case ids::memset:
    case ids::memset_inline: {
      const Lane to = lane(0);
      const Lane value = lane(1);
      Byte byte{.bits = {}, .poison = value.poison};
      std::ranges::copy(value.bits, byte.bits.begin());
      if (length() > 0) write(to, Bytes(length(), byte), alignment(0));
      return true;
    }
    case ids::masked_store: masked_store(frame, call); return true;
    case ids::assume: {
      if (call.hasOperandBundles()) not_covered("an assumption about an address");
      const Lane holds = lane(0);
      undefined(g_.either(holds.poison, !holds.bits.front()), "an assumption of the compiler does not hold");
      return true;
    }
    case ids::experimental_noalias_scope_decl:
    case ids::donothing: return true;
    default: return false;
  }
}

}  // namespace lockstep::proof
