// A folder that goes with its owner.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "lockstep/folder_lock.hpp"

namespace lockstep {

/// A new, empty folder among the system's temporary ones, lockstep-PID-XXXXXX. Throws std::filesystem::filesystem_error
/// when there can be none. The first of a process removes those whose owners were killed before they could.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
  std::unique_ptr<FolderLock> lock_;  // of this process and those it forks
};

/// Removes the scratch folders of processes that live no longer: the process that the name tells is not there, and
/// nobody has the folder's lock. The second matters where processes do not see each other and yet share their folders.
void remove_stale_scratch_folders();

}  // namespace lockstep
