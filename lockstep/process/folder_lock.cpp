#include "lockstep/process/folder_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace lockstep {
namespace {

bool is_missing(int fault) { return fault == ENOENT || fault == ENOTDIR; }

/// Whether the path still names the open file.
bool names(const std::filesystem::path& path, int file) {
  struct stat held = {};
  struct stat named = {};
  return fstat(file, &held) == 0 && lstat(path.c_str(), &named) == 0 && held.st_dev == named.st_dev &&
         held.st_ino == named.st_ino;
}

}  // namespace

FolderLock::FolderLock(const std::filesystem::path& folder) : path_{folder / lock_name}, state_{take()} {}

FolderLock::~FolderLock() {
  // Before it is given up, while it is still ours. (The folder may have been made anew.)
  if (state_ == State::ours && names(path_, file_)) unlink(path_.c_str());
  if (file_ >= 0) close(file_);
}

FolderLock::State FolderLock::take() {
  file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (file_ < 0) {
    why_ = errno;
    return is_missing(why_) ? State::gone : State::not_writable;
  }
  if (flock(file_, LOCK_EX | LOCK_NB) != 0) return errno == EWOULDBLOCK ? State::taken : State::not_lockable;
  // The previous holder may have removed the file, or the folder, before it gave the lock up.
  return names(path_, file_) ? State::ours : State::gone;
}

}  // namespace lockstep
