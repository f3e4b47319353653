// A folder that one program has for itself.
//
// The lock is flock(2) on the folder itself: nothing is written, and it goes with the last process that has it, however
// that one ends. Processes that are forked have it too; programs that they become do not.
#pragma once

#include <filesystem>

namespace lockstep {

class FolderLock {
 public:
  /// Takes the folder, or does not; never waits.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  enum class State {
    ours,
    taken,        // by another process
    gone,         // there is no such folder, or no longer
    not_lockable  // the file system has no such locks
  };
  State state() const { return state_; }

 private:
  State take(const std::filesystem::path& folder);

  int descriptor_ = -1;
  State state_;
};

}  // namespace lockstep
