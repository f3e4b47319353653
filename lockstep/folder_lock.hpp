// An exclusive lock on a folder.
//
// The lock is flock(2) on the folder itself: no file is written, and the lock ends with the last process that holds it,
// however that process ends. Forked processes inherit it; programs that they exec do not.
//
// Linux turns flock on NFS into a lock of the whole file at the server, which needs a descriptor that writes: a folder has
// none (EBADF). There a file in the folder, lock_name, is locked instead.
#pragma once

#include <filesystem>

namespace lockstep {

class FolderLock {
 public:
  /// Tries to lock the folder; never waits.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  enum class State {
    ours,
    taken,        // by another process
    gone,         // there is no such folder
    not_lockable  // the file system does not support such locks
  };
  State state() const { return state_; }

  static constexpr const char* lock_name = ".lockstep-lock";

 private:
  State take(const std::filesystem::path& folder);

  int descriptor_ = -1;
  int file_ = -1;  // lock_name, where the folder itself cannot be locked
  State state_;
};

}  // namespace lockstep
