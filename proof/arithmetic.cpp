// The executor's operations on numbers. Flags (nuw, nsw, exact, disjoint, nneg) make a result poison where they do not
// hold; what is undefined at once, such as a division by 0, is an obligation.
#include <llvm/IR/DerivedTypes.h>

#include "proof/executor.hpp"

namespace lockstep::proof {

Lane Executor::binary(const llvm::BinaryOperator& operation, const Lane& a, const Lane& b) {
  using Op = llvm::Instruction;
  if (a.points() || b.points()) return address_arithmetic(operation, a, b);
  Lane out{.bits = {}, .poison = g_.either(a.poison, b.poison)};
  const auto take = [&](const Words::Sum& sum, Literal unsigned_wrap) {
    if (operation.hasNoUnsignedWrap()) poison_if(out, unsigned_wrap);
    if (operation.hasNoSignedWrap()) poison_if(out, sum.overflow);
    out.bits = sum.bits;
  };
  switch (operation.getOpcode()) {
    case Op::Add: {
      const Words::Sum sum = words_.add(a.bits, b.bits);
      take(sum, sum.carry);
      break;
    }
    case Op::Sub: {
      const Words::Sum sum = words_.subtract(a.bits, b.bits);
      take(sum, !sum.carry);
      break;
    }
    case Op::Mul: return multiplied(operation, a, b);
    case Op::UDiv:
    case Op::URem:
    case Op::SDiv:
    case Op::SRem: return divided(operation, a, b);
    case Op::Shl:
    case Op::LShr:
    case Op::AShr: return shifted(operation, a, b);
    case Op::And: out.bits = words_.conjunction(a.bits, b.bits); break;
    case Op::Or: {
      // `overlap` is made in any case: with other nodes, the recorded proofs would have other hashes.
      const auto* disjoint = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&operation);
      if (disjoint != nullptr) {
        const Literal overlap = words_.any(words_.conjunction(a.bits, b.bits));
        if (disjoint->isDisjoint()) poison_if(out, overlap);
      }
      out.bits = words_.disjunction(a.bits, b.bits);
      break;
    }
    case Op::Xor: out.bits = words_.difference(a.bits, b.bits); break;
    default: not_covered(std::string("the operation ") + operation.getOpcodeName());
  }
  return out;
}

void Executor::poison_if(Lane& lane, Literal when) { lane.poison = g_.either(lane.poison, when); }

/// Differences of addresses, and addresses as numbers that move.
Lane Executor::address_arithmetic(const llvm::BinaryOperator& operation, const Lane& a, const Lane& b) {
  using Op = llvm::Instruction;
  const auto opcode = operation.getOpcode();
  Lane out{.bits = {}, .poison = g_.either(a.poison, b.poison)};
  if (opcode == Op::Sub && a.points() && b.points()) {
    if (a.targets != b.targets) not_covered("the difference of addresses in two objects");
    if (operation.hasNoSignedWrap() || operation.hasNoUnsignedWrap()) {
      not_covered("a promise about the difference of addresses");
    }
    out.bits = words_.subtract(a.bits, b.bits).bits;
    return out;
  }
  const bool moves = (opcode == Op::Add && a.points() != b.points()) || (opcode == Op::Sub && !b.points());
  if (!moves || operation.hasNoSignedWrap() || operation.hasNoUnsignedWrap()) {
    not_covered("arithmetic with an address");
  }
  const Lane& pointer = a.points() ? a : b;
  const Word& by = a.points() ? b.bits : a.bits;
  out.bits = opcode == Op::Add ? words_.add(pointer.bits, by).bits : words_.subtract(pointer.bits, by).bits;
  out.targets = pointer.targets;
  return out;
}

Lane Executor::multiplied(const llvm::BinaryOperator& operation, const Lane& a, const Lane& b) {
  const std::size_t width = a.bits.size();
  Lane out{.bits = {}, .poison = g_.either(a.poison, b.poison)};
  out.bits = words_.multiply(a.bits, b.bits);
  if (operation.hasNoUnsignedWrap()) {
    const Word wide = words_.multiply(Words::extended(a.bits, 2 * width), Words::extended(b.bits, 2 * width));
    poison_if(out, words_.any(Words::slice(wide, width, width)));
  }
  if (operation.hasNoSignedWrap()) {
    const Word wide =
        words_.multiply(Words::extended_signed(a.bits, 2 * width), Words::extended_signed(b.bits, 2 * width));
    poison_if(out, !words_.equal(wide, Words::extended_signed(out.bits, 2 * width)));
  }
  return out;
}

/// The quotient or the remainder.
Lane Executor::divided(const llvm::BinaryOperator& operation, const Lane& a, const Lane& b) {
  using Op = llvm::Instruction;
  const auto opcode = operation.getOpcode();
  const std::size_t width = a.bits.size();
  Lane out{.bits = {}, .poison = g_.either(a.poison, b.poison)};
  undefined(b.poison, "a division by poison");
  undefined(!words_.any(b.bits), "a division by 0");
  const bool is_signed = opcode == Op::SDiv || opcode == Op::SRem;
  if (is_signed) {
    Word lowest = Words::constant(0, width);
    lowest.back() = yes;
    const Literal minus_one = words_.equal(b.bits, words_.complement(Words::constant(0, width)));
    const Literal overflow = g_.both(words_.equal(a.bits, lowest), minus_one);
    undefined(g_.both(overflow, !a.poison), "a division that overflows");
    undefined(g_.both(a.poison, minus_one), "a division of poison by -1");
  }
  const Words::Division division = is_signed ? words_.divide_signed(a.bits, b.bits) : words_.divide(a.bits, b.bits);
  const bool quotient = opcode == Op::UDiv || opcode == Op::SDiv;
  out.bits = quotient ? division.quotient : division.remainder;
  if (quotient) {
    // Made in any case: with other nodes, the recorded proofs would have other hashes.
    const Literal inexact = words_.any(division.remainder);
    if (operation.isExact()) poison_if(out, inexact);
  }
  return out;
}

Lane Executor::shifted(const llvm::BinaryOperator& operation, const Lane& a, const Lane& b) {
  using Op = llvm::Instruction;
  const auto opcode = operation.getOpcode();
  Lane out{.bits = {}, .poison = g_.either(a.poison, b.poison)};
  poison_if(out, !words_.at_most(b.bits, a.bits.size() - 1));
  if (opcode == Op::Shl) {
    out.bits = words_.shift_left(a.bits, b.bits);
    if (operation.hasNoUnsignedWrap()) {
      poison_if(out, !words_.equal(words_.shift_right(out.bits, b.bits), a.bits));
    }
    if (operation.hasNoSignedWrap()) {
      poison_if(out, !words_.equal(words_.shift_right(out.bits, b.bits, out.bits.back()), a.bits));
    }
  } else {
    out.bits = words_.shift_right(a.bits, b.bits, opcode == Op::AShr ? a.bits.back() : no);
    if (operation.isExact()) poison_if(out, !words_.equal(words_.shift_left(out.bits, b.bits), a.bits));
  }
  return out;
}

// Comparisons ----------------------------------------------------------------------------------

Literal Executor::compare_words(llvm::CmpInst::Predicate predicate, const Word& a, const Word& b) {
  using P = llvm::CmpInst;
  switch (predicate) {
    case P::ICMP_EQ: return words_.equal(a, b);
    case P::ICMP_NE: return !words_.equal(a, b);
    case P::ICMP_ULT: return words_.less(a, b);
    case P::ICMP_UGT: return words_.less(b, a);
    case P::ICMP_ULE: return !words_.less(b, a);
    case P::ICMP_UGE: return !words_.less(a, b);
    case P::ICMP_SLT: return words_.less_signed(a, b);
    case P::ICMP_SGT: return words_.less_signed(b, a);
    case P::ICMP_SLE: return !words_.less_signed(b, a);
    case P::ICMP_SGE: return !words_.less_signed(a, b);
    default: not_covered("a comparison of floating-point numbers");
  }
}

/// Where objects lie is not known: whether an address in one is below an address in another is any answer, and so is
/// equality, except with the null pointer, which is in no object. Within an object offsets decide; an object does not
/// wrap around.
Literal Executor::compare_pointers(llvm::CmpInst::Predicate predicate, const Lane& a, const Lane& b) {
  if (llvm::CmpInst::isSigned(predicate)) not_covered("a signed comparison of addresses");
  const auto in_object =
      llvm::CmpInst::isRelational(predicate) ? llvm::CmpInst::getSignedPredicate(predicate) : predicate;
  Literal out = no;
  for (const Target& x : a.targets) {
    for (const Target& y : b.targets) {
      Literal answer = no;
      outside_of(x, a);
      outside_of(y, b);
      if (x.object == y.object) {
        answer = compare_words(in_object, a.bits, b.bits);
      } else if ((x.object == null_object) != (y.object == null_object) && llvm::CmpInst::isEquality(predicate)) {
        answer = truth(predicate == llvm::CmpInst::ICMP_NE);
      } else {
        answer = g_.input();
      }
      out = g_.either(out, g_.both(g_.both(x.condition, y.condition), answer));
    }
  }
  return out;
}

/// An address outside of its object may wrap around, or be that of another, so it is not compared. No more is known of
/// an object after its lifetime.
void Executor::outside_of(const Target& target, const Lane& address) {
  const bool lives = memory_.contains(target.object) || constants_.contains(target.object);
  const Literal outside = target.object == null_object ? words_.any(address.bits)
                          : lives ? !words_.at_most(address.bits, object(target.object).bytes.size())
                                  : yes;
  require(Obligation::Kind::understood, g_.both(guard_, g_.both(target.condition, outside)),
          "an address outside of its object is compared");
}

Lane Executor::compare(llvm::CmpInst::Predicate predicate, const Lane& a, const Lane& b) {
  if (a.points() != b.points()) not_covered("a comparison of an address with a number");
  return {.bits = {a.points() ? compare_pointers(predicate, a, b) : compare_words(predicate, a.bits, b.bits)},
          .poison = g_.either(a.poison, b.poison)};
}

// Conversions and vectors ----------------------------------------------------------------------

Value Executor::cast(const llvm::CastInst& cast, const Value& from) {
  using Op = llvm::Instruction;
  const auto opcode = cast.getOpcode();
  if (opcode == Op::BitCast) return bit_cast(from, cast.getType());
  llvm::Type* element = cast.getType()->getScalarType();
  Value out;
  for (const Lane& lane : from) {
    if (opcode == Op::PtrToInt || opcode == Op::IntToPtr) {
      const bool whole = element->isPointerTy() || element->getIntegerBitWidth() == pointer_bits;
      if (!lane.points() || !whole) not_covered("a number as an address, or a part of an address");
      out.push_back(lane);
      continue;
    }
    if (lane.points()) not_covered("a part of an address as a number");
    const auto bits = [&] { return element->getIntegerBitWidth(); };
    Lane to{.bits = {}, .poison = lane.poison};
    switch (opcode) {
      case Op::ZExt:
        if (cast.hasNonNeg()) to.poison = g_.either(to.poison, lane.bits.back());
        to.bits = Words::extended(lane.bits, bits());
        break;
      case Op::SExt: to.bits = Words::extended_signed(lane.bits, bits()); break;
      case Op::Trunc: {
        to.bits = Words::truncated(lane.bits, bits());
        const auto& truncation = llvm::cast<llvm::TruncInst>(cast);
        const std::size_t width = lane.bits.size();
        if (truncation.hasNoUnsignedWrap()) {
          to.poison = g_.either(to.poison, !words_.equal(Words::extended(to.bits, width), lane.bits));
        }
        if (truncation.hasNoSignedWrap()) {
          to.poison = g_.either(to.poison, !words_.equal(Words::extended_signed(to.bits, width), lane.bits));
        }
        break;
      }
      default: not_covered(std::string("the conversion ") + cast.getOpcodeName());
    }
    out.push_back(std::move(to));
  }
  return out;
}

/// The same bits in other lanes; a lane with a poison bit is poison.
Value Executor::bit_cast(const Value& from, llvm::Type* to) {
  llvm::Type* element = to->getScalarType();
  if (element->isPointerTy()) return from;
  if (!element->isIntegerTy()) not_covered("floating-point numbers");
  const std::size_t from_width = from.front().bits.size();
  const std::size_t to_width = element->getIntegerBitWidth();
  if (from_width == to_width) return from;
  Value out(lanes_of(to));
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (std::size_t bit = i * to_width; bit < (i + 1) * to_width; ++bit) {
      const Lane& lane = from[bit / from_width];
      if (lane.points()) not_covered("a part of an address as a number");
      out[i].bits.push_back(lane.bits[bit % from_width]);
      out[i].poison = g_.either(out[i].poison, lane.poison);
    }
  }
  return out;
}

Value Executor::select(const Value& condition, const Value& then, const Value& otherwise) {
  Value out;
  for (std::size_t i = 0; i < then.size(); ++i) {
    const Lane& decides = condition[condition.size() == 1 ? 0 : i];
    Lane lane = model_.choose(decides.bits.front(), then[i], otherwise[i]);
    lane.poison = g_.either(lane.poison, decides.poison);
    out.push_back(std::move(lane));
  }
  return out;
}

/// Poison becomes some value: new inputs.
Value Executor::freeze(const Value& value) {
  Value out = value;
  for (Lane& lane : out) {
    if (lane.poison == no) continue;
    if (lane.points()) not_covered("an address that may be poison is frozen");
    lane.bits = words_.choose(lane.poison, words_.inputs(lane.bits.size()), lane.bits);
    lane.poison = no;
  }
  return out;
}

Value Executor::shuffle(const llvm::ShuffleVectorInst& shuffle, const Value& a, const Value& b) {
  Value out;
  for (const int index : shuffle.getShuffleMask()) {
    if (index < 0) {
      out.push_back(unknown_of(shuffle.getType()->getScalarType()).front());
    } else {
      const auto from = static_cast<std::size_t>(index);
      out.push_back(from < a.size() ? a[from] : b[from - a.size()]);
    }
  }
  return out;
}

Value Executor::extract_element(const Value& vector, const Lane& index) {
  if (index.points()) not_covered("an address as the number of an element");
  Lane out = vector.front();
  for (std::size_t i = 1; i < vector.size(); ++i) {
    out = model_.choose(words_.equal(index.bits, Words::constant(i, index.bits.size())), vector[i], out);
  }
  const Literal outside = !words_.at_most(index.bits, vector.size() - 1);
  out.poison = g_.any(std::vector{out.poison, index.poison, outside});
  return {std::move(out)};
}

Value Executor::insert_element(const Value& vector, const Lane& element, const Lane& index) {
  if (index.points()) not_covered("an address as the number of an element");
  Value out = vector;
  const Literal outside = g_.either(index.poison, !words_.at_most(index.bits, vector.size() - 1));
  for (std::size_t i = 0; i < vector.size(); ++i) {
    out[i] = model_.choose(words_.equal(index.bits, Words::constant(i, index.bits.size())), element, vector[i]);
    out[i].poison = g_.either(out[i].poison, outside);
  }
  return out;
}

}  // namespace lockstep::proof
