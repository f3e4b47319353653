// What a system can have covered whole: explorations with a name, of two kinds.
//
// A walk goes from one setup over every action to every position, breadth first, each position once. Any
// setup can be walked from; a named walk is one that is worth repeating, with the depth to which it is known.
// A sweep reaches its positions by number instead of by play, and says itself what is asked of each:
//
//   {.name = "pairs", .about = "every two stones on a line, judged",
//    .what = [] {
//      return Sweep<Omok>{{.name = "across", .numbers = 9,
//                          .scenarios = [](std::uint64_t number, Scenario<Omok>& scenario, const Judged& judged) {
//                            scenario.setup = …;            // the scenario's memory is used again: set everything
//                            scenario.actions = {Judge{}};
//                            judged();                      // may be called several times
//                          }}};
//    }}
//
// Sweeps come in parts, smallest boards first: the parts are covered one after the other, and the first one
// in which implementations differ is the last one. `scenarios` is called by several threads at once.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "lockstep/system.hpp"

namespace lockstep {

template <class S>
struct Walk {
  typename S::Setup start{};
  std::uint64_t depth = 0;  // actions
};

using Judged = std::function<void()>;

template <class S>
struct SweepPart {
  std::string name;
  std::uint64_t numbers = 0;  // 0 … numbers − 1; one for which nothing is judged is left out (another one's image)
  std::uint64_t each = 1;     // positions that a number stands for
  std::function<void(std::uint64_t number, Scenario<S>& scenario, const Judged& judged)> scenarios;
};

template <class S>
using Sweep = std::vector<SweepPart<S>>;

/// Making a sweep may take work, which is done only when it is asked for.
template <class S>
using MakeSweep = std::function<Sweep<S>()>;

template <class S>
struct Exploration {
  std::string name;
  std::string about;  // one line: what is covered
  std::variant<Walk<S>, MakeSweep<S>> what;
};

/// The explorations that a system names in its part `struct S::Explorations { static std::vector<Exploration<S>> all(); };`
/// none when it has no such part.
template <class S>
std::vector<Exploration<S>> explorations() {
  if constexpr (Given<ExplorationsOf<S>>) return ExplorationsOf<S>::all();
  else return {};
}

}  // namespace lockstep
