#include "lockstep/process/folder_lock.hpp"

#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <optional>

#include "tests/lockstep/file_test.hpp"
#include "tests/lockstep/keeping_child.hpp"

namespace {

/// As on NFS: the lock of a folder is of this machine alone, so that of another machine is not seen.
bool folders_lock_locally = false;
/// As where a file system has no locks.
bool no_locks = false;

}  // namespace

extern "C" int flock(int descriptor, int operation) noexcept {
  struct stat file = {};
  if (folders_lock_locally && fstat(descriptor, &file) == 0 && S_ISDIR(file.st_mode)) return 0;
  if (no_locks) {
    errno = ENOLCK;
    return -1;
  }
  return static_cast<int>(syscall(SYS_flock, descriptor, operation));
}

namespace lockstep {
namespace {

class FolderLocks : public FileTest {};

TEST_F(FolderLocks, ALockBelongsToOneProcessAndEndsWithIt) {
  using State = FolderLock::State;
  EXPECT_EQ(FolderLock{folder / "absent"}.state(), State::gone);
  EXPECT_EQ(FolderLock{folder}.state(), State::ours);
  EXPECT_EQ(FolderLock{folder}.state(), State::ours) << "the first is gone";
  const pid_t holder = child_that_keeps([&] { return std::make_unique<FolderLock>(folder); });
  EXPECT_EQ(FolderLock{folder}.state(), State::taken);
  end_child(holder);
  EXPECT_EQ(FolderLock{folder}.state(), State::ours);
}

TEST_F(FolderLocks, ALockIsSeenWhereThatOfAFolderIsOfOneMachineAlone) {
  using State = FolderLock::State;
  folders_lock_locally = true;
  const pid_t holder = child_that_keeps([&] { return std::make_unique<FolderLock>(folder); });
  EXPECT_EQ(FolderLock{folder}.state(), State::taken);
  end_child(holder);
  EXPECT_EQ(FolderLock{folder}.state(), State::ours);
  EXPECT_EQ(FolderLock{folder / "absent"}.state(), State::gone);
  folders_lock_locally = false;
}

TEST_F(FolderLocks, AFileSystemWithoutLocksReportsNoHolder) {
  no_locks = true;
  const FolderLock lock{folder};
  EXPECT_EQ(lock.state(), FolderLock::State::not_lockable);
  no_locks = false;
}

}  // namespace
}  // namespace lockstep
