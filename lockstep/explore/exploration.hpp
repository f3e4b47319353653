// What a system can have explored: named explorations, of three kinds. Walks and sweeps are exhaustive.
//
// A walk starts at one setup and reaches every position by every action, breadth first, each position once. A walk can
// start at any setup; a named walk is one worth repeating, with the depth to which its result is known.
//
// A sweep constructs its positions from numbers, not by actions, and defines the scenarios to judge at each:
//
//   {.name = "pairs", .about = "every two stones on a line, judged",
//    .what = [] {
//      return Sweep<Omok>{{.name = "across", .numbers = 9,
//                          .scenarios = [](std::uint64_t number, Scenario<Omok>& scenario, const Judged& judged) {
//                            scenario.setup = …;            // memory is reused: set every field
//                            scenario.actions = {Judge{}};
//                            judged();                      // may be called several times
//                          }}};
//    }}
//
// A sweep has parts, smallest boards first. Parts are covered in order; the sweep ends with the first part in which
// implementations differ. `scenarios` is called by several threads at once.
//
// A bulk compares fast implementations on random positions, by the billion (bulk.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "lockstep/base/random.hpp"
#include "lockstep/describe/system.hpp"
#include "lockstep/explore/explore.hpp"

namespace lockstep {

template <class S>
struct Walk {
  typename S::Setup start{};
  std::uint64_t depth = 0;  // actions
};

template <class S>
struct SweepPart {
  std::string name;
  std::uint64_t numbers = 0;  // 0 … numbers − 1; one that judges nothing is not counted (the image of another one)
  std::uint64_t each = 1;     // positions that a number represents
  std::function<void(std::uint64_t number, Scenario<S>& scenario, const Judged& judged)> scenarios;
};

template <class S>
using Sweep = std::vector<SweepPart<S>>;

/// Constructs a sweep on demand, since that may be slow.
template <class S>
using MakeSweep = std::function<Sweep<S>()>;

/// Each function is called by several threads at once.
template <class S>
struct Bulk {
  std::uint64_t positions = 0;  // unless another number is asked for
  std::function<void(Random&, std::span<BitsOf<S>>)> draw;
  std::function<void(const BitsOf<S>&, Scenario<S>&)> write;  // the position and its question, to be judged
};

/// A system names its own in `struct S::Explorations { static std::vector<Exploration<S>> all(); };`.
template <class S>
struct Exploration {
  std::string name;
  std::string about;  // one line: what is covered
  std::variant<Walk<S>, MakeSweep<S>, Bulk<S>> what;
};

}  // namespace lockstep

// What a system that names explorations is registered with.
#include "lockstep/explore/exploring_of.hpp"
