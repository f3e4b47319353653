// Executes LLVM IR on symbols: all inputs at once, into a graph.
//
// Every block of a function is executed once for all paths that lead to it: values are chosen at phi nodes by the
// conditions of the edges, memories likewise. A loop is executed again while some input can be in it, as far as the
// graph alone knows; how often at most is a limit, and that no input goes on beyond the limit is an obligation.
//
// The compiler's assumptions are not taken on trust: no undefined behaviour, no poison where it matters, no access
// outside an object. Each such assumption becomes an obligation. An instruction that is not known is one too, namely
// never to be reached. Results mean something only if all obligations hold.
#pragma once

#include <llvm/IR/Attributes.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "proof/memory.hpp"
#include "proof/program.hpp"
#include "proof/solver.hpp"

namespace lockstep::proof {

struct Obligation {
  enum class Kind {
    defined,     // else the program has undefined behaviour
    loop_ends,   // else a loop takes more rounds than the limit
    understood,  // else something is reached that the executor does not know
  };
  Kind kind;
  Literal violated;  // must never hold
  std::string what;  // of the violation
  Place place;
};

/// The deadline passed during an execution.
struct OutOfTime {};

Word word_of(const llvm::APInt& number);

class Executor {
 public:
  struct Limits {
    int rounds = 64;  // of a loop whose end depends on the input
    int depth = 100;  // of calls
    Clock::time_point deadline = Clock::time_point::max();
  };
  struct Outcome {
    Value value;
    Memory memory;
  };

  Executor(Graph& graph, Program& program, Limits limits);

  /// The result of a call; nothing if no path returns.
  std::optional<Outcome> call(const llvm::Function& function, std::vector<Value> arguments, Memory memory);

  /// A new object, and a pointer to its start.
  Lane add_object(Memory& memory, Object contents);

  const std::vector<Obligation>& obligations() const { return obligations_; }

  /// When each edge of a branch is taken: conditions, one for each time that the block was executed.
  using Edges = std::map<std::pair<const llvm::Instruction*, unsigned>, std::vector<Literal>>;
  const Edges& edges() const { return edges_; }
  /// The lines of the executed instructions, by file; 0 is a line that is not known.
  using Lines = std::map<std::string, std::set<unsigned>>;
  const Lines& lines() const { return lines_; }
  /// The lines of the calls through which they were inlined.
  const Lines& inlined_at() const { return inlined_at_; }
  /// The name of an executed function that has no debug information; empty if all have.
  const std::string& without_source() const { return without_source_; }

 private:
  /// Ends a path: what happens there is undefined or not known.
  struct Stop {
    Obligation::Kind kind;
    std::string what;
  };
  struct Edge {
    const llvm::BasicBlock* from = nullptr;
    Literal guard;
    Memory memory;
    std::vector<Value> phis = {};  // in the order of the target's phi nodes
  };
  struct Frame {
    const llvm::Function* function;
    const BlockOrder* order;
    std::unordered_map<const llvm::Value*, Value> values = {};
    std::map<int, std::vector<Edge>> pending = {};  // by the target's number
    struct Rounds {
      int taken = 0;
      Literal guard = no;  // of the header's last execution
    };
    std::unordered_map<const llvm::BasicBlock*, Rounds> rounds = {};
    std::vector<Edge> returns = {};  // phis: the returned value
    std::vector<int> locals = {};    // objects
  };

  // executor.cpp: control flow
  std::optional<Outcome> run(const llvm::Function& function, std::vector<Value> arguments, Memory memory);
  void run_block(Frame& frame, const llvm::BasicBlock& block, std::vector<Edge> edges);
  void leave(Frame& frame, const llvm::Instruction& terminator);
  void leave_by_branch(Frame& frame, const llvm::BranchInst& branch);
  void leave_by_switch(Frame& frame, const llvm::SwitchInst& choice);
  void go(Frame& frame, const llvm::BasicBlock& from, const llvm::BasicBlock& to, Literal condition);
  Literal merged_guard(const std::vector<Edge>& edges);
  void merge(const std::vector<Edge>& edges, Literal guard, Memory& memory, std::vector<Value>& values);
  Value execute(Frame& frame, const llvm::Instruction& instruction);
  static const llvm::Function& callee_of(const llvm::CallBase& call);
  Value argument_of(Frame& frame, const llvm::CallBase& call, unsigned i);
  Value call_function(Frame& frame, const llvm::CallBase& call);
  void note(const llvm::DILocation& location);
  void require(Obligation::Kind kind, Literal violated, std::string what);
  /// An obligation on this path: `when` must not hold.
  void undefined(Literal when, std::string what);
  void not_poison(const Value& value, const std::string& what);
  [[noreturn]] static void not_covered(std::string what) { throw Stop{Obligation::Kind::understood, std::move(what)}; }

  // promises.cpp: what attributes and metadata say of a value
  struct Promises {
    bool defined = false;
    bool not_null = false;
    std::uint64_t alignment = 1;
    std::uint64_t bytes = 0;          // that can be read at the address
    std::uint64_t bytes_or_null = 0;  // the same, unless it is null
    std::uint64_t written = 0;        // bytes that can be written there
    std::uint64_t alignment_written = 1;
    std::vector<llvm::ConstantRange> ranges = {};  // the number lies in one of them; empty: anywhere
  };
  Promises promises_of(llvm::AttributeSet attributes) const;
  static Promises promises_of(const llvm::Instruction& instruction);
  Value kept(const Promises& promises, Value value, const std::string& what);
  Literal misaligned(const Lane& pointer, const Target& target, std::uint64_t alignment);
  Literal inside(const Lane& lane, const std::vector<llvm::ConstantRange>& ranges);
  void is_returned(const Value& argument, const Value& result);

  // storage.cpp: constants, addresses, memory
  const Value& operand(Frame& frame, const llvm::Value* value);
  Value constant(const llvm::Constant* constant);
  Value unknown_of(const llvm::Type* type);  // poison
  Lane address_of(const llvm::GlobalVariable& global);
  void initialise(Bytes& bytes, std::size_t offset, const llvm::Constant* contents);
  const Object& object(int number) const;
  Value allocate(Frame& frame, const llvm::AllocaInst& alloca);
  Literal stays_inside(int number, const Word& start, const Word& distance, const Word& end);
  Value element_address(Frame& frame, const llvm::GEPOperator& address);
  Lane moved(const Lane& pointer, const Word& distance);
  Value load(Frame& frame, const llvm::LoadInst& load);
  void store(Frame& frame, const llvm::StoreInst& store);
  Bytes read(const Lane& pointer, std::size_t count, std::uint64_t alignment);
  void write(const Lane& pointer, const Bytes& bytes, std::uint64_t alignment);
  /// The obligations of an access; the targets that are left are objects of at least `count` bytes.
  std::vector<Target> accessed(const Lane& pointer, std::size_t count, std::uint64_t alignment, bool writes);
  void check_accessed(llvm::Type* type);
  Value from_bytes(llvm::Type* type, const Bytes& bytes);
  Bytes to_bytes(llvm::Type* type, const Value& value);
  std::size_t lanes_of(const llvm::Type* type) const;
  std::size_t stored_size(llvm::Type* type) const;
  std::size_t first_lane(const llvm::Type* aggregate, llvm::ArrayRef<unsigned> indices) const;

  // arithmetic.cpp: operations on lanes
  Lane binary(const llvm::BinaryOperator& operation, const Lane& a, const Lane& b);
  void poison_if(Lane& lane, Literal when);
  Lane address_arithmetic(const llvm::BinaryOperator& operation, const Lane& a, const Lane& b);
  Lane multiplied(const llvm::BinaryOperator& operation, const Lane& a, const Lane& b);
  Lane divided(const llvm::BinaryOperator& operation, const Lane& a, const Lane& b);
  Lane shifted(const llvm::BinaryOperator& operation, const Lane& a, const Lane& b);
  Lane compare(llvm::CmpInst::Predicate predicate, const Lane& a, const Lane& b);
  Literal compare_words(llvm::CmpInst::Predicate predicate, const Word& a, const Word& b);
  Literal compare_pointers(llvm::CmpInst::Predicate predicate, const Lane& a, const Lane& b);
  void outside_of(const Target& target, const Lane& address);
  Value cast(const llvm::CastInst& cast, const Value& from);
  Value bit_cast(const Value& from, llvm::Type* to);
  Value select(const Value& condition, const Value& then, const Value& otherwise);
  Value freeze(const Value& value);
  Value shuffle(const llvm::ShuffleVectorInst& shuffle, const Value& a, const Value& b);
  Value extract_element(const Value& vector, const Lane& index);
  Value insert_element(const Value& vector, const Lane& element, const Lane& index);

  // intrinsics.cpp
  Value intrinsic(Frame& frame, const llvm::IntrinsicInst& call);
  Value value_of(const llvm::IntrinsicInst& call, const std::vector<Value>& arguments);
  std::optional<Lane> lane_intrinsic(llvm::Intrinsic::ID id, const std::vector<Lane>& arguments);
  Word funnel_shifted(llvm::Intrinsic::ID id, const Word& high, const Word& low, const Word& amount);
  Value overflow_intrinsic(llvm::Intrinsic::ID id, const Value& a, const Value& b);
  std::optional<Lane> reduction(llvm::Intrinsic::ID id, const Value& vector);
  void overlapping(const Lane& to, const Lane& from, std::size_t count);
  void masked_store(Frame& frame, const llvm::IntrinsicInst& call);
  bool memory_intrinsic(Frame& frame, const llvm::IntrinsicInst& call);

  Graph& g_;
  Words words_;
  MemoryModel model_;
  Program& program_;
  const llvm::DataLayout& layout_;
  Limits limits_;

  std::vector<Obligation> obligations_;
  Edges edges_;
  Lines lines_;
  Lines inlined_at_;
  std::unordered_set<const llvm::DILocation*> noted_;
  std::string without_source_;
  std::unordered_map<const llvm::GlobalVariable*, int> globals_;
  Memory constants_;  // the constant globals: they are part of every memory, and never change
  int objects_ = 1;
  int depth_ = 0;
  std::size_t steps_ = 0;

  // Where execution is.
  const llvm::Instruction* instruction_ = nullptr;
  Literal guard_ = yes;
  Memory memory_;
};

}  // namespace lockstep::proof
