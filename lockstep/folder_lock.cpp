#include "lockstep/folder_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace lockstep {

FolderLock::FolderLock(const std::filesystem::path& folder) : state_{take(folder)} {}

FolderLock::~FolderLock() {
  if (file_ >= 0) close(file_);
  if (descriptor_ >= 0) close(descriptor_);
}

FolderLock::State FolderLock::take(const std::filesystem::path& folder) {
  descriptor_ = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor_ < 0) return errno == ENOENT || errno == ENOTDIR ? State::gone : State::not_lockable;
  int locked = flock(descriptor_, LOCK_EX | LOCK_NB);
  if (locked != 0 && errno == EBADF) {
    file_ = openat(descriptor_, lock_name, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file_ < 0) return State::not_lockable;
    locked = flock(file_, LOCK_EX | LOCK_NB);
  }
  if (locked != 0) return errno == EWOULDBLOCK ? State::taken : State::not_lockable;
  // The previous holder may have removed the folder before it released the lock.
  struct stat held = {};
  struct stat named = {};
  const bool same = fstat(descriptor_, &held) == 0 && stat(folder.c_str(), &named) == 0 &&
                    held.st_dev == named.st_dev && held.st_ino == named.st_ino;
  return same ? State::ours : State::gone;
}

}  // namespace lockstep
