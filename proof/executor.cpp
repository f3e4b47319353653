#include "proof/executor.hpp"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Module.h>

#include <utility>

namespace lockstep::proof {

Word word_of(const llvm::APInt& number) {
  Word out(number.getBitWidth());
  for (unsigned i = 0; i < number.getBitWidth(); ++i) out[i] = truth(number[i]);
  return out;
}

Executor::Executor(Graph& graph, Program& program, Limits limits)
    : g_{graph},
      words_{graph},
      model_{graph},
      program_{program},
      layout_{program.module().getDataLayout()},
      limits_{limits} {}

Lane Executor::add_object(Memory& memory, Object contents) {
  memory.set(objects_, std::move(contents));
  return {.bits = Words::constant(0, pointer_bits), .poison = no, .targets = {{yes, objects_++}}};
}

void Executor::require(Obligation::Kind kind, Literal violated, std::string what) {
  if (violated == no) return;
  obligations_.push_back(
      {kind, violated, std::move(what), instruction_ != nullptr ? place_of(*instruction_) : Place{}});
}

void Executor::undefined(Literal when, std::string what) {
  require(Obligation::Kind::defined, g_.both(guard_, when), std::move(what));
}

void Executor::not_poison(const Value& value, const std::string& what) {
  for (const Lane& lane : value) undefined(lane.poison, what);
}

/// The line of an instruction that is executed, and those of the calls through which it was inlined.
void Executor::note(const llvm::DILocation& location) {
  if (!noted_.insert(&location).second) return;
  lines_[location.getFilename().str()].insert(location.getLine());
  for (const llvm::DILocation* at = location.getInlinedAt(); at != nullptr; at = at->getInlinedAt()) {
    inlined_at_[at->getFilename().str()].insert(at->getLine());
  }
}

std::optional<Executor::Outcome> Executor::call(const llvm::Function& function, std::vector<Value> arguments,
                                                Memory memory) {
  guard_ = yes;
  depth_ = 0;
  try {
    return run(function, std::move(arguments), std::move(memory));
  } catch (const Stop& stop) {  // before its first instruction
    require(stop.kind, yes, stop.what);
  } catch (const Unmergeable&) {
    require(Obligation::Kind::understood, yes, "a pointer and a number are returned in one place");
  }
  return std::nullopt;
}

// Blocks ---------------------------------------------------------------------------------------

/// Executes a function under the guard of its caller. Always continues with the pending block of the lowest number: all
/// rounds of a loop come before what follows it.
std::optional<Executor::Outcome> Executor::run(const llvm::Function& function, std::vector<Value> arguments,
                                               Memory memory) {
  if (depth_ >= limits_.depth) not_covered("calls are nested too deeply: " + function.getName().str());
  Frame frame{.function = &function, .order = &program_.order(function)};
  if (function.getSubprogram() == nullptr) without_source_ = function.getName().str();
  if (!frame.order->reducible) not_covered("a loop with two entries in " + function.getName().str());
  memory_ = std::move(memory);
  for (unsigned i = 0; i < arguments.size(); ++i) {
    frame.values[function.getArg(i)] =
        kept(promises_of(function.getAttributes().getParamAttrs(i)), std::move(arguments[i]), "an argument");
  }
  frame.pending[0].push_back({.guard = guard_, .memory = std::move(memory_)});
  ++depth_;
  while (!frame.pending.empty()) {
    auto next = frame.pending.extract(frame.pending.begin());
    run_block(frame, *frame.order->blocks[static_cast<std::size_t>(next.key())], std::move(next.mapped()));
  }
  --depth_;
  if (frame.returns.empty()) return std::nullopt;
  Outcome out;
  std::vector<Value> values;
  merge(frame.returns, merged_guard(frame.returns), out.memory, values);
  if (!values.empty()) out.value = std::move(values.front());
  for (const int local : frame.locals) out.memory.remove(local);
  return out;
}

void Executor::run_block(Frame& frame, const llvm::BasicBlock& block, std::vector<Edge> edges) {
  guard_ = merged_guard(edges);
  if (const auto loop = frame.order->loops.find(&block); loop != frame.order->loops.end()) {
    // Rounds count from the first one that an input decided on; loops with a known number of rounds have no limit. When
    // all numbers of rounds that the input can ask for have passed, the guard stays the same, and never holds.
    Frame::Rounds& rounds = frame.rounds[&block];
    const bool again = edges.front().from != nullptr && loop->second.contains(edges.front().from);
    if (!again) rounds.taken = 0;
    const bool decided = rounds.taken > 0 || rounds.guard != guard_;
    if (again && decided && ++rounds.taken > limits_.rounds) {
      instruction_ = block.getTerminator();
      return require(Obligation::Kind::loop_ends, guard_,
                     "a loop takes more than " + std::to_string(limits_.rounds) + " rounds");
    }
    rounds.guard = guard_;
  }
  std::vector<Value> phis;
  instruction_ = &block.front();
  try {
    merge(edges, guard_, memory_, phis);
  } catch (const Unmergeable&) {
    return require(Obligation::Kind::understood, guard_, "a pointer and a number meet in one place");
  }
  std::size_t number = 0;
  for (const llvm::Instruction& instruction : block) {
    instruction_ = &instruction;
    if (llvm::isa<llvm::PHINode>(instruction)) {
      frame.values[&instruction] = std::move(phis[number++]);
      continue;
    }
    if (llvm::isa<llvm::DbgInfoIntrinsic>(instruction)) continue;
    if (++steps_ % 256 == 0 && Clock::now() >= limits_.deadline) throw OutOfTime{};
    if (const llvm::DILocation* location = instruction.getDebugLoc()) note(*location);
    try {
      if (instruction.isTerminator()) return leave(frame, instruction);
      frame.values[&instruction] = execute(frame, instruction);
    } catch (const Stop& stop) {
      return require(stop.kind, guard_, stop.what);
    } catch (const Unmergeable&) {
      return require(Obligation::Kind::understood, guard_, "a pointer and a number meet in one place");
    }
  }
}

/// The condition under which one of the edges is taken. Edges exclude one another, so those that part at a branch and
/// meet again give the branch's own condition, if pairs are joined in the right order.
Literal Executor::merged_guard(const std::vector<Edge>& edges) {
  std::vector<Literal> guards;
  for (const Edge& edge : edges) guards.push_back(edge.guard);
  const auto join_a_pair = [&] {
    for (std::size_t i = 0; i < guards.size(); ++i) {
      for (std::size_t k = i + 1; k < guards.size(); ++k) {
        const std::size_t before = g_.size();
        const Literal joined = g_.either(guards[i], guards[k]);
        if (g_.size() != before) continue;  // nothing was simplified
        guards[i] = joined;
        guards.erase(guards.begin() + static_cast<std::ptrdiff_t>(k));
        return true;
      }
    }
    return false;
  };
  constexpr std::size_t many = 40;  // beyond, looking at all pairs takes too long
  while (guards.size() > 1 && guards.size() <= many && join_a_pair()) {
  }
  return g_.any(guards);
}

/// Under `guard`, exactly one edge is taken: the last one needs no condition.
void Executor::merge(const std::vector<Edge>& edges, Literal guard, Memory& memory, std::vector<Value>& values) {
  memory = edges.back().memory;
  values = edges.back().phis;
  for (std::size_t i = edges.size() - 1; i-- > 0;) {
    Literal condition = edges[i].guard;
    if (!is_constant(condition) && !condition.complemented() && !g_.is_input(condition.node())) {
      // What all edges have in common does not decide among them.
      const auto [left, right] = g_.operands(condition.node());
      if (left == guard) condition = right;
      else if (right == guard) condition = left;
    }
    memory = model_.choose(condition, edges[i].memory, memory);
    for (std::size_t k = 0; k < values.size(); ++k) {
      values[k] = model_.choose(condition, edges[i].phis[k], values[k]);
    }
  }
}

void Executor::leave(Frame& frame, const llvm::Instruction& terminator) {
  static_cast<void>(promises_of(terminator));  // metadata that is not known is not covered
  const llvm::BasicBlock& from = *terminator.getParent();
  if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&terminator)) return leave_by_branch(frame, *branch);
  if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&terminator)) return leave_by_switch(frame, *choice);
  if (const auto* back = llvm::dyn_cast<llvm::ReturnInst>(&terminator)) {
    Edge edge{.from = &from, .guard = guard_, .memory = memory_};
    if (const llvm::Value* value = back->getReturnValue()) {
      const llvm::AttributeSet attributes = frame.function->getAttributes().getRetAttrs();
      edge.phis.push_back(kept(promises_of(attributes), operand(frame, value), "a result"));
    }
    frame.returns.push_back(std::move(edge));
    return;
  }
  if (llvm::isa<llvm::UnreachableInst>(terminator)) return undefined(yes, "code that must be unreachable is reached");
  if (const auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&terminator)) {
    // What throws is not covered, so it returns.
    frame.values[invoke] = kept(promises_of(terminator), call_function(frame, *invoke), "a result");
    return go(frame, from, *invoke->getNormalDest(), yes);
  }
  not_covered(std::string("the instruction ") + terminator.getOpcodeName());
}

void Executor::leave_by_branch(Frame& frame, const llvm::BranchInst& branch) {
  const llvm::BasicBlock& from = *branch.getParent();
  if (branch.isUnconditional()) return go(frame, from, *branch.getSuccessor(0), yes);
  const Lane condition = operand(frame, branch.getCondition()).front();
  undefined(condition.poison, "a branch on poison");
  const Literal taken = condition.bits.front();
  edges_[{&branch, 0}].push_back(g_.both(guard_, taken));
  edges_[{&branch, 1}].push_back(g_.both(guard_, !taken));
  if (branch.getSuccessor(0) == branch.getSuccessor(1)) return go(frame, from, *branch.getSuccessor(0), yes);
  go(frame, from, *branch.getSuccessor(0), taken);
  return go(frame, from, *branch.getSuccessor(1), !taken);
}

void Executor::leave_by_switch(Frame& frame, const llvm::SwitchInst& choice) {
  const Lane value = operand(frame, choice.getCondition()).front();
  if (value.points()) not_covered("a switch on an address");
  undefined(value.poison, "a switch on poison");
  std::vector<std::pair<const llvm::BasicBlock*, Literal>> ways;
  const auto add = [&](const llvm::BasicBlock* to, Literal condition) {
    for (auto& [target, taken] : ways) {
      if (target == to) {
        taken = g_.either(taken, condition);
        return;
      }
    }
    ways.emplace_back(to, condition);
  };
  Literal none = yes;
  for (const auto& each : choice.cases()) {
    const Literal equal = words_.equal(value.bits, constant(each.getCaseValue()).front().bits);
    none = g_.both(none, !equal);
    add(each.getCaseSuccessor(), equal);
    edges_[{&choice, each.getSuccessorIndex()}].push_back(g_.both(guard_, equal));
  }
  add(choice.getDefaultDest(), none);
  if (!llvm::isa<llvm::UnreachableInst>(choice.getDefaultDest()->front())) {
    edges_[{&choice, 0}].push_back(g_.both(guard_, none));
  }
  for (const auto& [to, condition] : ways) go(frame, *choice.getParent(), *to, condition);
}

void Executor::go(Frame& frame, const llvm::BasicBlock& from, const llvm::BasicBlock& to, Literal condition) {
  const Literal guard = g_.both(guard_, condition);
  if (guard == no) return;
  Edge edge{.from = &from, .guard = guard, .memory = memory_};
  for (const llvm::PHINode& phi : to.phis()) {
    edge.phis.push_back(operand(frame, phi.getIncomingValueForBlock(&from)));
  }
  frame.pending[frame.order->number.at(&to)].push_back(std::move(edge));
}

// Instructions ---------------------------------------------------------------------------------

Value Executor::execute(Frame& frame, const llvm::Instruction& instruction) {
  const auto value = [&](unsigned i) -> const Value& { return operand(frame, instruction.getOperand(i)); };
  const auto each_lane = [&](auto&& operation) {
    const Value& a = value(0);
    const Value& b = value(1);
    Value out;
    for (std::size_t i = 0; i < a.size(); ++i) out.push_back(operation(a[i], b[i]));
    return out;
  };
  if (instruction.getType()->isFPOrFPVectorTy()) not_covered("floating-point arithmetic");
  const Promises promises = promises_of(instruction);  // only loads and calls can have any

  if (const auto* it = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) {
    return each_lane([&](const Lane& a, const Lane& b) { return binary(*it, a, b); });
  }
  if (const auto* it = llvm::dyn_cast<llvm::ICmpInst>(&instruction)) {
    return each_lane([&](const Lane& a, const Lane& b) { return compare(it->getPredicate(), a, b); });
  }
  if (const auto* it = llvm::dyn_cast<llvm::CastInst>(&instruction)) return cast(*it, value(0));
  if (llvm::isa<llvm::SelectInst>(instruction)) return select(value(0), value(1), value(2));
  if (llvm::isa<llvm::FreezeInst>(instruction)) return freeze(value(0));
  if (const auto* it = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction)) return shuffle(*it, value(0), value(1));
  if (llvm::isa<llvm::ExtractElementInst>(instruction)) return extract_element(value(0), value(1).front());
  if (llvm::isa<llvm::InsertElementInst>(instruction)) {
    return insert_element(value(0), value(1).front(), value(2).front());
  }
  if (const auto* it = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction)) {
    const Value& whole = value(0);
    const auto first =
        whole.begin() + static_cast<std::ptrdiff_t>(first_lane(it->getAggregateOperand()->getType(), it->getIndices()));
    return {first, first + static_cast<std::ptrdiff_t>(lanes_of(it->getType()))};
  }
  if (const auto* it = llvm::dyn_cast<llvm::InsertValueInst>(&instruction)) {
    Value out = value(0);
    const std::size_t first = first_lane(it->getType(), it->getIndices());
    const Value& part = value(1);
    for (std::size_t i = 0; i < part.size(); ++i) out[first + i] = part[i];
    return out;
  }
  if (const auto* it = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) return allocate(frame, *it);
  if (const auto* it = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return kept(promises, load(frame, *it), "a loaded value");
  if (const auto* it = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return store(frame, *it), Value{};
  if (llvm::isa<llvm::GetElementPtrInst>(instruction)) {
    return element_address(frame, llvm::cast<llvm::GEPOperator>(instruction));
  }
  if (const auto* it = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
    return kept(promises, intrinsic(frame, *it), "a result");
  }
  if (const auto* it = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
    return kept(promises, call_function(frame, *it), "a result");
  }
  not_covered(std::string("the instruction ") + instruction.getOpcodeName());
}

/// The called function, which has a body here. Calls whose meaning is not known here are not covered.
const llvm::Function& Executor::callee_of(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  if (callee == nullptr) not_covered("a call through a pointer");
  if (callee->isDeclaration()) not_covered("a call of " + callee->getName().str() + ", which has no body here");
  if (callee->isInterposable()) not_covered("a call of " + callee->getName().str() + ", which may be replaced");
  if (callee->isVarArg()) not_covered("a call with any number of arguments");
  if (callee->getCallingConv() != call.getCallingConv()) not_covered("a call by another convention");
  return *callee;
}

/// What the call says of an argument is checked here.
Value Executor::argument_of(Frame& frame, const llvm::CallBase& call, unsigned i) {
  return kept(promises_of(call.getAttributes().getParamAttrs(i)), operand(frame, call.getArgOperand(i)), "an argument");
}

Value Executor::call_function(Frame& frame, const llvm::CallBase& call) {
  if (call.hasOperandBundles()) not_covered("a call with operand bundles");
  if (const auto* assembly = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand())) {
    // Without instructions, arguments and results it only bars the compiler from moving accesses across it.
    const bool empty = assembly->getAsmString().empty() && call.arg_empty() && call.getType()->isVoidTy();
    if (!empty || call.doesNotReturn()) not_covered("assembly");
    return {};
  }
  const llvm::Function& callee = callee_of(call);
  std::vector<Value> given;
  std::vector<Value> arguments;
  std::vector<int> copies;
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    Value argument = argument_of(frame, call, i);
    given.push_back(argument);
    if (call.isByValArgument(i)) {
      llvm::Type* type = call.getParamByValType(i);
      const std::uint64_t alignment = call.getParamAlign(i).valueOrOne().value();
      Object copy{.bytes = read(argument.front(), stored_size(type), 1), .alignment = alignment};
      argument = {add_object(memory_, std::move(copy))};
      copies.push_back(objects_ - 1);
    }
    arguments.push_back(std::move(argument));
  }
  const llvm::Instruction* const here = instruction_;
  const Literal guard = guard_;
  const int depth = depth_;
  std::optional<Outcome> outcome;
  bool mergeable = true;
  try {
    outcome = run(callee, std::move(arguments), std::move(memory_));
  } catch (const Unmergeable&) {
    mergeable = false;
  }
  instruction_ = here;
  guard_ = guard;
  depth_ = depth;
  // All paths of the call end here, so all of them are not covered: the guard is the call's, not that of a block in it.
  if (!mergeable) not_covered("a pointer and a number meet in one place, in a call");
  if (!outcome) {
    guard_ = no;  // nothing follows; why is an obligation already
    throw Stop{Obligation::Kind::understood, "no path returns"};
  }
  memory_ = std::move(outcome->memory);
  for (const int copy : copies) memory_.remove(copy);
  if (call.doesNotReturn()) not_covered("a function returns that is promised not to");
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    if (call.paramHasAttr(i, llvm::Attribute::Returned)) is_returned(given[i], outcome->value);
  }
  return kept(promises_of(call.getAttributes().getRetAttrs()), std::move(outcome->value), "a result");
}

}  // namespace lockstep::proof
