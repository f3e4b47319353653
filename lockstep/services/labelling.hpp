// Counts labels, and searches for labels that generators rarely reach. The corpus is passed as texts; texts that cannot be
// parsed are ignored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/describe/scenario.hpp"
#include "lockstep/draw/labels.hpp"

namespace lockstep {

/// Counts labels in `runs` scenarios of each style of draw.hpp, in as many mutants of the corpus, and in the corpus
/// itself.
LabelTable count_labels(const Vocabulary& system, const Runner& implementation, std::uint64_t seed, std::uint64_t runs,
                        const std::vector<std::string>& corpus);

struct LabelFound {
  std::string text;            // the scenario
  std::uint64_t distance = 0;  // from the wanted value; 0: shown. UINT64_MAX: it does not show the feature
  std::uint64_t tries = 0;
};

/// A small scenario in which the feature takes the value, or the nearest of up to `tries_max` scenarios.
LabelFound find_label(const Vocabulary& system, const Runner& implementation, std::size_t feature, std::int64_t value,
                      std::uint64_t seed, std::uint64_t tries_max, const std::vector<std::string>& corpus);

}  // namespace lockstep
