// A temporary folder that is removed with its owner.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "lockstep/process/folder_lock.hpp"

namespace lockstep {

/// Creates an empty folder, lockstep-PID-XXXXXX/in among the temporary files (its parent holds the lock); the destructor
/// removes both. Throws std::filesystem::filesystem_error if it cannot be created. The first one of a process also removes
/// the folders of processes that were killed.
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
  std::unique_ptr<FolderLock> lock_;  // held by this process and its forks
};

/// Removes the scratch folders of dead processes: the process of the name's PID does not exist, and the folder is not
/// locked. The lock matters where processes in separate PID namespaces share a temporary folder.
void remove_stale_scratch_folders();

}  // namespace lockstep
