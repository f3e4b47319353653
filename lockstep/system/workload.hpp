// Workloads: named scenarios that benchmarks time. Their seeds are fixed, so that the same name is the same work in every
// version. A system names its own in `struct S::Workloads { static std::vector<Workload<S>> all(); };`, for the verb
// `bench` and for Google Benchmark alike; without them it is timed on scenarios as campaigns draw them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lockstep/system/scenario_of.hpp"

namespace lockstep {

template <class S>
struct Workload {
  std::string_view name;  // lower case letters, digits and '_': part of benchmark names, which people filter by
  /// Played one after the other; several, so that a branch predictor cannot learn a single one.
  std::vector<Scenario<S>> scenarios;
};

struct AnyWorkload {
  std::string name;
  std::vector<AnyScenario> scenarios;
};

template <System S>
std::vector<AnyWorkload> workloads_of() {
  std::vector<AnyWorkload> out;
  for (Workload<S>& workload : WorkloadsOf<S>::all()) {
    auto& scenarios = out.emplace_back(AnyWorkload{std::string{workload.name}, {}}).scenarios;
    for (Scenario<S>& scenario : workload.scenarios) scenarios.push_back(any_of<S>(std::move(scenario)));
  }
  return out;
}

/// The workloads of a system that names none: scenarios as each generator draws them (services/timing.cpp).
std::vector<AnyWorkload> drawn_workloads(const Vocabulary& system, std::uint64_t seed);

}  // namespace lockstep
