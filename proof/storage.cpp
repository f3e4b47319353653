// The executor's constants, addresses and memory accesses.
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/GlobalVariable.h>

#include <algorithm>

#include "proof/executor.hpp"

namespace lockstep::proof {

namespace {

constexpr std::uint64_t largest_object = 1 << 20;

llvm::Type* scalar(llvm::Type* type) { return type->getScalarType(); }

std::size_t elements(const llvm::Type* type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector != nullptr ? vector->getNumElements() : 1;
}

bool is_supported_scalar(llvm::Type* type) { return type->isIntegerTy() || type->isPointerTy(); }

}  // namespace

// Values and types -----------------------------------------------------------------------------

std::size_t Executor::lanes_of(const llvm::Type* type) const {
  if (const auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
    std::size_t out = 0;
    for (const llvm::Type* member : structure->elements()) out += lanes_of(member);
    return out;
  }
  if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    return array->getNumElements() * lanes_of(array->getElementType());
  }
  if (llvm::isa<llvm::ScalableVectorType>(type)) not_covered("a vector of unknown length");
  return elements(type);
}

std::size_t Executor::stored_size(llvm::Type* type) const {
  if (!type->isSized() || type->isScalableTy()) not_covered("an access of a type without a known size");
  const std::uint64_t size = layout_.getTypeStoreSize(type).getFixedValue();
  if (size > largest_object) not_covered("an access of more than a megabyte");
  return size;
}

std::size_t Executor::first_lane(const llvm::Type* aggregate, llvm::ArrayRef<unsigned> indices) const {
  std::size_t out = 0;
  for (const unsigned index : indices) {
    if (const auto* structure = llvm::dyn_cast<llvm::StructType>(aggregate)) {
      for (unsigned i = 0; i < index; ++i) out += lanes_of(structure->getElementType(i));
      aggregate = structure->getElementType(index);
    } else {
      aggregate = llvm::cast<llvm::ArrayType>(aggregate)->getElementType();
      out += index * lanes_of(aggregate);
    }
  }
  return out;
}

Value Executor::unknown_of(const llvm::Type* type) {
  if (const auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
    Value out;
    for (const llvm::Type* member : structure->elements()) {
      const Value part = unknown_of(member);
      out.insert(out.end(), part.begin(), part.end());
    }
    return out;
  }
  if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    Value out;
    for (std::uint64_t i = 0; i < array->getNumElements(); ++i) {
      const Value part = unknown_of(array->getElementType());
      out.insert(out.end(), part.begin(), part.end());
    }
    return out;
  }
  llvm::Type* element = scalar(const_cast<llvm::Type*>(type));
  if (!is_supported_scalar(element)) not_covered("a value that is neither an integer nor a pointer");
  const std::size_t width = element->isPointerTy() ? pointer_bits : element->getIntegerBitWidth();
  Lane lane{.bits = Words::constant(0, width), .poison = yes};
  if (element->isPointerTy()) lane.targets = {{yes, null_object}};
  return Value(lanes_of(type), lane);
}

const Value& Executor::operand(Frame& frame, const llvm::Value* value) {
  const auto known = frame.values.find(value);
  if (known != frame.values.end()) return known->second;
  const auto* number = llvm::dyn_cast<llvm::Constant>(value);
  if (number == nullptr) not_covered("an operand that is neither computed here nor a constant");
  return frame.values[value] = constant(number);
}

Value Executor::constant(const llvm::Constant* constant) {
  llvm::Type* type = constant->getType();
  if (llvm::isa<llvm::UndefValue>(constant)) return unknown_of(type);
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(constant); number != nullptr && !type->isVectorTy()) {
    return {{.bits = word_of(number->getValue())}};
  }
  if (llvm::isa<llvm::ConstantPointerNull>(constant)) {
    return {{.bits = Words::constant(0, pointer_bits), .targets = {{yes, null_object}}}};
  }
  if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(constant)) return {address_of(*global)};
  if (const auto* address = llvm::dyn_cast<llvm::GEPOperator>(constant)) {
    Frame constants{.function = nullptr, .order = nullptr};
    return element_address(constants, *address);
  }
  if (type->isVectorTy() || type->isStructTy() || type->isArrayTy()) {
    Value out;
    const std::size_t count = type->isStructTy()  ? type->getStructNumElements()
                              : type->isArrayTy() ? type->getArrayNumElements()
                                                  : lanes_of(type);
    for (unsigned i = 0; i < count; ++i) {
      const llvm::Constant* element = constant->getAggregateElement(i);
      if (element == nullptr) not_covered("a constant expression");
      const Value part = this->constant(element);
      out.insert(out.end(), part.begin(), part.end());
    }
    return out;
  }
  if (llvm::isa<llvm::Function>(constant)) not_covered("the address of a function");
  not_covered("a constant that is neither an integer nor an address");
}

// Objects --------------------------------------------------------------------------------------

Lane Executor::address_of(const llvm::GlobalVariable& global) {
  const auto known = globals_.find(&global);
  int number = known != globals_.end() ? known->second : 0;
  if (known == globals_.end()) {
    if (!global.isConstant() || !global.hasDefinitiveInitializer()) {
      not_covered("the variable " + global.getName().str() + ", which is not constant");
    }
    const std::uint64_t size = layout_.getTypeAllocSize(global.getValueType()).getFixedValue();
    if (size > largest_object) not_covered("the variable " + global.getName().str() + ", which is too large");
    Object object{.bytes = Bytes(size), .constant = true};
    object.alignment = global.getAlign().value_or(layout_.getABITypeAlign(global.getValueType())).value();
    // Its contents may point to it.
    number = objects_++;
    globals_[&global] = number;
    constants_.set(number, object);
    try {
      initialise(object.bytes, 0, global.getInitializer());
    } catch (...) {
      globals_.erase(&global);
      throw;
    }
    constants_.set(number, std::move(object));
  }
  return {.bits = Words::constant(0, pointer_bits), .targets = {{yes, number}}};
}

void Executor::initialise(Bytes& bytes, std::size_t offset, const llvm::Constant* contents) {
  llvm::Type* type = contents->getType();
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout* places = layout_.getStructLayout(structure);
    for (unsigned i = 0; i < structure->getNumElements(); ++i) {
      initialise(bytes, offset + places->getElementOffset(i), contents->getAggregateElement(i));
    }
  } else if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    const std::size_t step = layout_.getTypeAllocSize(array->getElementType());
    for (unsigned i = 0; i < array->getNumElements(); ++i) {
      initialise(bytes, offset + i * step, contents->getAggregateElement(i));
    }
  } else {
    std::ranges::copy(to_bytes(type, constant(contents)), bytes.begin() + static_cast<std::ptrdiff_t>(offset));
  }
}

Value Executor::allocate(Frame& frame, const llvm::AllocaInst& alloca) {
  const auto size = alloca.getAllocationSize(layout_);
  if (!size || size->isScalable() || size->getFixedValue() > largest_object) {
    not_covered("a local variable whose size is not known or too large");
  }
  Object object{.bytes = Bytes(size->getFixedValue()), .alignment = alloca.getAlign().value()};
  const bool begins_later = std::ranges::any_of(alloca.users(), [](const llvm::User* user) {
    const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(user);
    return call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::lifetime_start;
  });
  object.ended = begins_later ? yes : no;
  Lane pointer = add_object(memory_, std::move(object));
  frame.locals.push_back(objects_ - 1);
  return {std::move(pointer)};
}

// Addresses ------------------------------------------------------------------------------------

Lane Executor::moved(const Lane& pointer, const Word& distance) {
  Lane out = pointer;
  out.bits = words_.add(pointer.bits, distance).bits;
  return out;
}

/// Whether a pointer to the object that moves by `distance`, from `start` to `end`, is inside of the object, or just behind
/// it, in both places. The null pointer may only move by 0.
Literal Executor::stays_inside(int number, const Word& start, const Word& distance, const Word& end) {
  if (number == null_object) return g_.both(!words_.any(start), !words_.any(distance));
  if (!memory_.contains(number) && !constants_.contains(number)) return no;
  const std::size_t size = object(number).bytes.size();
  return g_.both(words_.at_most(start, size), words_.at_most(end, size));
}

Value Executor::element_address(Frame& frame, const llvm::GEPOperator& address) {
  const std::size_t lanes = lanes_of(address.getType());
  const auto lane = [](const Value& value, std::size_t i) -> const Lane& { return value[value.size() == 1 ? 0 : i]; };
  if (address.hasNoUnsignedWrap() || (address.hasNoUnsignedSignedWrap() && !address.isInBounds())) {
    not_covered("an address that is promised not to wrap");
  }
  const Value base = operand(frame, address.getPointerOperand());
  Value out;
  for (std::size_t i = 0; i < lanes; ++i) {
    const Lane& start = lane(base, i);
    if (!start.points()) not_covered("an address that was a number");
    Word distance = Words::constant(0, pointer_bits);
    Literal poison = start.poison;
    Literal wraps = no;
    for (auto step = llvm::gep_type_begin(address); step != llvm::gep_type_end(address); ++step) {
      Word by;
      if (llvm::StructType* structure = step.getStructTypeOrNull()) {
        const auto* number = llvm::cast<llvm::Constant>(step.getOperand());
        if (number->getType()->isVectorTy()) number = number->getSplatValue();
        const auto* member = llvm::dyn_cast_or_null<llvm::ConstantInt>(number);
        if (member == nullptr) not_covered("members of a structure with different numbers");
        const auto offset =
            layout_.getStructLayout(structure)->getElementOffset(static_cast<unsigned>(member->getZExtValue()));
        by = Words::constant(offset, pointer_bits);
      } else {
        const Lane& index = lane(operand(frame, step.getOperand()), i);
        if (index.points()) not_covered("an index that was an address");
        poison = g_.either(poison, index.poison);
        const std::uint64_t size = step.getSequentialElementStride(layout_).getFixedValue();
        // Twice as wide, the product does not wrap.
        const Word wide = words_.multiply(Words::extended_signed(index.bits, 2 * pointer_bits),
                                          Words::constant(size, 2 * pointer_bits));
        by = Words::truncated(wide, pointer_bits);
        wraps = g_.either(wraps, !words_.equal(wide, Words::extended_signed(by, wide.size())));
      }
      const Words::Sum sum = words_.add(distance, by);
      distance = sum.bits;
      wraps = g_.either(wraps, sum.overflow);
      if (!address.isInBounds()) continue;
      // At each step; and within an object, addresses do not wrap.
      const Word reached = moved(start, distance).bits;
      for (const Target& target : start.targets) {
        const Literal inside = stays_inside(target.object, start.bits, distance, reached);
        poison = g_.either(poison, g_.both(target.condition, !inside));
      }
    }
    if (address.isInBounds()) poison = g_.either(poison, wraps);
    Lane result = moved(start, distance);
    result.poison = poison;
    out.push_back(std::move(result));
  }
  return out;
}

// Accesses -------------------------------------------------------------------------------------

const Object& Executor::object(int number) const {
  return constants_.contains(number) ? constants_[number] : memory_[number];
}

std::vector<Target> Executor::accessed(const Lane& pointer, std::size_t count, std::uint64_t alignment, bool writes) {
  if (!pointer.points()) not_covered("an address that was a number");
  undefined(pointer.poison, "the address is poison");
  std::vector<Target> out;
  for (const Target& target : pointer.targets) {
    const auto never = [&](Literal when, std::string what) {
      undefined(g_.both(target.condition, when), std::move(what));
    };
    if (target.object == null_object) {
      never(yes, "access through a null pointer");
      continue;
    }
    if (!memory_.contains(target.object) && !constants_.contains(target.object)) {
      never(yes, "access to an object outside of its lifetime");
      continue;
    }
    const Object& it = object(target.object);
    never(it.ended, "access to an object outside of its lifetime");
    if (writes && it.constant) {
      never(yes, "write to a constant object");
      continue;
    }
    if (it.bytes.size() < count) {
      never(yes, "access outside of an object");
      continue;
    }
    never(!words_.at_most(pointer.bits, it.bytes.size() - count), "access outside of an object");
    if (it.alignment % alignment != 0) not_covered("an access that is aligned more than its object");
    for (std::size_t bit = 0; (std::uint64_t{1} << bit) < alignment; ++bit) {
      never(pointer.bits[bit], "misaligned access");
    }
    out.push_back(target);
  }
  return out;
}

Bytes Executor::read(const Lane& pointer, std::size_t count, std::uint64_t alignment) {
  Bytes out(count);
  for (const Target& target : accessed(pointer, count, alignment, false)) {
    out = model_.choose(target.condition, model_.read(object(target.object), pointer.bits, count), out);
  }
  return out;
}

void Executor::write(const Lane& pointer, const Bytes& bytes, std::uint64_t alignment) {
  for (const Target& target : accessed(pointer, bytes.size(), alignment, true)) {
    model_.write(memory_.change(target.object), pointer.bits, bytes, target.condition);
  }
}

/// Whether values of the type are loaded and stored here.
void Executor::check_accessed(llvm::Type* type) {
  if (!is_supported_scalar(scalar(type)) || type->isAggregateType()) {
    not_covered("access to a value that is neither integers nor pointers");
  }
  if (layout_.getTypeSizeInBits(type) != 8 * stored_size(type)) not_covered("access to a value of no whole bytes");
}

/// Integers and vectors of integers, the first element lowest; pointers keep what they point to.
Value Executor::from_bytes(llvm::Type* type, const Bytes& bytes) {
  check_accessed(type);
  llvm::Type* element = scalar(type);
  const std::size_t width = layout_.getTypeSizeInBits(element);
  const bool pointers = std::ranges::any_of(bytes, [](const Byte& byte) { return byte.pointer != nullptr; });
  Value out;
  for (std::size_t i = 0; i < elements(type); ++i) {
    Lane lane;
    const std::size_t first = i * width;
    for (std::size_t k = first / 8; k <= (first + width - 1) / 8; ++k) {
      lane.poison = g_.either(lane.poison, bytes[k].poison);
    }
    if (pointers || element->isPointerTy()) {
      if (width != pointer_bits) not_covered("a part of an address as a number");
      const Byte& start = bytes[first / 8];
      bool zero = true;
      bool whole = start.pointer != nullptr;
      for (std::size_t k = 0; k < pointer_bytes; ++k) {
        const Byte& byte = bytes[first / 8 + k];
        whole = whole && byte.part == k && byte.pointer != nullptr && *byte.pointer == *start.pointer;
        zero = zero && byte.pointer == nullptr && (byte.poison == yes || byte.bits == Byte{}.bits);
      }
      if (!whole && !zero) not_covered("an address that is put together from bytes");
      if (whole) {
        lane.bits = start.pointer->bits;
        lane.targets = start.pointer->targets;
      } else {
        lane.bits = Words::constant(0, pointer_bits);
        if (element->isPointerTy()) lane.targets = {{yes, null_object}};
      }
    } else {
      for (std::size_t bit = first; bit < first + width; ++bit) lane.bits.push_back(bytes[bit / 8].bits[bit % 8]);
    }
    out.push_back(std::move(lane));
  }
  return out;
}

Bytes Executor::to_bytes(llvm::Type* type, const Value& value) {
  check_accessed(type);
  Bytes out(stored_size(type));
  for (Byte& byte : out) byte.poison = no;
  std::size_t bit = 0;
  for (const Lane& lane : value) {
    const auto pointer = lane.points() ? std::make_shared<const Lane>(lane.bits, no, lane.targets) : nullptr;
    for (std::size_t i = 0; i < lane.bits.size(); ++i, ++bit) {
      Byte& byte = out[bit / 8];
      if (pointer) {
        byte.pointer = pointer;
        byte.part = static_cast<std::uint8_t>(i / 8);
      } else {
        byte.bits[bit % 8] = lane.bits[i];
      }
      if (i == 0 || bit % 8 == 0) byte.poison = g_.either(byte.poison, lane.poison);
    }
  }
  return out;
}

Value Executor::load(Frame& frame, const llvm::LoadInst& load) {
  if (load.isVolatile() || load.isAtomic()) not_covered("a volatile or atomic access");
  const Lane pointer = operand(frame, load.getPointerOperand()).front();
  return from_bytes(load.getType(), read(pointer, stored_size(load.getType()), load.getAlign().value()));
}

void Executor::store(Frame& frame, const llvm::StoreInst& store) {
  if (store.isVolatile() || store.isAtomic()) not_covered("a volatile or atomic access");
  const llvm::Value* value = store.getValueOperand();
  const Bytes bytes = to_bytes(value->getType(), operand(frame, value));
  write(operand(frame, store.getPointerOperand()).front(), bytes, store.getAlign().value());
}

}  // namespace lockstep::proof
