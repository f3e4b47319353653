// Exploring a system (explore.hpp): its named explorations, and walks from any position.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/explore.hpp"

namespace lockstep {

struct ExplorationInfo {
  std::string name;
  std::string about;
  std::optional<std::uint64_t> depth;  // walks only
  bool bulk = false;                   // random positions (bulk.hpp); else, without a depth, a sweep
};

/// The starting positions of an exploration.
struct ExploreStart {
  std::string exploration;                                 // name of an exploration; if empty:
  std::vector<std::pair<std::string, std::string>> texts;  // scenarios: name of the source, text
  bool every_position = false;                             // start at all positions of the scenarios, not only the last
};

class Exploring {
 public:
  virtual ~Exploring() = default;
  virtual std::vector<ExplorationInfo> explorations() const = 0;
  virtual std::vector<std::string> action_names() const = 0;
  /// Of these implementations, those that a bulk compares with each other.
  virtual std::vector<std::string> answering_many(const std::vector<std::string>& implementations) const = 0;
  /// Errors in a text include the name of its source. If `options.depth` is 0, the exploration's own depth is used.
  virtual std::expected<std::unique_ptr<Explorer>, std::string> start(const ExploreStart& from,
                                                                      const std::vector<std::string>& implementations,
                                                                      const ExploreOptions& options) const = 0;
};

}  // namespace lockstep
