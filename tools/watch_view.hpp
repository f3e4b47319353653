// What `lockstep watch` shows of a campaign: lines of text for a part of a terminal.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace lockstep {

struct Window {
  std::size_t rows = 24;
  std::size_t columns = 80;
  bool colours = false;
};

class WatchedCampaign {
 public:
  enum class State {
    none,  // nothing was ever written there
    running,
    ended,
    interrupted,  // by Ctrl-C, and no run has resumed it
    unknown,      // it runs or was killed: this file system has no locks, which would tell
    dead          // it was killed, and no run has resumed it
  };
  virtual ~WatchedCampaign() = default;
  /// Reads what the campaign has written. Never writes.
  virtual void look() = 0;
  virtual State state() const = 0;
  /// At most as many lines as the window has rows, and none longer than its columns.
  virtual std::vector<std::string> lines(const Window& window) const = 0;
};

/// The campaign whose findings go to this folder (fuzz --out).
std::unique_ptr<WatchedCampaign> watch_folder(const std::filesystem::path& folder);
/// The shards of this folder (fuzz --exchange). BadInput if it is no such folder.
std::unique_ptr<WatchedCampaign> watch_shards(const std::filesystem::path& folder);

}  // namespace lockstep
