// An exclusive lock on a folder.
//
// The lock is flock(2) on a file in the folder, lock_name. Its destructor gives it up, and removes the file; without that,
// it ends with the last process that has it, however that process ends. Forked processes inherit it; programs that they
// exec do not. A file that a killed process has left does no harm.
//
// Not on the folder itself: Linux turns flock on a file of NFS into a lock at the server, but on a folder of NFS it locks
// on this machine alone, and says nothing.
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
    taken,         // by another process
    gone,          // there is no such folder, or its lock has just been given up: try again
    not_lockable,  // the file system does not support such locks
    not_writable   // the file cannot be created: why() is errno
  };
  State state() const { return state_; }
  /// Whether it may be ours when it is tried again.
  bool comes_free() const { return state_ == State::taken || state_ == State::gone; }
  int why() const { return why_; }

  static constexpr const char* lock_name = ".lockstep-lock";

 private:
  State take();

  std::filesystem::path path_;
  int file_ = -1;
  int why_ = 0;
  State state_;
};

}  // namespace lockstep
