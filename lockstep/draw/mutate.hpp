// Structure-aware mutation and crossover. Every result is lawful.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "lockstep/base/random.hpp"
#include "lockstep/describe/scenario.hpp"

namespace lockstep {

namespace mutation {

/// A run of actions: [first, first + count).
struct Range {
  std::size_t first;
  std::size_t count;
};

Range range_of(Random& random, std::size_t size);

void remove(Random& random, AnyScenario& scenario);

}  // namespace mutation

/// Applies one to eight random mutation operators. Some give a number of the scenario one of those that implementations
/// compared.
void mutate(Random& random, AnyScenario& scenario, std::span<const std::int64_t> compared = {});

/// The setup and first actions of one scenario, the last actions of another.
AnyScenario crossover(Random& random, const AnyScenario& one, const AnyScenario& other);

}  // namespace lockstep
