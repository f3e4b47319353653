// What attributes and metadata promise about values. The compiler's back end may rely on each promise, so none is taken
// on trust: where nonnull, align or range do not hold the value is poison, as LLVM's reference says; that a value is
// noundef, or that bytes can be accessed at an address, is an obligation. A promise that is not listed here is not
// covered. Not checked, and listed in docs/proving.md as assumed: what is said about aliasing and about effects on
// memory (noalias, nocapture, readonly, memory, …).
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Metadata.h>

#include "proof/executor.hpp"

namespace lockstep::proof {

Executor::Promises Executor::promises_of(llvm::AttributeSet attributes) const {
  using llvm::Attribute;
  Promises out;
  for (const Attribute attribute : attributes) {
    if (attribute.isStringAttribute()) not_covered("the attribute " + attribute.getAsString());
    switch (attribute.getKindAsEnum()) {
      case Attribute::NoUndef: out.defined = true; break;
      case Attribute::NonNull: out.not_null = true; break;
      case Attribute::Alignment: out.alignment = attribute.getAlignment().valueOrOne().value(); break;
      case Attribute::Dereferenceable: out.bytes = attribute.getDereferenceableBytes(); break;
      case Attribute::DereferenceableOrNull: out.bytes_or_null = attribute.getDereferenceableOrNullBytes(); break;
      case Attribute::Range: out.ranges.push_back(attribute.getRange()); break;
      case Attribute::StructRet:
        out.written = layout_.getTypeAllocSize(attribute.getValueAsType()).getFixedValue();
        out.alignment_written = layout_.getABITypeAlign(attribute.getValueAsType()).value();
        break;
      case Attribute::ByVal:     // a copy, which the call makes
      case Attribute::Returned:  // compared after the call
      case Attribute::ZExt:      // how a register is filled
      case Attribute::SExt:
      case Attribute::InReg:
      case Attribute::ImmArg:
      case Attribute::DeadOnUnwind:  // what unwinds is not covered
      case Attribute::Writable:      // of what is dereferenceable: says that a write may be added, which adds no input
      case Attribute::NoAlias:
      case Attribute::NoCapture:
      case Attribute::NoFree:
      case Attribute::ReadNone:
      case Attribute::ReadOnly:
      case Attribute::WriteOnly: break;
      default: not_covered("the attribute " + attribute.getAsString());
    }
  }
  return out;
}

Executor::Promises Executor::promises_of(const llvm::Instruction& instruction) {
  using llvm::LLVMContext;
  Promises out;
  if (!instruction.hasMetadataOtherThanDebugLoc()) return out;
  const auto number = [](const llvm::MDNode& node) {
    return llvm::mdconst::extract<llvm::ConstantInt>(node.getOperand(0))->getZExtValue();
  };
  llvm::SmallVector<std::pair<unsigned, llvm::MDNode*>, 4> all;
  instruction.getAllMetadataOtherThanDebugLoc(all);
  for (const auto& [kind, node] : all) {
    switch (kind) {
      case LLVMContext::MD_noundef: out.defined = true; break;
      case LLVMContext::MD_nonnull: out.not_null = true; break;
      case LLVMContext::MD_align: out.alignment = number(*node); break;
      case LLVMContext::MD_dereferenceable: out.bytes = number(*node); break;
      case LLVMContext::MD_dereferenceable_or_null: out.bytes_or_null = number(*node); break;
      case LLVMContext::MD_range:
        for (unsigned i = 0; i + 1 < node->getNumOperands(); i += 2) {
          out.ranges.emplace_back(llvm::mdconst::extract<llvm::ConstantInt>(node->getOperand(i))->getValue(),
                                  llvm::mdconst::extract<llvm::ConstantInt>(node->getOperand(i + 1))->getValue());
        }
        break;
      case LLVMContext::MD_tbaa:  // aliasing: assumed
      case LLVMContext::MD_tbaa_struct:
      case LLVMContext::MD_alias_scope:
      case LLVMContext::MD_noalias:
      case LLVMContext::MD_prof:  // hints
      case LLVMContext::MD_unpredictable:
      case LLVMContext::MD_nontemporal:
      case LLVMContext::MD_annotation:
      case LLVMContext::MD_nosanitize:
      case LLVMContext::MD_loop:  // at most that the loop ends, which is an obligation
      case LLVMContext::MD_DIAssignID: break;
      default: {
        llvm::SmallVector<llvm::StringRef> names;
        instruction.getContext().getMDKindNames(names);
        if (names[kind] == "srcloc") break;  // where assembly is in the source
        not_covered("the metadata " + names[kind].str());
      }
    }
  }
  // A result that is noundef, and outside of the range, is undefined, not only poison.
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (call != nullptr && call->hasRetAttr(llvm::Attribute::NoUndef)) out.defined = true;
  return out;
}

/// The value with poison where a promise does not hold; what is undefined at once becomes an obligation.
Value Executor::kept(const Promises& promises, Value value, const std::string& what) {
  const bool of_address = promises.not_null || promises.alignment > 1;
  for (Lane& lane : value) {
    if (of_address) {
      if (!lane.points() && lane.poison != yes) not_covered("a promise about an address that was a number");
      for (const Target& target : lane.targets) {
        const auto poison_if = [&](Literal when) {
          lane.poison = g_.either(lane.poison, g_.both(target.condition, when));
        };
        if (promises.not_null && target.object == null_object) poison_if(!words_.any(lane.bits));
        if (promises.alignment > 1) poison_if(misaligned(lane, target, promises.alignment));
      }
    }
    if (!promises.ranges.empty()) lane.poison = g_.either(lane.poison, !inside(lane, promises.ranges));
  }
  if (promises.defined) not_poison(value, what + " is poison");
  if (promises.bytes > 0) accessed(value.front(), promises.bytes, 1, false);
  if (promises.written > 0) accessed(value.front(), promises.written, promises.alignment_written, true);
  if (promises.bytes_or_null > 0) {
    Lane elsewhere = value.front();
    undefined(elsewhere.poison, what + " is poison");
    std::erase_if(elsewhere.targets, [](const Target& target) { return target.object == null_object; });
    if (elsewhere.points()) accessed(elsewhere, promises.bytes_or_null, 1, false);
  }
  return value;
}

/// Whether an address is no multiple of the alignment, if it points to the target.
Literal Executor::misaligned(const Lane& pointer, const Target& target, std::uint64_t alignment) {
  if (target.object != null_object) {
    const bool lives = memory_.contains(target.object) || constants_.contains(target.object);
    if (!lives) not_covered("a promised alignment of an object after its lifetime");
    if (object(target.object).alignment % alignment != 0)
      not_covered("an address that is aligned more than its object");
  }
  Literal out = no;
  for (std::size_t bit = 0; (std::uint64_t{1} << bit) < alignment; ++bit) out = g_.either(out, pointer.bits[bit]);
  return out;
}

/// Whether a number lies in one of the ranges.
Literal Executor::inside(const Lane& lane, const std::vector<llvm::ConstantRange>& ranges) {
  if (lane.points()) not_covered("a promised range of an address");
  Literal out = no;
  for (const llvm::ConstantRange& range : ranges) {
    // Lower ≤ x < upper, modulo 2^width.
    const Word distance = words_.subtract(lane.bits, word_of(range.getLower())).bits;
    const Word size = words_.subtract(word_of(range.getUpper()), word_of(range.getLower())).bits;
    out = g_.either(out, range.isFullSet() ? yes : words_.less(distance, size));
  }
  return out;
}

/// A parameter that is promised to be the result.
void Executor::is_returned(const Value& argument, const Value& result) {
  if (argument == result) return;
  for (std::size_t i = 0; i < argument.size(); ++i) {
    if (argument[i].points() || result[i].points()) not_covered("an address that is promised to be returned");
    const Literal differs = g_.either(argument[i].poison, !words_.equal(argument[i].bits, result[i].bits));
    undefined(g_.both(!result[i].poison, differs), "an argument that is promised to be returned is not");
  }
}

}  // namespace lockstep::proof
