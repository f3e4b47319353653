// The explorations of a system behind an interface of texts; any_explorer.cpp is compiled once per system.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/error.hpp"
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

class AnyExplorer {
 public:
  virtual ~AnyExplorer() = default;
  virtual std::string_view system() const = 0;
  virtual std::vector<ExplorationInfo> explorations() const = 0;
  virtual std::vector<std::string> action_names() const = 0;
  /// The error names a text's source already. `options.depth` is that of the exploration's own, when it is 0.
  virtual std::expected<std::unique_ptr<Explorer>, std::string> start(const ExploreStart& from,
                                                                      const std::vector<std::string>& implementations,
                                                                      const ExploreOptions& options) const = 0;
};

/// The explorers of this build. Each enlists itself.
std::vector<const AnyExplorer*>& all_explorers();

}  // namespace lockstep
