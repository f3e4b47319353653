#include "lockstep/scratch.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <optional>
#include <string>

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

namespace fs = std::filesystem;

/// Forks a child that keeps the result of `function` alive until it is killed; returns its PID.
template <class Function>
pid_t child_that_keeps(Function function) {
  int ready[2];
  if (pipe(ready) != 0) return -1;
  const pid_t child = fork();
  if (child == 0) {
    const auto kept = function();
    static_cast<void>(kept);
    static_cast<void>(write(ready[1], "x", 1));
    while (true) pause();
  }
  char byte = 0;
  const bool told = read(ready[0], &byte, 1) == 1;
  close(ready[0]);
  close(ready[1]);
  return told ? child : -1;
}

void end(pid_t child) {
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

/// Uses its own temporary folder, so that it sees no other scratch folders.
class Scratch : public testing::Test {
 protected:
  void SetUp() override {
    const char* const before = getenv("TMPDIR");
    if (before != nullptr) before_ = before;
    fs::create_directories(folder);
    setenv("TMPDIR", folder.c_str(), 1);
  }
  void TearDown() override {
    if (before_) setenv("TMPDIR", before_->c_str(), 1);
    else unsetenv("TMPDIR");
    fs::remove_all(folder);
  }
  std::size_t count() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator{folder}, fs::directory_iterator{}));
  }
  pid_t owner_of_a_scratch_folder() const {
    return child_that_keeps([] {
      auto kept = std::make_unique<ScratchFolder>();
      EXPECT_TRUE(fs::create_directory(kept->path() / "within"));
      return kept;
    });
  }

  const fs::path folder = fs::path{testing::TempDir()} / ("lockstep_scratch_" + std::to_string(getpid()));

 private:
  std::optional<std::string> before_;
};

TEST_F(Scratch, IsRemovedWithItsOwner) {
  {
    const ScratchFolder scratch;
    EXPECT_TRUE(fs::create_directory(scratch.path() / "within"));
    EXPECT_EQ(count(), 1u);
  }
  EXPECT_EQ(count(), 0u);
}

TEST_F(Scratch, IsRemovedIfItsOwnerWasKilledAndKeptIfItRuns) {
  const pid_t killed = owner_of_a_scratch_folder();
  const pid_t living = owner_of_a_scratch_folder();
  end(killed);
  EXPECT_EQ(count(), 2u);
  remove_stale_scratch_folders();
  EXPECT_EQ(count(), 1u);
  end(living);
  remove_stale_scratch_folders();
  EXPECT_EQ(count(), 0u);
}

TEST_F(Scratch, IsKeptWhileItsLockIsHeldEvenIfItsOwnerIsInvisible) {
  const pid_t other = child_that_keeps([] { return 0; });
  end(other);  // an unused PID
  const fs::path unseen = folder / ("lockstep-" + std::to_string(other) + "-unseen");
  fs::create_directory(unseen);
  const pid_t holder = child_that_keeps([&] { return std::make_unique<FolderLock>(unseen); });
  remove_stale_scratch_folders();
  EXPECT_TRUE(fs::exists(unseen));
  end(holder);
  remove_stale_scratch_folders();
  EXPECT_FALSE(fs::exists(unseen));
}

TEST_F(Scratch, OtherFoldersAreKept) {
  const pid_t other = child_that_keeps([] { return 0; });
  end(other);
  for (const std::string name : {"lockstep-abcdef", "lockstep-", "lockstep-12", "other-"}) {
    fs::create_directory(folder / (name == "other-" ? name + std::to_string(other) + "-abcdef" : name));
  }
  remove_stale_scratch_folders();
  EXPECT_EQ(count(), 4u);
}

TEST_F(Scratch, ALockBelongsToOneProcessAndEndsWithIt) {
  using State = FolderLock::State;
  EXPECT_EQ(FolderLock{folder / "absent"}.state(), State::gone);
  EXPECT_EQ(FolderLock{folder}.state(), State::ours);
  EXPECT_EQ(FolderLock{folder}.state(), State::ours) << "the first is gone";
  const pid_t holder = child_that_keeps([&] { return std::make_unique<FolderLock>(folder); });
  EXPECT_EQ(FolderLock{folder}.state(), State::taken);
  end(holder);
  EXPECT_EQ(FolderLock{folder}.state(), State::ours);
}

TEST_F(Scratch, ALockIsSeenWhereThatOfAFolderIsOfOneMachineAlone) {
  using State = FolderLock::State;
  folders_lock_locally = true;
  const pid_t holder = child_that_keeps([&] { return std::make_unique<FolderLock>(folder); });
  EXPECT_EQ(FolderLock{folder}.state(), State::taken);
  end(holder);
  EXPECT_EQ(FolderLock{folder}.state(), State::ours);
  EXPECT_EQ(FolderLock{folder / "absent"}.state(), State::gone);
  folders_lock_locally = false;
}

TEST_F(Scratch, AskingForALockTakesNoneAndWritesNothing) {
  EXPECT_EQ(FolderLock::held(folder), false);
  EXPECT_EQ(FolderLock::held(folder / "absent"), false);
  EXPECT_EQ(count(), 0u);
  const pid_t holder = child_that_keeps([&] { return std::make_unique<FolderLock>(folder); });
  EXPECT_EQ(FolderLock::held(folder), true);
  end(holder);
  EXPECT_EQ(FolderLock::held(folder), false);
  {
    const FolderLock again{folder};
  }
  EXPECT_EQ(count(), 0u) << "the file is removed with the lock";
}

TEST_F(Scratch, AFileSystemWithoutLocksReportsNoHolder) {
  no_locks = true;
  const FolderLock lock{folder};
  EXPECT_EQ(lock.state(), FolderLock::State::not_lockable);
  EXPECT_EQ(FolderLock::held(folder), std::nullopt);
  no_locks = false;
}

}  // namespace
}  // namespace lockstep
