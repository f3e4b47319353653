// Registers a system with the program. One source per system contains
//
//   namespace { const lockstep::Registered<Lru> registered; }
//
// and must be linked as an object file: a linker drops an object of a static library that nothing references. The
// system's implementations may be registered in this source or in others.
#pragma once

#include <vector>

#include "lockstep/system/scenario_of.hpp"

namespace lockstep {

template <System S>
std::vector<AnyExploration> explorations_of();  // explore/exploring_of.hpp
template <System S>
std::vector<AnyWorkload> workloads_of();  // workload.hpp
/// Where a system with such a format is registered, programs/problems_of.hpp must be included.
template <System S>
const AnyProblem* problem_of();

template <System S>
SystemParts system_parts() {
  SystemParts out{lockstep::vocabulary<S>()};
  if constexpr (Given<ExplorationsOf<S>>) out.explorations = &explorations_of<S>;
  if constexpr (Given<WorkloadsOf<S>>) out.workloads = &workloads_of<S>;
  if constexpr (requires { typename S::ProblemFormat; }) out.problem = &problem_of<S>;
  return out;
}

/// Adds a system to all_systems() (any_system.hpp).
void register_system(const SystemParts& parts);

template <System S>
struct Registered {
  Registered() { register_system(system_parts<S>()); }
};

}  // namespace lockstep
