#include "proof/translation.hpp"

#include <llvm/IR/Function.h>

namespace lockstep::proof {

namespace {

Bytes bytes_of(const Word& bits) {
  Bytes out(bits.size() / 8);
  for (std::size_t i = 0; i < bits.size(); ++i) out[i / 8].bits[i % 8] = bits[i];
  for (Byte& byte : out) byte.poison = no;
  return out;
}

}  // namespace

Translation::Translation(const Claim& claim, Clock::time_point deadline, std::shared_ptr<Program> read,
                         std::shared_ptr<Program> changed)
    : program{read ? std::move(read) : std::make_shared<Program>(Program::from_file(std::string(claim.bitcode)))},
      input{Words{graph}.inputs(8 * claim.input_size)},
      changed_{std::move(changed)},
      input_bytes_{bytes_of(input)} {
  invariant = translated(claim, *program, claim.invariant, true, deadline);
  kernel = translated(claim, changed_ ? *changed_ : *program, claim.kernel, false, deadline);
  specification = translated(claim, *program, claim.specification, false, deadline);
  lawful.result = {yes};
  if (!claim.lawful.empty()) lawful = translated(claim, *program, claim.lawful, true, deadline);
  if (claim.kernels_in.empty()) return;
  /// The first line of the kernels' sources that the function uses; empty: none.
  const auto used_by = [&](const Part& part) {
    for (const Executor::Lines* lines : {&part.lines, &part.inlined_at}) {
      for (const auto& [file, numbers] : *lines) {
        if (file.starts_with(claim.kernels_in)) return file + ":" + std::to_string(*numbers.begin());
      }
    }
    return std::string{};
  };
  for (const Part* part : {&specification, &invariant, &lawful}) {
    if (!part->without_source.empty()) {
      throw NotCovered{"nothing says which code the specification or invariant uses: no debug information of " +
                       part->without_source};
    }
    if (const std::string used = used_by(*part); !used.empty())
      throw NotCovered{"the specification or invariant uses code of the kernels: " + used};
  }
  if (!changed_ && used_by(kernel).empty()) {
    throw NotCovered{"the kernel executes no code of " + std::string(claim.kernels_in) +
                     ", or the names of files are not relative to the project"};
  }
}

Translation::Part Translation::translated(const Claim& claim, Program& of, std::string_view symbol, bool predicate,
                                          Clock::time_point deadline) {
  const llvm::Function* function = of.function(std::string(symbol));
  if (function == nullptr)
    throw NotCovered{"the function " + std::string(symbol) + " is not in " + std::string(claim.bitcode)};
  Executor executor{graph, of, {.rounds = claim.rounds, .deadline = deadline}};
  Memory memory;
  std::vector<Value> arguments = {
      {executor.add_object(memory, {.bytes = input_bytes_, .alignment = claim.input_alignment, .constant = true})}};
  int output = 0;
  if (!predicate) {
    const Lane pointer =
        executor.add_object(memory, {.bytes = Bytes(claim.output_size), .alignment = claim.output_alignment});
    output = pointer.targets.front().object;
    arguments.push_back({pointer});
  }
  bool fits = function->arg_size() == arguments.size();
  for (const llvm::Argument& each : function->args()) fits = fits && each.getType()->isPointerTy();
  fits = fits && (predicate ? function->getReturnType()->isIntegerTy(1) : function->getReturnType()->isVoidTy());
  if (!fits) {
    throw NotCovered{"the function " + std::string(symbol) + " does not have the parameters of a claim's function"};
  }
  const auto outcome = executor.call(*function, std::move(arguments), std::move(memory));

  Part out{.result = {},
           .poison = {},
           .obligations = executor.obligations(),
           .edges = executor.edges(),
           .lines = executor.lines(),
           .inlined_at = executor.inlined_at(),
           .without_source = executor.without_source()};
  if (!outcome) {  // then an obligation says why
    out.result = Word(predicate ? 1 : 8 * claim.output_size, no);
    out.poison.assign(predicate ? 1 : claim.output_size, yes);
  } else if (predicate) {
    out.result = {outcome->value.front().bits.front()};
    out.poison = {outcome->value.front().poison};
  } else {
    for (const Byte& byte : outcome->memory[output].bytes) {
      out.result.insert(out.result.end(), byte.bits.begin(), byte.bits.end());
      out.poison.push_back(byte.pointer ? yes : byte.poison);
    }
  }
  std::vector<Literal> violated = out.poison;
  for (const Obligation& obligation : out.obligations) violated.push_back(obligation.violated);
  out.violated = graph.any(violated);
  out.graph_size = graph.size();
  return out;
}

}  // namespace lockstep::proof
