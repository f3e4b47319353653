// Exploring a system exhaustively (explore.hpp): its named explorations, and walks from any position.
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
  std::optional<std::uint64_t> depth;  // of a walk
};

/// Where positions come from.
struct ExploreStart {
  std::string exploration;                                 // by its name; or, when empty,
  std::vector<std::pair<std::string, std::string>> texts;  // scenarios: the name of each source, and its text
  bool every_position = false;                             // all positions of the scenarios, not only the last one
};

class Exploring {
 public:
  virtual ~Exploring() = default;
  virtual std::vector<ExplorationInfo> explorations() const = 0;
  virtual std::vector<std::string> action_names() const = 0;
  /// The error names a text's source already. When `options.depth` is 0, it is the exploration's own.
  virtual std::expected<std::unique_ptr<Explorer>, std::string> start(const ExploreStart& from,
                                                                      const std::vector<std::string>& implementations,
                                                                      const ExploreOptions& options) const = 0;
};

}  // namespace lockstep
