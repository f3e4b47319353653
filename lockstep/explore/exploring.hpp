// Exploring a system (explore.hpp): its named explorations, and walks from any position.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/describe/scenario.hpp"
#include "lockstep/explore/explore.hpp"

namespace lockstep {

/// The starting positions of an exploration.
struct ExploreStart {
  std::string exploration;                                 // name of an exploration; if empty:
  std::vector<std::pair<std::string, std::string>> texts;  // scenarios: name of the source, text
  bool every_position = false;                             // start at all positions of the scenarios, not only the last
};

/// An exploration without the types of its system: Exploration in exploration.hpp.
struct AnyExploration {
  std::string name;
  std::string about;
  bool bulk = false;                        // random positions (bulk.hpp); else, without a depth, a sweep
  std::optional<std::uint64_t> depth = {};  // walks only
  std::optional<AnyScenario> start = {};    // likewise
  /// The others: constructs the sweep that compares these implementations. The options are those of a bulk.
  std::function<std::expected<AnySweep, std::string>(const std::vector<std::string>& implementations,
                                                     const ExploreOptions& options)>
      sweep = nullptr;
};

/// The explorations that the system names.
std::vector<AnyExploration> explorations_of(const SystemParts& system);

/// Errors in a text include the name of its source. If `options.depth` is 0, the exploration's own depth is used.
std::expected<std::unique_ptr<Explorer>, std::string> start_exploring(const SystemParts& system,
                                                                      const ExploreStart& from,
                                                                      const std::vector<std::string>& implementations,
                                                                      const ExploreOptions& options);

}  // namespace lockstep
