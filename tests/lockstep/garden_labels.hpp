// The labels that scenarios of the garden show.
#pragma once

#include <cstdint>
#include <string>

#include "lockstep/services/labelling.hpp"
#include "lockstep/system/typed.hpp"
#include "tests/lockstep/garden.hpp"

namespace lockstep {

/// Labels of so many scenarios of each generator, and of a corpus of one scenario, in which it rains nine measures.
inline LabelTable counts_of_a_run(std::uint64_t seed = 1, std::uint64_t runs = 300) {
  const std::string rain = scenario_text<Garden>({.setup = {}, .actions = {Garden::Rain{9}}});
  return count_labels(vocabulary<Garden>(), head_gardener, seed, runs, {rain});
}

}  // namespace lockstep
