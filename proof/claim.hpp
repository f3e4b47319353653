// A claim: a kernel of an optimized simulator equals its specification on every input that an invariant admits. Claims
// lie in proof/claims/, a file for each game:
//
//   extern "C" void puyo_find_doomed(const Planes& in, Cells& out);    the kernel, as the simulator calls it
//   extern "C" void puyo_groups(const Planes& in, Cells& out);         the rule, plainly, on arrays, with bounded loops
//   extern "C" bool puyo_board(const Planes& in);                      which inputs are meant
//   const bool claimed = claim<Planes, Cells>({.name = "lanes.find_doomed", …});
//
// The file is compiled by clang-19 with the flags that are shipped: to IR, which is proved, and this IR to code, which
// writes a counterexample as a scenario and against which the prover is tested. An input and an output are plain bytes
// without padding. A specification that uses code of optimized/ is refused. Other projects add claims with
// lockstep_add_proof() (cmake/LockstepUser.cmake).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace lockstep::proof {

/// A function by its name in the IR, and the same function as code.
template <class Signature>
struct Symbol {
  std::string_view name;
  Signature* address = nullptr;
};
#define LOCKSTEP_SYMBOL(function) {#function, &(function)}

/// A source of random numbers for `Claims::draw`: SplitMix64.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : state_{seed} {}
  std::uint64_t operator()() {
    std::uint64_t x = state_ += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
  }
  std::uint64_t below(std::uint64_t bound) { return (*this)() % bound; }

 private:
  std::uint64_t state_;
};

/// What a claim file says. In and Out are the kernel's input and output.
template <class In, class Out>
struct TypedClaim {
  std::string_view game;
  std::string_view name;  // "lanes.find_doomed"
  std::string_view says;  // the claim in a sentence
  Symbol<void(const In&, Out&)> kernel;
  Symbol<void(const In&, Out&)> specification;
  Symbol<bool(const In&)> invariant;
  /// A random input, for tests of the prover; should meet the invariant, and exercise the kernel. Null: the graph is not
  /// compared with the compiled code.
  void (*draw)(Draws&, In&) = nullptr;
  /// How many rounds a loop may take whose end depends on the input; that none takes more is proved.
  int rounds = 64;
  /// Inputs that a scenario can have; null: those of the invariant. A counterexample is sought among these first.
  Symbol<bool(const In&)> lawful = {};
  /// A scenario on which a simulator with this input errs; null: the kernel has no scenario of its own.
  std::string (*scenario)(const In&) = nullptr;
  bool quick = true;  // belongs to the core of the tests, where all such claims take a minute on two processors
  /// The part of the simulator's calls that the claim is about, "blocks in the first row"; empty: all of them. A change of
  /// the kernel that has no effect on a part may have one elsewhere.
  std::string_view covers_only = {};
  /// The kernel is this planted mistake: the claim does not hold. Decided only by its name, and judged with it.
  std::string_view canary = {};
  /// Whether this processor has the instructions of the kernel; null: every processor has them. Where it says no, the
  /// kernel is proved and never called.
  bool (*runs_here)() = nullptr;
  /// How many ways of the kernel's branches no input takes: copies of a loop that the compiler made for cases that do
  /// not occur. With another number the claim is not covered.
  std::size_t dead_ways = 0;
};

/// The same without types: inputs and outputs are bytes.
struct Claim {
  std::string_view game;
  std::string_view name;
  std::string_view says;
  std::string_view kernel;
  std::string_view specification;
  std::string_view invariant;
  std::string_view lawful;   // empty: none
  std::string_view bitcode;  // the file with the functions' IR
  /// The folder of the kernels' sources: no other function may use code of it. Empty: not checked, and lines are counted
  /// in all files of the project.
  std::string_view kernels_in = {};
  std::size_t input_size = 0;
  std::size_t output_size = 0;
  std::size_t input_alignment = 1;
  std::size_t output_alignment = 1;
  int rounds = 0;
  bool quick = true;
  std::string_view covers_only = {};
  std::string_view canary = {};
  std::size_t dead_ways = 0;
  std::string_view replay = {};  // command that judges a scenario's file; empty: that of the command line

  using Bytes = std::span<const std::byte>;
  std::function<std::vector<std::byte>(Bytes)> run_kernel;  // null: the processor can't
  std::function<std::vector<std::byte>(Bytes)> run_specification;
  std::function<bool(Bytes)> meets_invariant;
  std::function<std::vector<std::byte>(Draws&)> draw;  // null: the graph is not checked against the code
  std::function<std::string(Bytes)> scenario;          // null: none

  std::string full_name() const { return std::string(game) + "." + std::string(name); }
};

/// All claims of the program, in the order of their definition.
inline std::vector<Claim>& claims() {
  static std::vector<Claim> all;
  return all;
}

/// Where a claim file comes from: its build says so.
struct Origin {
  std::string_view bitcode;
  std::string_view kernels_in;
  std::string_view replay;
};

template <class In, class Out>
Claim untyped(const TypedClaim<In, Out>& typed, const Origin& origin) {
  static_assert(std::is_trivially_copyable_v<In> && std::is_trivially_copyable_v<Out>);
  const auto input = [](Claim::Bytes bytes) {
    In in;
    std::memcpy(static_cast<void*>(&in), bytes.data(), sizeof in);
    return in;
  };
  const auto run = [input](void (*function)(const In&, Out&)) {
    return [=](Claim::Bytes bytes) {
      alignas(Out) std::byte memory[sizeof(Out)] = {};
      function(input(bytes), *reinterpret_cast<Out*>(memory));
      return std::vector<std::byte>(memory, memory + sizeof memory);
    };
  };
  Claim out{.game = typed.game,
            .name = typed.name,
            .says = typed.says,
            .kernel = typed.kernel.name,
            .specification = typed.specification.name,
            .invariant = typed.invariant.name,
            .lawful = typed.lawful.name,
            .bitcode = origin.bitcode,
            .kernels_in = origin.kernels_in,
            .input_size = sizeof(In),
            .output_size = sizeof(Out),
            .input_alignment = alignof(In),
            .output_alignment = alignof(Out),
            .rounds = typed.rounds,
            .quick = typed.quick,
            .covers_only = typed.covers_only,
            .canary = typed.canary,
            .dead_ways = typed.dead_ways,
            .replay = origin.replay,
            .run_kernel = run(typed.kernel.address),
            .run_specification = run(typed.specification.address),
            .meets_invariant = [=](Claim::Bytes bytes) { return typed.invariant.address(input(bytes)); },
            .draw = nullptr,
            .scenario = nullptr};
  if (typed.draw != nullptr) {
    out.draw = [=](Draws& draws) {
      In in{};
      typed.draw(draws, in);
      const auto* first = reinterpret_cast<const std::byte*>(&in);
      return std::vector<std::byte>(first, first + sizeof in);
    };
  }
  if (typed.runs_here != nullptr && !typed.runs_here()) out.run_kernel = nullptr;
  if (typed.scenario != nullptr) out.scenario = [=](Claim::Bytes bytes) { return typed.scenario(input(bytes)); };
  return out;
}

#ifdef LOCKSTEP_BITCODE
/// Adds a claim. The build defines these for claim files: LOCKSTEP_BITCODE, the name of the file with their IR, and the
/// rest of their Origin.
template <class In, class Out>
bool claim(const TypedClaim<In, Out>& typed) {
  claims().push_back(untyped(typed, {LOCKSTEP_BITCODE, LOCKSTEP_KERNELS_IN, LOCKSTEP_REPLAY}));
  return true;
}
#endif

}  // namespace lockstep::proof
