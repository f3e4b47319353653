#include "lockstep/folder_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace lockstep {
namespace {

bool is_missing(int fault) { return fault == ENOENT || fault == ENOTDIR; }

}  // namespace

FolderLock::FolderLock(const std::filesystem::path& folder) : path_{folder / lock_name}, state_{take()} {}

FolderLock::~FolderLock() {
  if (state_ == State::ours) unlink(path_.c_str());  // before it is given up, while it is still ours
  if (file_ >= 0) close(file_);
}

FolderLock::State FolderLock::take() {
  file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) {
    why_ = errno;
    return is_missing(why_) ? State::gone : State::not_writable;
  }
  if (flock(file_, LOCK_EX | LOCK_NB) != 0) return errno == EWOULDBLOCK ? State::taken : State::not_lockable;
  // The previous holder may have removed the file, or the folder, before it gave the lock up.
  struct stat held = {};
  struct stat named = {};
  const bool same = fstat(file_, &held) == 0 && stat(path_.c_str(), &named) == 0 && held.st_dev == named.st_dev &&
                    held.st_ino == named.st_ino;
  return same ? State::ours : State::gone;
}

std::optional<bool> FolderLock::held(const std::filesystem::path& folder) {
  const int file = open((folder / lock_name).c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return is_missing(errno) ? std::optional{false} : std::nullopt;
  // A shared lock, for a moment: others who only ask get one, too, and who wants the lock asks again (LockedFolder).
  const int locked = flock(file, LOCK_SH | LOCK_NB);
  const int fault = errno;
  close(file);
  if (locked == 0) return false;
  return fault == EWOULDBLOCK ? std::optional{true} : std::nullopt;
}

}  // namespace lockstep
