#include "proof/program.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include <ranges>

namespace lockstep::proof {

std::string Place::text() const { return file.empty() ? "(no source line)" : file + ":" + std::to_string(line); }

Place place_of(const llvm::Instruction& instruction) {
  Place out;
  llvm::raw_string_ostream stream{out.instruction};
  instruction.print(stream);
  if (const std::size_t metadata = out.instruction.find(", !"); metadata != std::string::npos) {
    out.instruction.resize(metadata);
  }
  out.instruction.erase(0, out.instruction.find_first_not_of(' '));
  if (const llvm::DILocation* location = instruction.getDebugLoc()) {
    out.file = location->getFilename().str();
    out.line = location->getLine();
  }
  return out;
}

namespace {

void canonicalise_loops(llvm::Module& module) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::LoopSimplifyPass());
  passes.addPass(llvm::LCSSAPass());
  for (llvm::Function& function : module) {
    if (!function.isDeclaration()) passes.run(function, functions);
  }
}

/// Orders a region: the function (loop: null) or the body of a loop. An inner loop counts as one block, its header.
class Ordering {
 public:
  Ordering(const llvm::LoopInfo& loops, std::vector<const llvm::BasicBlock*>& out) : loops_{loops}, out_{out} {}

  void append(const llvm::Loop* region, const llvm::BasicBlock* entry) {
    std::vector<const llvm::BasicBlock*> finished;
    std::unordered_set<const llvm::BasicBlock*> seen;
    const auto visit = [&](const auto& self, const llvm::BasicBlock* block) -> void {
      if (!seen.insert(block).second) return;
      for (const llvm::BasicBlock* next : successors(region, block)) {
        if (next != entry && (region == nullptr || region->contains(next))) self(self, next);
      }
      finished.push_back(block);
    };
    visit(visit, entry);
    for (const llvm::BasicBlock* block : finished | std::views::reverse) {
      if (const llvm::Loop* inner = loop_inside(region, block)) {
        append(inner, block);
      } else {
        out_.push_back(block);
      }
    }
  }

 private:
  /// The outermost loop in the region that contains the block, which is then its header if the graph is reducible.
  const llvm::Loop* loop_inside(const llvm::Loop* region, const llvm::BasicBlock* block) const {
    const llvm::Loop* loop = loops_.getLoopFor(block);
    if (loop == region) return nullptr;
    while (loop->getParentLoop() != region) loop = loop->getParentLoop();
    return loop;
  }

  std::vector<const llvm::BasicBlock*> successors(const llvm::Loop* region, const llvm::BasicBlock* block) const {
    std::vector<const llvm::BasicBlock*> out;
    if (const llvm::Loop* inner = loop_inside(region, block)) {
      llvm::SmallVector<llvm::BasicBlock*, 8> exits;
      inner->getExitBlocks(exits);
      out.assign(exits.begin(), exits.end());
    } else {
      out.assign(llvm::succ_begin(block), llvm::succ_end(block));
    }
    return out;
  }

  const llvm::LoopInfo& loops_;
  std::vector<const llvm::BasicBlock*>& out_;
};

BlockOrder ordered(const llvm::Function& function) {
  BlockOrder out;
  const llvm::DominatorTree dominators{const_cast<llvm::Function&>(function)};
  const llvm::LoopInfo loops{dominators};
  Ordering{loops, out.blocks}.append(nullptr, &function.getEntryBlock());
  for (std::size_t i = 0; i < out.blocks.size(); ++i) out.number[out.blocks[i]] = static_cast<int>(i);
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
    out.loops[loop->getHeader()] = {loop->block_begin(), loop->block_end()};
    if (!loop->isLoopSimplifyForm() || !loop->isLCSSAForm(dominators)) out.reducible = false;
  }
  for (const llvm::BasicBlock* block : out.blocks) {
    for (const llvm::BasicBlock* next : llvm::successors(block)) {
      if (out.number.at(next) > out.number.at(block)) continue;
      const auto loop = out.loops.find(next);
      if (loop == out.loops.end() || !loop->second.contains(block)) out.reducible = false;
    }
  }
  return out;
}

/// The executor's memory is x86-64's: little-endian, one address space, addresses of 64 bits.
void refuse_other_memory(const llvm::Module& module) {
  const llvm::DataLayout& layout = module.getDataLayout();
  if (!layout.isLittleEndian() || layout.getPointerSizeInBits(0) != 64 || layout.getIndexSizeInBits(0) != 64)
    throw BadProgram{"the program is for a processor that is not little-endian with addresses of 64 bits"};
  const auto check = [](const llvm::Type* type) {
    const auto* pointer = llvm::dyn_cast<llvm::PointerType>(type->getScalarType());
    if (pointer != nullptr && pointer->getAddressSpace() != 0) throw BadProgram{"an address in another address space"};
  };
  for (const llvm::GlobalVariable& global : module.globals()) check(global.getType());
  for (const llvm::Function& function : module) {
    for (const llvm::Argument& argument : function.args()) check(argument.getType());
    for (const llvm::BasicBlock& block : function) {
      for (const llvm::Instruction& instruction : block) check(instruction.getType());
    }
  }
}

}  // namespace

Program::Program(std::unique_ptr<llvm::LLVMContext> context, std::unique_ptr<llvm::Module> module)
    : context_{std::move(context)}, module_{std::move(module)} {
  std::string errors;
  llvm::raw_string_ostream stream{errors};
  if (llvm::verifyModule(*module_, &stream)) throw BadProgram{"LLVM's verifier refuses the program: " + errors};
  refuse_other_memory(*module_);
  canonicalise_loops(*module_);
}
Program::Program(Program&&) noexcept = default;
Program::~Program() {
  orders_.clear();
  module_.reset();  // before its context
}

Program Program::from_file(const std::filesystem::path& file) {
  auto context = std::make_unique<llvm::LLVMContext>();
  llvm::SMDiagnostic error;
  auto module = llvm::parseIRFile(file.string(), error, *context);
  if (!module) throw BadProgram{file.string() + ": " + error.getMessage().str()};
  return {std::move(context), std::move(module)};
}

const llvm::Function* Program::function(const std::string& symbol) const {
  const llvm::Function* found = module_->getFunction(symbol);
  return found != nullptr && !found->isDeclaration() ? found : nullptr;
}

const BlockOrder& Program::order(const llvm::Function& function) {
  const auto known = orders_.find(&function);
  return known != orders_.end() ? known->second : orders_.emplace(&function, ordered(function)).first->second;
}

std::map<std::string, std::unordered_set<unsigned>> Program::lines() const {
  std::map<std::string, std::unordered_set<unsigned>> out;
  for (const llvm::Function& function : *module_) {
    for (const llvm::BasicBlock& block : function) {
      for (const llvm::Instruction& instruction : block) {
        const llvm::DILocation* location = instruction.getDebugLoc();
        if (location == nullptr || location->getLine() == 0 || llvm::isa<llvm::DbgInfoIntrinsic>(instruction)) continue;
        out[location->getFilename().str()].insert(location->getLine());
      }
    }
  }
  return out;
}

}  // namespace lockstep::proof
