// LLVM IR as the executor wants it: read, verified, and with the blocks of each function in an order in
// which they can be executed.
//
// Two of LLVM's own transformations are applied first, loop-simplify and lcssa: a loop then has one back edge, and a
// value made in a loop leaves it through a phi node only. So a value of an earlier iteration is never asked for.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
class LLVMContext;
class Module;
}  // namespace llvm

namespace lockstep::proof {

/// A file that is not valid bitcode, or IR that LLVM's verifier refuses.
struct BadProgram : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A source line; `instruction` is the IR text, for messages.
struct Place {
  std::string file;
  unsigned line = 0;
  std::string instruction = {};

  std::string text() const;  // "optimized/puyo/lanes.hpp:171"
};
Place place_of(const llvm::Instruction& instruction);

/// The order of a function's blocks: topological, each loop in one piece. Edges that go backward lead to a loop's
/// header.
struct BlockOrder {
  std::unordered_map<const llvm::BasicBlock*, int> number;
  std::vector<const llvm::BasicBlock*> blocks;
  std::unordered_map<const llvm::BasicBlock*, std::unordered_set<const llvm::BasicBlock*>> loops;  // by header
  bool reducible = true;  // false: an edge goes backward into the middle of a loop
};

class Program {
 public:
  /// From bitcode or the text form of IR.
  static Program from_file(const std::filesystem::path& file);
  Program(std::unique_ptr<llvm::LLVMContext> context, std::unique_ptr<llvm::Module> module);
  Program(Program&&) noexcept;
  ~Program();

  const llvm::Module& module() const { return *module_; }
  /// Null if there is none with a body.
  const llvm::Function* function(const std::string& symbol) const;
  const BlockOrder& order(const llvm::Function& function);
  /// The numbers of the lines that have instructions, by file.
  std::map<std::string, std::unordered_set<unsigned>> lines() const;

 private:
  std::unique_ptr<llvm::LLVMContext> context_;
  std::unique_ptr<llvm::Module> module_;
  std::unordered_map<const llvm::Function*, BlockOrder> orders_;
};

}  // namespace lockstep::proof
